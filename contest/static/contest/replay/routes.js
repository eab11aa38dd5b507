// Which box went where in a replay.

/**
 * For each box of the level, in reading order of where it starts: the *cells* it stood on, one more than it was pushed,
 * and its *legs*, runs of pushes in one direction: {direction, count}. Time O(moves).
 */
export function routes({ level, keyframes, steps, pushes, pushed }) {
  const { deltas, stride } = keyframes[0].arena;
  const found = level.boxes.map((cell) => ({ cells: [cell], legs: [] }));
  const columns = deltas.map((delta) => (Math.abs(delta) === stride ? Math.sign(delta) * level.width : delta));
  pushes.forEach((moment, push) => {
    const { cells, legs } = found[pushed[push]];
    const direction = steps[moment - 1] & 3;
    cells.push(cells.at(-1) + columns[direction]);
    if (legs.at(-1)?.direction === direction) legs.at(-1).count++;
    else legs.push({ direction, count: 1 });
  });
  return found;
}

/** *cells* as lines to be drawn, in which nothing between two cells is drawn twice: a box may go to and fro for ever. */
export function lines(cells) {
  const drawn = new Set();
  const found = [];
  let line = [];
  for (let place = 1; place < cells.length; place++) {
    const [from, to] = [cells[place - 1], cells[place]];
    const edge = Math.min(from, to) * 2 + (Math.abs(from - to) === 1 ? 0 : 1);
    if (drawn.has(edge)) {
      line = [];
      continue;
    }
    drawn.add(edge);
    if (!line.length) found.push((line = [from]));
    line.push(to);
  }
  return found;
}

const ARROWS = "←↑→↓";

/** Legs as people read them in every language: "→3 ↓1"; of more than *most* the rest as "…". */
export function written(legs, most = Infinity) {
  const shown = legs.slice(0, most).map(({ direction, count }) => ARROWS[direction] + count);
  return [...shown, ...(legs.length > most ? ["…"] : [])].join(" ");
}
