import assert from "node:assert/strict";
import test from "node:test";
import { rulerStep } from "../../../contest/static/contest/player/view/ground.js";

test("names of two letters never run together", () => {
  for (let cell = 2; cell <= 60; cell += 0.5) {
    for (const widest of [6, 13, 20]) assert.ok(rulerStep(cell, widest) * cell > widest + 2, `${cell} ${widest}`);
  }
});

test("where there is room every line is named", () => {
  assert.equal(rulerStep(12, 6), 1);
  assert.equal(rulerStep(12, 13), 5);
  assert.equal(rulerStep(20, 13), 1);
});
