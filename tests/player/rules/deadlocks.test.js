import assert from "node:assert/strict";
import { test } from "node:test";

import { deadSquares, frozenBoxes, lostBoxes } from "../../../contest/static/contest/player/rules/deadlocks.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";

test("a square from which no push leads to a goal is dead", () => {
  assert.deepEqual([...deadSquares(Level.parse("######|#@$-.#|######"))], [7]);
});

test("corners and walls without a goal are dead, what lies beside goals is not", () => {
  const dead = deadSquares(Level.parse("######|#@---#|#-$-.#|#----#|######"));
  assert.deepEqual([7, 10, 19, 22, 16].map((cell) => dead.has(cell)), [true, true, true, true, false]);
});

test("four boxes in a square are frozen, and lost off their goals", () => {
  const level = Level.parse("######|#.--.#|#-$$-#|#-$$@#|#.--.#|######");
  assert.deepEqual([...frozenBoxes(level, level.boxes)], [14, 15, 20, 21]);
  assert.deepEqual(lostBoxes(level, level.boxes), [14, 15, 20, 21]);
  assert.deepEqual(lostBoxes(level, [14, 15, 20, 22]), []);
});
