// What can be counted on a solution besides moves and pushes. The twin of solvers/sokoban/metrics.py.

// Rows far enough apart that no walk on a board is long enough to mix them up.
const ROW = 2 ** 20;
const DELTAS = { l: -1, u: -ROW, r: 1, d: ROW };

/**
 * Count on *lurd*, the `lurd` of a replay with capitals exactly at the pushes: moves, pushes, *box_lines* (runs of one
 * capital), *box_changes* (pushes of another box than the push before), *push_runs* (runs of capitals) and
 * *player_lines* (runs of one direction).
 */
export function measure(lurd) {
  return {
    moves: lurd.length,
    pushes: count(/[LURD]/g, lurd),
    box_lines: count(/([LURD])\1*/g, lurd),
    box_changes: boxChanges(lurd),
    push_runs: count(/[LURD]+/g, lurd),
    player_lines: count(/([lurd])\1*/g, lurd.toLowerCase()),
  };
}

function count(pattern, text) {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found++;
  return found;
}

/** The level is not needed, only where the last box was left. */
function boxChanges(lurd) {
  let changes = 0;
  let player = 0;
  let leftAt = null;
  for (const letter of lurd) {
    const delta = DELTAS[letter.toLowerCase()];
    player += delta;
    if (letter > "Z") continue; // small letters come behind the capitals
    if (player !== leftAt) changes++;
    leftAt = player + delta;
  }
  return changes;
}
