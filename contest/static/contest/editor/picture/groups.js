// Which cells of a picture look alike. Knows no page.
//
// A cell is looked at through PARTS times PARTS windows without its margin, where walls and floors run into each other and
// where a grid that is a little off shows its neighbours. Two looks are as far apart as their most different windows: a
// small mark on a goal is much, noise everywhere is little. Time O(cells × groups), memory O(cells).

const PARTS = 8;
const MARGIN = 1 / 8; // of a cell, on each side
const TELLING = 8; // windows that say how far two looks are apart

/** How far apart two looks may be, as brightness of 255, in one group, unless told otherwise. */
export const TOLERANCE = 30;

/** The look of the cell of *grid* in *column*, *row*: red, green and blue of its windows, then their means. */
export function lookAt(pixels, { left, top, size }, column, row) {
  const places = (from, most) => {
    const start = from + MARGIN * size;
    const step = ((1 - 2 * MARGIN) * size) / PARTS;
    return Array.from({ length: PARTS }, (_, part) => {
      const first = Math.min(Math.max(Math.round(start + part * step), 0), most - 1);
      return [first, Math.min(Math.max(Math.round(start + (part + 1) * step), first + 1), most)];
    });
  };
  const across = places(left + column * size, pixels.width);
  const down = places(top + row * size, pixels.height);
  const look = new Float32Array(3 * (PARTS * PARTS + 1));
  let window = 0;
  for (const [above, below] of down) {
    for (const [before, behind] of across) {
      for (let channel = 0; channel < 3; channel++) {
        const mean = pixels.mean(channel, before, above, behind, below);
        look[3 * window + channel] = mean;
        look[3 * PARTS * PARTS + channel] += mean / (PARTS * PARTS);
      }
      window++;
    }
  }
  return look;
}

/** How far apart two looks are; *most* where it is more than that. */
export function distance(one, other, most = Infinity) {
  for (let mean = 3 * PARTS * PARTS; mean < one.length; mean++) {
    if (Math.abs(one[mean] - other[mean]) > most) return most;
  }
  const worst = new Float32Array(TELLING);
  for (let window = 0; window < PARTS * PARTS; window++) {
    let off = 0;
    for (let channel = 0; channel < 3; channel++) {
      off = Math.max(off, Math.abs(one[3 * window + channel] - other[3 * window + channel]));
    }
    if (off <= worst[0]) continue;
    let place = 0;
    for (; place + 1 < TELLING && worst[place + 1] < off; place++) worst[place] = worst[place + 1];
    worst[place] = off;
  }
  return Math.min(Math.sqrt(worst.reduce((sum, off) => sum + off * off, 0) / TELLING), most);
}

/**
 * Put looks into groups: {groups, of}; of each group its mean *look* and its *cells*, the largest group first, and the
 * number of each cell's group.
 */
export function grouped(looks, tolerance = TOLERANCE) {
  let groups = [];
  looks.forEach((look, cell) => {
    const [nearest, off] = nearestOf(groups, look, tolerance);
    if (nearest && off < tolerance) join(nearest, look, [cell], 1);
    else groups.push({ look: Float32Array.from(look), cells: [cell] });
  });
  groups = merged(groups, tolerance);
  for (const group of groups) group.cells = [];
  looks.forEach((look, cell) => nearestOf(groups, look)[0].cells.push(cell));
  groups = groups.filter(({ cells }) => cells.length).sort((one, other) => other.cells.length - one.cells.length);
  const of = new Uint16Array(looks.length);
  groups.forEach(({ cells }, number) => {
    for (const cell of cells) of[cell] = number;
  });
  return { groups, of };
}

function nearestOf(groups, look, most = Infinity) {
  let found = null;
  for (const group of groups) {
    const off = distance(group.look, look, most);
    if (off < most || (!found && most === Infinity)) {
      found = group;
      most = off;
    }
  }
  return [found, most];
}

/** The first cell of a group may have been an odd one: means that came near each other are one group. */
function merged(groups, tolerance) {
  const kept = [];
  for (const group of groups.sort((one, other) => other.cells.length - one.cells.length)) {
    const [nearest, off] = nearestOf(kept, group.look, tolerance);
    if (nearest && off < 0.8 * tolerance) join(nearest, group.look, group.cells, group.cells.length);
    else kept.push(group);
  }
  return kept;
}

function join(group, look, cells, weight) {
  const all = group.cells.length + weight;
  for (let index = 0; index < look.length; index++) group.look[index] += ((look[index] - group.look[index]) * weight) / all;
  group.cells.push(...cells);
}
