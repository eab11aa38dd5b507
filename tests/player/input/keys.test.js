import assert from "node:assert/strict";
import { test } from "node:test";

import { PRESETS, actOf, keyOf, sheet } from "../../../contest/static/contest/player/input/keys.js";

const press = (code, more = {}) => ({ code, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, ...more });

test("keys mean what their preset says", () => {
  assert.equal(actOf("default", press("KeyA")), "left");
  assert.equal(actOf("boxman", press("KeyA")), "back");
  assert.equal(actOf("vim", press("KeyH")), "left");
  assert.equal(actOf("default", press("KeyH")), null);
});

test("the three grains of undo have three keys", () => {
  assert.equal(actOf("default", press("KeyZ")), "undo");
  assert.equal(actOf("default", press("KeyZ", { shiftKey: true })), "undo-push");
  assert.equal(actOf("default", press("KeyZ", { altKey: true })), "back");
});

test("copying and other keys of the browser stay the browser's", () => {
  for (const preset of Object.keys(PRESETS)) {
    assert.equal(actOf(preset, press("KeyC", { ctrlKey: true })), null);
    assert.equal(actOf(preset, press("KeyL", { ctrlKey: true })), null);
    assert.equal(actOf(preset, press("ArrowLeft", { metaKey: true })), null);
    assert.equal(actOf(preset, press("Tab")), null);
  }
});

test("a key that an input method is composing with means nothing", () => {
  assert.equal(actOf("default", press("KeyA", { isComposing: true })), null);
});

test("keys are written as people know them", () => {
  assert.equal(keyOf("default", "undo-push"), "Shift+Z");
  assert.equal(keyOf("default", "up"), "↑");
  assert.equal(keyOf("default", "unvisited"), "");
});

test("the sheet has every key of its preset once", () => {
  for (const [preset, keys] of Object.entries(PRESETS)) {
    const listed = sheet(preset).flatMap(([, written]) => written);
    assert.equal(listed.length, Object.keys(keys).length);
  }
});
