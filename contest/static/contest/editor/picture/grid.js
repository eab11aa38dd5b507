// Where the board of a level lies in a picture: the size of its cells, its corner, its columns and rows. Knows no page.
//
// Of all grids that edges speak for, the right one has the fewest kinds of cells: cut anywhere else, a board falls into
// many more. The board is then the largest part that hangs together of cells which are not the ground around it.

import { TOLERANCE, distance, grouped, lookAt } from "./groups.js";
import { edgesIn, largestPart, lines, sizes } from "./periods.js";

const MOST_CELLS = 250; // to look at while grids are compared
const LEAST_KINDS = 4; // walls, floor, a box or goal, the man
const LEAST_REPEATED = 2; // cells of a kind, on the average: a board repeats itself
const NEAR = 1.15; // kinds of cells that are as good as the fewest
const ALMOST = 0.85; // of a size: such sizes are the same, one of them more exact
const COVERED = 0.5; // of the largest board that was found: a smaller one is a part of it
const CLOSE = TOLERANCE / 2; // how far apart the ground around a board and its floor may be
const MOST_SIDE = 100; // columns or rows
const KNOWN = 0.5; // of a line's cells must be of kinds that come again, or the line is not of the board
const PLAIN = 6; // of 255: windows of a cell that differ by less are plain

/**
 * The grid of the board in *pixels*: {left, top, size, columns, rows}, in pixels of the picture, or null where none is
 * found. Time O(pixels + edges × sizes): 1.8 CPU s for a screenshot of 1840 × 1050 pixels on a busy machine of two cores.
 */
export function findGrid(pixels) {
  const edges = edgesIn(pixels);
  const tried = sizes(pixels, edges)
    .map((size) => lines(pixels, edges, size))
    .map((found) => bestOf(pixels, found))
    .filter(Boolean);
  if (!tried.length) return null;
  const most = Math.max(...tried.map(({ grid }) => areaOf(grid)));
  const large = tried.filter(({ grid }) => areaOf(grid) > COVERED * most);
  const fewest = Math.min(...large.map(({ kinds }) => kinds));
  const good = large.filter(({ kinds }) => kinds <= NEAR * fewest);
  const largest = Math.max(...good.map(({ grid }) => grid.size));
  const nearly = good.filter(({ grid }) => grid.size > ALMOST * largest);
  const { grid } = nearly.reduce((best, one) => (one.weight > best.weight ? one : best));
  return boardOf(pixels, grid);
}

function areaOf({ size, columns, rows }) {
  return size * size * columns * rows;
}

/** Of the places that lines may have, those with the fewest kinds of cells: {grid, kinds}; among equals the strongest lines. */
function bestOf(pixels, { size, area, across, down }) {
  const tried = [];
  for (const column of across) {
    for (const row of down) {
      const grid = within({ left: column.at, top: row.at, size }, area, pixels);
      if (grid.columns < 3 || grid.rows < 3) continue;
      const looks = sample(pixels, grid);
      const kinds = grouped(looks).groups.length;
      if (kinds >= LEAST_KINDS && looks.length >= LEAST_REPEATED * kinds) tried.push({ grid, kinds, weight: column.weight + row.weight });
    }
  }
  const fewest = Math.min(...tried.map(({ kinds }) => kinds));
  const good = tried.filter(({ kinds }) => kinds <= NEAR * fewest);
  return good.length ? good.reduce((best, one) => (one.weight > best.weight ? one : best)) : null;
}

/** The cells of the grid that lie in *area* and in the picture, more than half of each. */
function within({ left, top, size }, area, { width, height }) {
  const lineAt = (from, place) => Math.round((place - from) / size);
  const column = Math.max(lineAt(left, area.left), lineAt(left, 0));
  const row = Math.max(lineAt(top, area.top), lineAt(top, 0));
  return {
    left: left + column * size,
    top: top + row * size,
    size,
    columns: Math.min(lineAt(left, area.right), lineAt(left, width)) - column,
    rows: Math.min(lineAt(top, area.bottom), lineAt(top, height)) - row,
  };
}

function sample(pixels, grid) {
  const cells = grid.columns * grid.rows;
  const every = Math.max(1, Math.ceil(cells / MOST_CELLS) | 1);
  const looks = [];
  for (let cell = 0; cell < cells; cell += every) {
    looks.push(lookAt(pixels, grid, cell % grid.columns, Math.floor(cell / grid.columns)));
  }
  return looks;
}

