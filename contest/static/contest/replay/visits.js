// How often the player stood on each square of a replay.

/** For each cell of the level how often the player came to it; the start counts once. Time O(moves). */
export function visits({ level, keyframes, steps }) {
  const { arena, man } = keyframes[0];
  const bySquare = new Uint32Array(arena.goals.length);
  let square = man;
  bySquare[square] = 1;
  for (let at = 0; at < steps.length; at++) {
    square += arena.deltas[steps[at] & 3];
    bySquare[square]++;
  }
  return Uint32Array.from(level.cells, (_, cell) => bySquare[arena.square(cell)]);
}

/** The *most* cells with the highest of *counts*, highest first, in reading order where they are equal. */
export function mostVisited(counts, most) {
  const cells = [...counts.keys()].filter((cell) => counts[cell]);
  return cells.sort((a, b) => counts[b] - counts[a] || a - b).slice(0, most);
}
