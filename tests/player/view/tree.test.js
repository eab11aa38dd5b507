import assert from "node:assert/strict";
import { test } from "node:test";

import { lanes } from "../../../contest/static/contest/player/view/tree.js";

const branch = (id, parent = null) => ({ id, parent, at: id, steps: [1, 2] });
const laid = (...branches) => lanes(branches).map(({ branch: { id }, lane, from }) => [id, lane, from]);

test("each branch has a lane of its own, above the line or the branch that it leaves", () => {
  assert.deepEqual(laid(branch(1), branch(2), branch(3, 1)), [[1, 1, 0], [2, 2, 0], [3, 3, 1]]);
});

test("the last six are drawn, and those they leave however old they are", () => {
  const old = [branch(1), branch(2)];
  const recent = [3, 4, 5, 6, 7, 8].map((id) => branch(id));
  assert.deepEqual(laid(...old, ...recent).map(([id]) => id), [3, 4, 5, 6, 7, 8]);
  assert.deepEqual(laid(...old, ...recent.slice(1), branch(9, 2)).map(([id]) => id), [2, 4, 5, 6, 7, 8, 9]);
});

test("without branches nothing is drawn", () => {
  assert.deepEqual(laid(), []);
});