/** The looks of all cells, row by row. */
export function looksOf(pixels, grid) {
  return Array.from({ length: grid.columns * grid.rows }, (_, cell) =>
    lookAt(pixels, grid, cell % grid.columns, Math.floor(cell / grid.columns)),
  );
}

/**
 * The board on a grid of which *part* repeats itself: it goes on as far as there are cells like those in that part, and
 * hangs together.
 */
function boardOf(pixels, part) {
  const { groups } = grouped(looksOf(pixels, part), CLOSE);
  const whole = spread(pixels, part);
  const looks = looksOf(pixels, whole);
  const of = looks.map((look) => groups.findIndex((group) => distance(group.look, look, CLOSE) < CLOSE));
  const [right, bottom] = [whole.left + whole.columns * whole.size, whole.top + whole.rows * whole.size];
  const isTight = [whole.left, whole.top, pixels.width - right, pixels.height - bottom].every((rest) => Math.abs(rest) <= 1.5);
  const ground = isTight ? -1 : groundOf(pixels, groups);
  const isIn = (cell) => of[cell] !== -1 && of[cell] !== ground;
  const isKnown = (cell) => isIn(cell) && groups[of[cell]].cells.length > 1;
  const isOther = (cell) => (of[cell] === -1 ? !isPlain(looks[cell]) : isIn(cell) && !isKnown(cell));
  const found = largestPart(whole.columns, whole.rows, isIn, (cell) => Number(isKnown(cell)));
  if (!found) return null;
  const { from, to } = trimmed(found, whole, { isKnown, isOther });
  return {
    left: whole.left + from.column * whole.size,
    top: whole.top + from.row * whole.size,
    size: whole.size,
    columns: Math.min(to.column - from.column + 1, MOST_SIDE),
    rows: Math.min(to.row - from.row + 1, MOST_SIDE),
  };
}

/** The grid over the whole picture: all cells of which more than three quarters lie in it. */
function spread({ width, height }, { left, top, size }) {
  const before = (place) => Math.floor(place / size + 0.25);
  const columns = before(left) + Math.floor((width - left) / size + 0.25);
  const rows = before(top) + Math.floor((height - top) / size + 0.25);
  return { left: left - before(left) * size, top: top - before(top) * size, size, columns, rows };
}

/** The plain group that has the colour of most of the picture's edge, or -1. */
function groundOf(pixels, groups) {
  const { width, height } = pixels;
  const edge = [];
  for (let column = 0; column < width; column++) edge.push([column, 0], [column, height - 1]);
  for (let row = 0; row < height; row++) edge.push([0, row], [width - 1, row]);
  const colours = edge.map(([column, row]) => [0, 1, 2].map((channel) => pixels.mean(channel, column, row, column + 1, row + 1)));
  return groups.findIndex(({ look }) => {
    if (!isPlain(look)) return false;
    const mean = look.slice(-3);
    const alike = colours.filter((colour) => colour.every((value, channel) => Math.abs(value - mean[channel]) <= CLOSE));
    return alike.length > colours.length / 2;
  });
}

function isPlain(look) {
  const mean = look.slice(-3);
  const flat = Float32Array.from(look, (_, index) => mean[index % 3]);
  return distance(look, flat) < PLAIN;
}

/** The part without lines at its edge of which hardly a cell is of a kind that comes again. */
function trimmed({ from, to }, { columns }, { isKnown, isOther }) {
  const edges = { from: { ...from }, to: { ...to } };
  const isForeign = (isColumn, line) => {
    const [start, end] = isColumn ? [edges.from.row, edges.to.row] : [edges.from.column, edges.to.column];
    let known = 0;
    let other = 0;
    for (let place = start; place <= end; place++) {
      const cell = isColumn ? place * columns + line : line * columns + place;
      known += isKnown(cell) ? 1 : 0;
      other += isOther(cell) ? 1 : 0;
    }
    return known < KNOWN * (known + other);
  };
  for (const [axis, isColumn] of [["column", true], ["row", false]]) {
    while (edges.from[axis] < edges.to[axis] && isForeign(isColumn, edges.from[axis])) edges.from[axis]++;
    while (edges.to[axis] > edges.from[axis] && isForeign(isColumn, edges.to[axis])) edges.to[axis]--;
  }
  return edges;
}
