import assert from "node:assert/strict";
import { test } from "node:test";

import { placeAfter } from "../../../contest/static/contest/player/input/tabs.js";

test("arrows go from tab to tab and round, Home and End to the first and the last", () => {
  assert.equal(placeAfter("ArrowRight", 0, 4), 1);
  assert.equal(placeAfter("ArrowRight", 3, 4), 0);
  assert.equal(placeAfter("ArrowLeft", 0, 4), 3);
  assert.equal(placeAfter("Home", 2, 4), 0);
  assert.equal(placeAfter("End", 2, 4), 3);
});

test("up and down are left to whatever scrolls, other keys to the game", () => {
  for (const code of ["ArrowUp", "ArrowDown", "KeyZ", "toString"]) assert.equal(placeAfter(code, 1, 4), null);
});
