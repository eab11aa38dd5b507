// Shortest knight's paths by arithmetic. The twin of solvers/knights: both are tested with the same cases, and why the
// rules hold stands there.
//
// A board is {rows, columns}, a square [row, column], from 0.

import { PuzzleError } from "../player/rules/errors.js";

const LIMIT = 1e15; // numbers so large are still exact
const FAR = 5;
const LEAPS = [[2, 1], [2, -1], [-2, 1], [-2, -1], [1, 2], [1, -2], [-1, 2], [-1, -2]];

/** The moves of the cases that do not count the distance. The names of all cases are those of `Case` in Python. */
const FIXED = { same: 0, beside: 3, two_diagonal: 4, corner: 4, corners: 5, middle_row: 4, inner_pair: 5 };

/** Check a board. Throw a PuzzleError: not_whole, no_squares or board_too_large. */
export function boardOf(rows, columns) {
  for (const [name, value] of Object.entries({ rows, columns })) {
    if (!Number.isInteger(value)) throw new PuzzleError("not_whole", { name, shown: String(value) });
  }
  if (Math.min(rows, columns) < 1) throw new PuzzleError("no_squares", { rows, columns });
  if (Math.max(rows, columns) > LIMIT) throw new PuzzleError("board_too_large", { rows, columns, limit: LIMIT });
  return { rows, columns };
}

/** Whether a square is on the board. */
export function isOn(board, [row, column]) {
  return row >= 0 && row < board.rows && column >= 0 && column < board.columns;
}

/** The number of moves of a shortest path, null where there is none. Time O(1). */
export function distance(board, start, target) {
  const which = caseOf(board, start, target);
  if (which in FIXED) return FIXED[which];
  if (which === "unreachable") return null;
  const [x, y] = apart(start, target);
  return which === "two_rows" ? x / 2 : lowerBound(x, y);
}

/** The least number of moves that is at least ⌈(x + y) / 3⌉ and ⌈x / 2⌉, and even just where x + y is; x ≥ y ≥ 0. */
export function lowerBound(x, y) {
  const least = Math.max(Math.ceil((x + y) / 3), Math.ceil(x / 2));
  return least + ((least + x + y) % 2);
}

/** Which rule gives the number of moves. Throw off_board for a square that the board does not have. */
export function caseOf(board, start, target) {
  for (const square of [start, target]) {
    if (!isOn(board, square)) throw new PuzzleError("off_board", { at_row: square[0], at_column: square[1], ...board });
  }
  const [x, y] = apart(start, target);
  if (x === 0) return "same";
  const least = Math.min(board.rows, board.columns);
  if (least < 3) return caseOfTwo(board, start, target);
  if (least === 3) {
    const found = caseOfThree(board, start, target);
    if (found) return found;
  }
  if (x === 1 && y === 1 && (isCorner(board, start) || isCorner(board, target))) return "corner";
  if (x === 3 && y === 0 && isCorner(board, start) && isCorner(board, target)) return "corners";
  if (x === 1 && y === 0) return "beside";
  if (x === 2 && y === 2) return "two_diagonal";
  return x > 2 * y ? "straight" : "slanted";
}

/** Yield the squares of a shortest path, both ends included; null where there is none. Constant memory. */
export function path(board, start, target) {
  return distance(board, start, target) === null ? null : walk(board, start, target);
}

function* walk(board, [row, column], target) {
  yield [row, column];
  for (;;) {
    const down = target[0] - row;
    const across = target[1] - column;
    if (Math.abs(down) < FAR && Math.abs(across) < FAR) break;
    if (Math.abs(down) > Math.abs(across)) {
      row += 2 * Math.sign(down);
      column += towards(across, column, board.columns);
    } else {
      row += towards(down, row, board.rows);
      column += 2 * Math.sign(across);
    }
    yield [row, column];
  }
  let square = [row, column];
  for (let left = distance(board, square, target); left > 0; left--) {
    square = steps(board, square).find((after) => distance(board, after, target) === left - 1);
    yield square;
  }
}

/** Where a knight can go with one move. */
export function steps(board, [row, column]) {
  return LEAPS.map(([down, across]) => [row + down, column + across]).filter((square) => isOn(board, square));
}

/** One square of the way that is left; where none is, one square to the side that has room. */
function towards(rest, at, size) {
  if (rest) return Math.sign(rest);
  return at + 1 < size ? 1 : -1;
}

/** How far two squares are apart, the longer way first. */
function apart(start, target) {
  const down = Math.abs(start[0] - target[0]);
  const across = Math.abs(start[1] - target[1]);
  return [Math.max(down, across), Math.min(down, across)];
}

function isCorner(board, [row, column]) {
  return (row === 0 || row === board.rows - 1) && (column === 0 || column === board.columns - 1);
}

/** On one row or two: each move goes two columns on or back, and to the other row. */
function caseOfTwo({ rows, columns }, start, target) {
  const [short, long] = rows <= columns ? [0, 1] : [1, 0];
  const across = Math.abs(start[long] - target[long]);
  const isPossible = Math.min(rows, columns) === 2 && across % 2 === 0;
  return isPossible && (across / 2) % 2 === Math.abs(start[short] - target[short]) ? "two_rows" : "unreachable";
}

/** What is special on three rows: their middle, where a knight has half its moves. */
function caseOfThree({ rows, columns }, start, target) {
  const isCentre = ([row, column]) => row === 1 && column === 1;
  if (rows === columns && (isCentre(start) || isCentre(target))) return "unreachable";
  const along = [0, 1].find((way) => [rows, columns][way] === 3 && start[way] === 1 && target[way] === 1);
  if (along === undefined) return null;
  const apart = Math.abs(start[1 - along] - target[1 - along]);
  if (apart === 2) return "middle_row";
  const isInner = Math.max(rows, columns) === 4 && apart === 1 && start[1 - along] + target[1 - along] === 3;
  return isInner ? "inner_pair" : null;
}
