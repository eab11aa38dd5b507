// After how many pixels a picture repeats itself, and where the lines between its cells may lie. Knows no page.
//
// An edge between two pixels that comes back, as strong and in the same direction, so many pixels further in the same row
// or column speaks for cells of that size; text and frames around a board do not repeat themselves. Of the edges that come
// back, most lie on the lines of the grid. Time O(edges × sizes), of which there are at most MOST_EDGES × MOST.

export const LEAST = 6; // pixels a cell
export const MOST = 256;
const FEWEST_CELLS = 3; // along each side
const EDGE = 16; // of 255: a step in brightness that is more than noise
const STRONGEST = 64; // above which an edge counts no more
const MOST_EDGES = 150_000;
const MOST_SIZES = 4;
const AROUND = 5; // pixels, among which a size must stand out
const SLACK = 0.7; // pixels by which a size may be off before it is made exact
const MOST_LINES = 4; // places of the grid to try on each axis
const WEAK = 0.2; // of the strongest line: a weaker one is no line of a grid
const CLEARLY = 1.15; // better than whole pixels parts of a pixel must fit
const REPEATED = 0.6; // of the edges in a square must come back, or it is no part of a board

/** Where a picture changes, on each axis: what the others ask for. */
export function edgesIn(pixels) {
  return { across: edgesOf(pixels, 1), down: edgesOf(pixels, pixels.width) };
}

/** Sizes of cells in whole pixels that the picture speaks for, best first. */
export function sizes(pixels, edges) {
  const most = Math.min(MOST, Math.floor(Math.min(pixels.width, pixels.height) / FEWEST_CELLS));
  if (most < LEAST) return [];
  const across = repeats(pixels, edges.across, most, 1);
  const down = repeats(pixels, edges.down, most, pixels.width);
  const score = (size) => (across[size] ?? 0) + (down[size] ?? 0);
  const found = [];
  for (let size = LEAST; size <= most; size++) {
    const near = Array.from({ length: 2 * AROUND + 1 }, (_, step) => score(size - AROUND + step));
    const stands = score(size) - near.reduce((sum, one) => sum + one) / near.length;
    if (stands > 0 && score(size) >= Math.max(score(size - 1), score(size + 1))) found.push({ size, stands });
  }
  found.sort((one, other) => other.stands - one.stands);
  const best = found.slice(0, MOST_SIZES).map(({ size }) => size);
  // Where walls are plain, cells of one size may show themselves by twice or three times that size alone.
  const parts = best.slice(0, 2).flatMap((size) => [size / 2, size / 3]).map(Math.round);
  // And a picture that was cut at the board is a whole number of cells wide and high.
  const isWhole = (size) => pixels.width % size === 0 && pixels.height % size === 0;
  const whole = Array.from({ length: most + 1 }, (_, size) => size).filter(isWhole).slice(-MOST_SIZES);
  return [...new Set([...ofLines(pixels, edges, most), ...best, ...parts, ...whole])].filter((size) => size >= LEAST);
}

/** The sizes at which the most of all edges lies on lines so far apart, beyond what would lie there by chance. */
function ofLines(pixels, edges, most) {
  const { width, height, light } = pixels;
  const across = new Float64Array(width);
  const down = new Float64Array(height);
  for (const pixel of edges.across) across[pixel % width] += strengthOf(light, pixel, 1);
  for (const pixel of edges.down) down[Math.floor(pixel / width)] += strengthOf(light, pixel, width);
  const axes = [across, down].map((profile) => ({ profile, from: 1, to: profile.length }));
  const onLines = (size) =>
    axes.reduce((sum, axis) => {
      const all = axis.profile.reduce((whole, one) => whole + one) || 1;
      const means = folded(axis, size);
      const best = means.indexOf(Math.max(...means));
      const share = [-1, 0, 1].reduce((near, off) => near + (means[(best + off + size) % size] ?? 0), 0);
      return sum + (share * axis.profile.length) / size / all - 3 / size;
    }, 0);
  const found = [];
  for (let size = LEAST; size <= most; size++) found.push({ size, share: onLines(size) });
  return found.sort((one, other) => other.share - one.share).slice(0, MOST_LINES).map(({ size }) => size);
}

