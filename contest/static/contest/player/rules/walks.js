// The same pushes with shorter walks between them.

import { Arena, PUSH, toLetters, toSteps } from "./game.js";
import { walkBetween } from "./paths.js";

/**
 * The solution *lurd* of *level* (capitals exactly at the pushes) with every walk between two pushes made as short as
 * it can be; "" where all are. Pushes and their order stay. Time O(pushes × squares) at worst: walks that cannot be
 * shorter, because they go straight there, are not sought.
 */
export function shorterWalks(level, lurd) {
  const { start } = Arena.of(level);
  const steps = toSteps(lurd);
  const { deltas, stride } = start.arena;
  const squares = start.squares.slice();
  const parts = [];
  let { man } = start;
  let from = 0;
  let saved = 0;
  for (let at = 0; at < steps.length; at++) {
    if (!(steps[at] & PUSH)) continue;
    const walked = steps.subarray(from, at);
    const before = man;
    for (const step of walked) man += deltas[step];
    const way = walked.length > distance(before, man, stride) ? walkBetween(squares, deltas, before, man) : null;
    const isShorter = way !== null && way.length < walked.length;
    parts.push(isShorter ? way : toLetters(walked), toLetters(steps.subarray(at, at + 1)));
    if (isShorter) saved += walked.length - way.length;
    const delta = deltas[steps[at] & 3];
    squares[man + 2 * delta] = squares[man + delta];
    squares[man + delta] = 0;
    man += delta;
    from = at + 1;
  }
  parts.push(toLetters(steps.subarray(from)));
  return saved ? parts.join("") : "";
}

/** Steps between two squares where nothing is in the way. */
function distance(one, other, stride) {
  const [row, otherRow] = [Math.floor(one / stride), Math.floor(other / stride)];
  return Math.abs(row - otherRow) + Math.abs((one % stride) - (other % stride));
}
