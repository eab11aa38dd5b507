import assert from "node:assert/strict";
import { test } from "node:test";

import { Pads, padSheet } from "../../../contest/static/contest/player/input/gamepad.js";

const [A, B, Y, START, UP, LEFT] = [0, 1, 3, 9, 12, 14];

/** A controller on which *pressed* are held and the left stick stands at *axes*. */
function pad(pressed = [], axes = [0, 0], mapping = "standard") {
  const buttons = Array.from({ length: 17 }, (_, number) => ({ pressed: pressed.includes(number) }));
  return { buttons, axes: [...axes, 0, 0], mapping };
}

test("buttons of the standard layout mean what the sheet says", () => {
  const meant = [LEFT, UP, B, Y, START, A].map((button) => new Pads().due([pad([button])], 0));
  assert.deepEqual(meant, [["left"], ["up"], ["undo"], ["redo"], ["menu"], ["enter"]]);
  assert.deepEqual(new Map(padSheet()).get("redo"), ["Y"]);
});

test("what is held steps at once, then after a pause again and again", () => {
  const pads = new Pads();
  const steps = [0, 16, 349, 350, 366, 460, 570].map((now) => pads.due([pad([LEFT])], now).length);
  assert.deepEqual(steps, [1, 0, 0, 1, 0, 1, 1]);
});

test("who presses again does not wait", () => {
  const pads = new Pads();
  assert.deepEqual(pads.due([pad([LEFT])], 0), ["left"]);
  assert.deepEqual(pads.due([pad()], 16), []);
  assert.deepEqual(pads.due([pad([LEFT])], 32), ["left"]);
});

test("undo and redo repeat, the menu and starting again do not", () => {
  const pads = new Pads();
  pads.due([pad([B, START])], 0);
  assert.deepEqual(pads.due([pad([B, START])], 1_000), ["undo"]);
});

test("the left stick steps along its longer way and does not tremble", () => {
  const pads = new Pads();
  const at = (now, ...axes) => pads.due([pad([], axes)], now);
  assert.deepEqual(at(0, 0.5, 0.3), []);
  assert.deepEqual(at(16, 0.7, 0.3), ["right"]);
  assert.deepEqual(at(32, 0.5, 0.3), []);
  assert.deepEqual(at(48, 0.7, 0.3), []);
  assert.deepEqual(at(64, 0.3, -0.9), ["up"]);
  assert.deepEqual(at(80, 0, 0), []);
});

test("stick and buttons that mean the same step once", () => {
  assert.deepEqual(new Pads().due([null, pad([LEFT], [-1, 0]), pad([LEFT])], 0), ["left"]);
});

test("a controller whose layout is not known is left alone", () => {
  assert.deepEqual(new Pads().due([pad([LEFT], [-1, 0], "")], 0), []);
});