function strengthOf(light, pixel, step) {
  return Math.min(Math.abs(light[pixel] - light[pixel - step]), STRONGEST);
}

/** The pixels that differ from the one before them on an axis, which is *step* pixels away. */
function edgesOf({ width, light }, step) {
  const found = [];
  for (let pixel = width; pixel < light.length; pixel++) {
    if (pixel % width && Math.abs(light[pixel] - light[pixel - step]) >= EDGE) found.push(pixel);
  }
  return found;
}

/** For each lag how many of the edges along one axis come back, 0 to 1; *step* is the axis as a distance of pixels. */
function repeats({ width, height, light }, edges, most, step) {
  const isAcross = step === 1;
  const length = isAcross ? width : height;
  const every = Math.max(1, Math.ceil(edges.length / MOST_EDGES));
  const shares = new Float64Array(most + AROUND + 1);
  for (let lag = LEAST - 1; lag < shares.length; lag++) {
    let back = 0;
    let all = 1;
    for (let index = 0; index < edges.length; index += every) {
      const pixel = edges[index];
      const place = isAcross ? pixel % width : Math.floor(pixel / width);
      if (place + lag >= length) continue;
      all++;
      if (isAlike(light, pixel, pixel + lag * step, step)) back++;
    }
    shares[lag] = back / all;
  }
  return shares;
}

function isAlike(light, pixel, other, step) {
  const here = light[pixel] - light[pixel - step];
  const there = light[other] - light[other - step];
  return Math.abs(here - there) <= 12 + 0.3 * Math.abs(here);
}

/**
 * Where cells of about *size* pixels may lie: {size, area, across, down}: the size now exact to parts of a pixel, the
 * part of the picture {left, top, right, bottom} that repeats itself, and on each axis some places of a line,
 * {at, weight}, best first. Where no part does, the part is the whole.
 */
export function lines(pixels, edges, size) {
  const back = {
    across: comingBack(pixels, edges.across, size, 1),
    down: comingBack(pixels, edges.down, size, pixels.width),
  };
  const area = largestArea(pixels, edges, size, back) ?? { left: 0, top: 0, right: pixels.width, bottom: pixels.height };
  const axes = [
    { profile: profileOf(back.across, edges.across, pixels, area, true), from: area.left, to: area.right, most: pixels.width },
    { profile: profileOf(back.down, edges.down, pixels, area, false), from: area.top, to: area.bottom, most: pixels.height },
  ];
  const count = Math.max(...axes.map(({ from, to }) => (to - from) / size));
  const grain = Math.min(0.1, 0.5 / count);
  const comb = (tried) => axes.reduce((sum, axis) => sum + Math.max(...folded(axis, tried)), 0);
  let best = { size, weight: comb(size) };
  for (let tried = size - SLACK; tried <= size + SLACK; tried += grain) {
    const weight = comb(tried);
    if (weight > (best.size === size ? CLEARLY : 1) * best.weight) best = { size: tried, weight };
  }
  const [across, down] = axes.map((axis) => places(axis, best.size));
  return { size: best.size, area, across, down };
}

/** For each of *edges* how strong it is if it comes back *size* pixels to any side, else 0. */
function comingBack({ width, height, light }, edges, size, step) {
  return Uint8Array.from(edges, (pixel) => {
    const column = pixel % width;
    const row = Math.floor(pixel / width);
    const comesBack =
      (column + size < width && isAround(light, width, pixel, pixel + size, step)) ||
      (column > size && isAround(light, width, pixel, pixel - size, step)) ||
      (row + size < height && isAround(light, width, pixel, pixel + size * width, step)) ||
      (row > size && isAround(light, width, pixel, pixel - size * width, step));
    return comesBack ? strengthOf(light, pixel, step) : 0;
  });
}

/** Whether an edge comes back with what is around it. */
function isAround(light, width, pixel, other, step) {
  if (!isAlike(light, pixel, other, step)) return false;
  const isNear = (away) => !(Math.abs(light[pixel + away] - light[other + away]) > 2 * EDGE); // so is what is beyond the picture
  return isNear(-3) && isNear(2) && isNear(-3 * width) && isNear(2 * width);
}

