// Rebuild a level from a solution: the smallest level on which its moves are legal. The twin of
// solvers/sokoban/making/rebuild.py; both are tested with the same cases.
//
// A small letter says that the square ahead is empty, a capital that a box stands there.

import { PuzzleError } from "../../player/rules/errors.js";
import { BOX, FLOOR, GOAL, PLAYER, WALL } from "../../player/rules/letters.js";
import { Level } from "../../player/rules/level.js";
import { Moves } from "../../player/rules/moves.js";

const MAX_SIDE = 200;
const STRIDE = 8_000_000; // a plane so wide that no text leaves it; the player starts at 0
const DELTAS = { l: -1, u: -STRIDE, r: 1, d: STRIDE };

/**
 * The smallest level on which *lurd* is legal and at whose end every box stands on a goal.
 *
 * Throw no_push, walks_into_box, pushes_nothing or pushes_two_boxes at the first step that cannot be true on any level,
 * too_large, or whatever `Moves.parse` throws. Time O(steps + cells).
 */
export function rebuilt(lurd) {
  const moves = Moves.parse(lurd);
  if (!/[LURD]/.test(moves.steps)) throw new PuzzleError("no_push");
  const floor = new Set([0]);
  const boxes = new Set();
  const standing = new Set();
  const wrong = (code, at) => new PuzzleError(code, { index: moves.indexOf(at), step: at + 1, letter: moves.steps[at] });
  let man = 0;
  for (let at = 0; at < moves.steps.length; at++) {
    const letter = moves.steps[at];
    const small = letter.toLowerCase();
    const target = man + DELTAS[small];
    const beyond = target + DELTAS[small];
    if (letter === small) {
      if (standing.has(target)) throw wrong("walks_into_box", at);
    } else {
      if (!standing.has(target)) {
        if (floor.has(target)) throw wrong("pushes_nothing", at);
        boxes.add(target);
      }
      if (standing.has(beyond)) throw wrong("pushes_two_boxes", at);
      standing.delete(target);
      standing.add(beyond);
      floor.add(beyond);
    }
    floor.add(target);
    man = target;
  }
  return enclosed(floor, boxes, standing);
}

/** Put walls around the floor, corners too, and make the whole a level. */
function enclosed(floor, boxes, goals) {
  const rowOf = (square) => Math.round(square / STRIDE);
  const columnOf = (square) => square - rowOf(square) * STRIDE;
  let [top, bottom, left, right] = [0, 0, 0, 0];
  for (const square of floor) {
    const [row, column] = [rowOf(square), columnOf(square)];
    [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
    [left, right] = [Math.min(left, column), Math.max(right, column)];
  }
  const width = right - left + 3;
  const height = bottom - top + 3;
  if (Math.max(width, height) > MAX_SIDE) throw new PuzzleError("too_large", { width, height, limit: MAX_SIDE });
  const rows = Array.from({ length: height }, () => Array(width).fill(FLOOR));
  const places = [...floor].map((square) => [rowOf(square) - top + 1, columnOf(square) - left + 1, square]);
  for (const [row, column] of places) {
    for (let beside = row - 1; beside <= row + 1; beside++) rows[beside].fill(WALL, column - 1, column + 2);
  }
  for (const [row, column, square] of places) {
    rows[row][column] =
      (boxes.has(square) ? BOX : 0) | (goals.has(square) ? GOAL : 0) | (square === 0 ? PLAYER : 0) || FLOOR;
  }
  return Level.fromRows(rows);
}
