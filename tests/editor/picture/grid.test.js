import assert from "node:assert/strict";
import { test } from "node:test";

import { findGrid } from "../../../contest/static/contest/editor/picture/grid.js";
import { Pixels } from "../../../contest/static/contest/editor/picture/pixels.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { LOOKS, chanceOf, drawn, inWindow, noisy, scaled } from "./looks.js";

const SMALL = Level.parse("####|#-.#|#--###|#*@--#|#--$-#|#--###|####");
const OPEN = Level.parse("##########|#--@-----#|#-$--$---#|#-..-*-$.#|#----##--#|##########");
const MARGIN = [13, 27, 41, 9];

const isTried = (number) => Boolean(process.env.EXHAUSTIVE) || number % 2 === 0;

/** That the grid found in *picture* is the one on which *level* was drawn, to a twelfth of a cell. */
function assertLaid(picture, level, { left, top, size }) {
  const found = findGrid(new Pixels(picture));
  assert.deepEqual([found?.columns, found?.rows], [level.width, level.height], JSON.stringify(found));
  for (const [one, wanted] of [[found.left, left], [found.top, top], [found.left + level.width * found.size, left + level.width * size]]) {
    assert.ok(Math.abs(one - wanted) <= size / 12 + 1, JSON.stringify(found));
  }
}

// In the short size each look is tried in one of the two pictures, in turn.
for (const [number, look] of Object.keys(LOOKS).entries()) {
  if (isTried(number)) test(`the grid of a picture cut at the board is found: ${look}`, () => {
    assertLaid(drawn(OPEN, look, 24), OPEN, { left: 0, top: 0, size: 24 });
  });

  if (isTried(number + 1)) test(`the grid is found in a noisy picture with a margin: ${look}`, () => {
    const picture = noisy(drawn(OPEN, look, 31, MARGIN), 6, chanceOf(5));
    assertLaid(picture, OPEN, { left: 13, top: 27, size: 31 });
  });
}

for (const look of ["ours by day", "bricks"]) {
  test(`cells need not be whole pixels: ${look}`, () => {
    const picture = scaled(drawn(OPEN, look, 31, MARGIN), 0.87);
    assertLaid(picture, OPEN, { left: 13 * 0.87, top: 27 * 0.87, size: 31 * 0.87 });
  });
}

test("a board of six columns is enough", () => {
  assertLaid(drawn(SMALL, "bricks", 31, MARGIN), SMALL, { left: 13, top: 27, size: 31 });
});

test("what stands around a board is cut off by choosing its part of the picture", () => {
  const picture = new Pixels(inWindow(drawn(OPEN, "bricks", 24, MARGIN), chanceOf(9)));
  const area = { left: 6, top: 64 + 20, width: 7 + 10 * 24 + 8, height: 7 + 6 * 24 + 5 };
  const found = findGrid(picture.part(area));
  assert.deepEqual([found.columns, found.rows, Math.round(found.size)], [10, 6, 24]);
  assert.deepEqual([Math.round(found.left) + area.left, Math.round(found.top) + area.top], [13, 91]);
});

test("a picture without a grid has none", () => {
  const chance = chanceOf(1);
  const data = Uint8ClampedArray.from({ length: 4 * 90 * 90 }, () => chance() * 255);
  assert.equal(findGrid(new Pixels({ width: 90, height: 90, data })), null);
  assert.equal(findGrid(new Pixels({ width: 90, height: 90, data: data.fill(200) })), null);
  assert.equal(findGrid(new Pixels({ width: 1, height: 1, data: data.slice(0, 4) })), null);
});