/** The corners of the part of the picture, in squares of *size* that hang together, where most edges come back. */
function largestArea({ width, height, light }, edges, size, comingBack) {
  const columns = Math.ceil(width / size);
  const rows = Math.ceil(height / size);
  const all = new Float64Array(columns * rows);
  const back = new Float64Array(columns * rows);
  for (const [axis, step] of [["across", 1], ["down", width]]) {
    edges[axis].forEach((pixel, index) => {
      const square = Math.floor(pixel / width / size) * columns + Math.floor((pixel % width) / size);
      all[square] += strengthOf(light, pixel, step);
      back[square] += comingBack[axis][index];
    });
  }
  const belongs = (square) => back[square] > STRONGEST && back[square] >= REPEATED * all[square];
  const best = largestPart(columns, rows, belongs, (square) => back[square]);
  if (!best) return null;
  const { from, to } = best;
  const area = { left: from.column * size, top: from.row * size };
  area.right = Math.min((to.column + 1) * size, width);
  area.bottom = Math.min((to.row + 1) * size, height);
  return Math.min(area.right - area.left, area.bottom - area.top) < FEWEST_CELLS * size ? null : area;
}

/**
 * Of the squares of a board for which *belongs*, the part that hangs together, also over corners, and weighs most:
 * {weight, from, to} with its first and last {column, row}, or null.
 */
export function largestPart(columns, rows, belongs, weigh) {
  const seen = new Uint8Array(columns * rows);
  let best = null;
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] || !belongs(start)) continue;
    seen[start] = 1;
    const part = { weight: 0, from: { column: columns, row: rows }, to: { column: 0, row: 0 } };
    const waiting = [start];
    while (waiting.length) {
      const cell = waiting.pop();
      const column = cell % columns;
      const row = Math.floor(cell / columns);
      part.weight += weigh(cell);
      part.from = { column: Math.min(part.from.column, column), row: Math.min(part.from.row, row) };
      part.to = { column: Math.max(part.to.column, column), row: Math.max(part.to.row, row) };
      for (let below = Math.max(row - 1, 0); below <= Math.min(row + 1, rows - 1); below++) {
        for (let beside = Math.max(column - 1, 0); beside <= Math.min(column + 1, columns - 1); beside++) {
          const next = below * columns + beside;
          if (seen[next] || !belongs(next)) continue;
          seen[next] = 1;
          waiting.push(next);
        }
      }
    }
    if (!best || part.weight > best.weight) best = part;
  }
  return best;
}

function profileOf(strengths, edges, { width, height }, { left, top, right, bottom }, isAcross) {
  const profile = new Float64Array(isAcross ? width : height);
  edges.forEach((pixel, index) => {
    const column = pixel % width;
    const row = Math.floor(pixel / width);
    if (row >= top && row < bottom && column >= left && column < right) profile[isAcross ? column : row] += strengths[index];
  });
  return profile;
}

/** The mean weight of lines *size* apart, for each place of the first, from 0. */
function folded({ profile, from, to }, size) {
  const means = [];
  for (let at = 0; at < size; at++) {
    let sum = 0;
    let count = 0;
    for (let line = Math.ceil((from - 1 - at) / size); at + line * size <= to + 1; line++) {
      sum += profile[Math.round(at + line * size)] ?? 0;
      count++;
    }
    means.push(sum / Math.max(count, 1));
  }
  return means;
}

/** Where lines may lie: the peaks; and the picture's own edge, where its side is a whole number of cells. */
function places(axis, size) {
  const means = folded(axis, size);
  const at = (place) => means[(place + means.length) % means.length];
  const found = means
    .map((weight, place) => ({ at: place, weight }))
    .filter(({ at: place, weight }) => weight >= at(place - 1) && weight > at(place + 1))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MOST_LINES)
    .filter(({ weight }, _, [best]) => weight > WEAK * best.weight);
  const isWhole = Math.abs(axis.most - Math.round(axis.most / size) * size) <= 1;
  if (!isWhole || !found.length) return found;
  const edge = { at: 0, weight: found[0].weight }; // nothing stands before it to differ from
  return [edge, ...found.filter(({ at: place }) => place)];
}
