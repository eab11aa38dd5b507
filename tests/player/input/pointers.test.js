import assert from "node:assert/strict";
import { test } from "node:test";

import { listenToPointers } from "../../../contest/static/contest/player/input/input.js";

/** What *player* is told when the mouse moves over the cell 7 and presses it. */
function told(player) {
  const told = [];
  const acts = Object.fromEntries(player.map((name) => [name, (cell) => told.push([name, cell])]));
  const listeners = {};
  const frame = { addEventListener: (name, act) => (listeners[name] = act), setPointerCapture() {} };
  listenToPointers(frame, { cellAt: (x) => x }, acts);
  const mouse = { pointerId: 1, pointerType: "mouse", button: 0, clientX: 7, clientY: 0 };
  for (const name of ["move", "down", "up"]) listeners[`pointer${name}`](mouse);
  return told;
}

test("the cell under the mouse is told before it is pressed", () => {
  assert.deepEqual(told(["hover", "tap"]), [["hover", 7], ["tap", 7]]);
});

test("a board that shows nothing under the mouse need not hear of it", () => {
  assert.deepEqual(told(["tap"]), [["tap", 7]]);
});
