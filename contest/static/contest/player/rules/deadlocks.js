// Positions that cannot be solved any more, found without a search. A hint: most deadlocks are not found here.
// The twin of dead_squares and frozen_boxes in solvers/sokoban/checks/deadlocks.py.

import { WALL } from "./letters.js";

/** The cells in the player's reach from which a box, even alone, can be pushed to no goal. Time O(cells). */
export function deadSquares(level) {
  const { reach } = level;
  const alive = new Set(level.goals.filter((goal) => reach.has(goal)));
  for (const cell of alive) {
    for (const [from, stands] of pulls(level, cell)) {
      if (reach.has(from) && reach.has(stands)) alive.add(from); // and the loop will come to it
    }
  }
  return new Set([...reach].filter((cell) => !alive.has(cell)));
}

/**
 * The boxes that cannot be pushed again without losing the level: those whose axes are both blocked, by a wall or
 * another such box on either side, or by dead squares on both. All are taken for frozen first, and those with a free
 * axis leave one by one. Time O(boxes).
 */
export function frozenBoxes(level, boxes, dead = deadSquares(level)) {
  const frozen = new Set(boxes);
  const isOpen = (cell) => level.reach.has(cell) && !frozen.has(cell);
  const isFree = ([one, other]) => isOpen(one) && isOpen(other) && !(dead.has(one) && dead.has(other));
  const waiting = [...boxes];
  while (waiting.length) {
    const box = waiting.pop();
    if (!frozen.has(box) || !axes(level, box).some(isFree)) continue;
    frozen.delete(box);
    waiting.push(...level.neighbours(box));
  }
  return frozen;
}

/** The cells of *boxes* that show that the position is lost. */
export function lostBoxes(level, boxes, dead = deadSquares(level)) {
  const frozen = frozenBoxes(level, boxes, dead);
  const goals = new Set(level.goals);
  return boxes.filter((box) => dead.has(box) || (frozen.has(box) && !goals.has(box)));
}

/** From where a box can be pushed to *cell*, and where the player stands then: two cells in a row. */
function pulls(level, cell) {
  const { width, height } = level;
  const column = cell % width;
  const row = Math.floor(cell / width);
  const found = [];
  if (column >= 2) found.push([cell - 1, cell - 2]);
  if (column < width - 2) found.push([cell + 1, cell + 2]);
  if (row >= 2) found.push([cell - width, cell - 2 * width]);
  if (row < height - 2) found.push([cell + width, cell + 2 * width]);
  return found.filter((cells) => cells.every((each) => !(level.cells[each] & WALL)));
}

/** The two cells beside *cell*, and those above and below it, where both are on the board. */
function axes(level, cell) {
  const { width, height } = level;
  const column = cell % width;
  const row = Math.floor(cell / width);
  const found = [];
  if (column > 0 && column < width - 1) found.push([cell - 1, cell + 1]);
  if (row > 0 && row < height - 1) found.push([cell - width, cell + width]);
  return found;
}
