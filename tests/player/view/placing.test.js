import assert from "node:assert/strict";
import { test } from "node:test";

import { Placing, heightFor } from "../../../contest/static/contest/player/view/placing.js";
import { Turning } from "../../../contest/static/contest/player/view/turning.js";

const BOARD = { width: 10, height: 5 };

function placed(width, height, { ratio = 1, hasRuler = false, symmetry = 0 } = {}) {
  const placing = new Placing(new Turning(BOARD, symmetry));
  placing.fit({ width, height }, ratio, hasRuler);
  return placing;
}

test("the whole board is shown as large as it fits, in whole pixels, in the middle", () => {
  const { cell, left, top, isWhole } = placed(405, 400);
  assert.deepEqual([cell, left, top, isWhole], [40, 3, 100, true]);
});

test("a turned board fits by its other side", () => {
  assert.equal(placed(400, 405, { symmetry: 1 }).cell, 40);
});

test("the ruler takes its room at both edges", () => {
  const { cell, left, ruler } = placed(418, 400, { hasRuler: true });
  assert.deepEqual([cell, left, ruler], [40, 18, 18]);
});

test("a cell is found where it lies, and nothing beside the board", () => {
  const placing = placed(400, 400);
  const { x, y } = placing.corner(3, 2);
  assert.equal(placing.cellAt(x + 1, y + 1), 23);
  assert.equal(placing.cellAt(5, 5), null);
});

test("zooming keeps the place under the finger, and never leaves a gap", () => {
  const placing = placed(400, 200);
  placing.zoom(2, 0, 0);
  placing.settle(false);
  assert.deepEqual([placing.cell, placing.left, placing.top], [80, 0, 0]);
  placing.left = 900;
  placing.settle(false);
  assert.equal(placing.left, 0);
  assert.deepEqual(placing.part, { first: 0, last: 5, top: 0, bottom: 2 });
});

test("a cell out of sight is brought into it with one cell around", () => {
  const placing = placed(400, 200);
  placing.zoom(2, 0, 0);
  placing.settle(false);
  assert.deepEqual(placing.wayTo(0), [80, 80]);
  assert.deepEqual(placing.wayTo(22), [0, 0 - 120]);
});

test("a frame is as high as its board, and never higher than it may be", () => {
  const turning = new Turning(BOARD);
  assert.equal(heightFor(turning, { width: 402, most: 900, ratio: 1, hasRuler: false }), 202);
  assert.equal(heightFor(turning, { width: 402, most: 150, ratio: 1, hasRuler: false }), 147);
});

test("how much turning would gain is told of the whole board", () => {
  assert.equal(placed(400, 400).gainByTurning, 1);
  assert.equal(placed(200, 400).gainByTurning, 2);
  assert.equal(placed(200, 400, { symmetry: 1 }).gainByTurning, 0.5);
});
