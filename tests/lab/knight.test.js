import assert from "node:assert/strict";
import { test } from "node:test";

import { boardOf, caseOf, distance, isOn, lowerBound, path, steps } from "../../contest/static/contest/lab/knight.js";
import { cases } from "../player/vectors.js";

for (const { name, rows, columns, from, to, moves, case: rule } of cases("knights")) {
  test(`as in Python: ${name}`, () => {
    const board = boardOf(rows, columns);
    assert.deepEqual([distance(board, from, to), caseOf(board, from, to)], [moves, rule]);
  });
}

test("every pair of squares of every board to 8 x 8 is as far as a search says, and the path is as long", () => {
  for (let rows = 1; rows <= 8; rows++) {
    for (let columns = 1; columns <= 8; columns++) agree(boardOf(rows, columns));
  }
});

function agree(board) {
  for (const start of squares(board)) {
    const found = search(board, start);
    for (const target of squares(board)) {
      const moves = found.get(String(target)) ?? null;
      assert.equal(distance(board, start, target), moves, `${board.rows} ${board.columns} ${start} ${target}`);
      const walk = path(board, start, target);
      if (moves === null) assert.equal(walk, null);
      else assertWalk(board, [...walk], start, target, moves);
    }
  }
}

function assertWalk(board, walk, start, target, moves) {
  assert.deepEqual([walk[0], walk.at(-1), walk.length - 1], [start, target, moves]);
  for (let at = 1; at < walk.length; at++) {
    assert.ok(isOn(board, walk[at]));
    assert.equal(Math.abs((walk[at][0] - walk[at - 1][0]) * (walk[at][1] - walk[at - 1][1])), 2);
  }
}

function squares({ rows, columns }) {
  return Array.from({ length: rows * columns }, (_, at) => [Math.floor(at / columns), at % columns]);
}

function search(board, start) {
  const found = new Map([[String(start), 0]]);
  const waiting = [start];
  for (const square of waiting) {
    for (const after of steps(board, square)) {
      if (found.has(String(after))) continue;
      found.set(String(after), found.get(String(square)) + 1);
      waiting.push(after);
    }
  }
  return found;
}

test("a path of millions of moves begins at once", () => {
  const walk = path(boardOf(1e12, 1e12), [0, 0], [1e12 - 1, 0]);
  assert.deepEqual([walk.next().value, walk.next().value, walk.next().value], [[0, 0], [2, 1], [4, 0]]);
});

test("the lower bound is below no distance", () => {
  const board = boardOf(10_000_002, 10_000_002);
  assert.equal(lowerBound(10_000_001, 9_999_999), distance(board, [0, 0], [9_999_999, 10_000_001]));
  assert.equal(lowerBound(7, 0), 5);
});

const NO_BOARDS = [
  [0, 8, "no_squares"],
  [8, -1, "no_squares"],
  [8, 1.5, "not_whole"],
  [8, NaN, "not_whole"],
  [8, 1e16, "board_too_large"],
];

for (const [rows, columns, code] of NO_BOARDS) {
  test(`no board: ${rows} x ${columns}`, () => {
    assert.throws(() => boardOf(rows, columns), { code });
  });
}

test("a square off the board is refused", () => {
  assert.throws(() => distance(boardOf(8, 8), [0, 0], [0, 8]), { code: "off_board" });
});
