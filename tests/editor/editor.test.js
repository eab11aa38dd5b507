import assert from "node:assert/strict";
import { test } from "node:test";

import { Strokes, cropped, fits, has, images, isSame, moved, painted, resized, room } from "../../contest/static/contest/editor/drawing.js";
import { faults } from "../../contest/static/contest/editor/gate.js";
import { fragmentOf, levelOf } from "../../contest/static/contest/editor/link.js";
import { Level } from "../../contest/static/contest/player/rules/level.js";
import { cases } from "../player/vectors.js";

const small = () => Level.parse("#####|#@$.#|#####");

for (const { name, text, errors, warnings } of cases("gate")) {
  test(`the gate says: ${name}`, () => {
    const found = faults(Level.parse(text));
    const said = (isWarning) => found.filter((one) => one.isWarning === isWarning).map(({ code, cells }) => [code, cells]);
    assert.deepEqual({ errors: said(false), warnings: said(true) }, { errors, warnings });
  });
}

test("there is one man: where he is put, he leaves his place", () => {
  const drawn = painted(room(5, 5), [6], "man");
  assert.deepEqual(painted(drawn, [12, 7], "man").players, [12]);
});

test("a box or a man on a goal leaves the goal", () => {
  for (const tool of ["box", "man"]) {
    const there = painted(painted(room(5, 5), [12], "goal"), [12], tool);
    assert.ok(has(there, 12, "goal") && has(there, 12, tool));
    const gone = painted(there, [12], tool, { isTaking: true });
    assert.ok(has(gone, 12, "goal") && !has(gone, 12, tool));
  }
});

test("a wall leaves nothing below it", () => {
  assert.equal(painted(small(), [7], "wall").boxes.length, 0);
});

test("a mirrored brush paints on both sides, on a middle line once", () => {
  const board = room(5, 4);
  assert.deepEqual(images(board, 6, "sides"), [6, 8]);
  assert.deepEqual(images(board, 7, "sides"), [7]);
  assert.deepEqual(images(board, 6, "heights"), [6, 11]);
  assert.deepEqual(images(board, 6, "both"), [6, 8, 11, 13]);
  assert.deepEqual(images(board, 6, "half"), [6, 13]);
});

test("what a brush paints is as symmetrical as the brush says", () => {
  const turns = { sides: [4], heights: [6], half: [2], both: [2, 4, 6], quarters: [1, 2, 3], all: [1, 2, 3, 4, 5, 6, 7] };
  for (const [symmetry, numbers] of Object.entries(turns)) {
    for (let cell = 0; cell < 49; cell++) {
      const drawn = painted(new Level(7, 7, new Uint8Array(49)), images(room(7, 7), cell, symmetry), "box");
      for (const number of numbers) assert.ok(isSame(drawn, drawn.transformed(number)), `${symmetry} ${cell} ${number}`);
    }
  }
});

test("quarter turns need a square", () => {
  assert.ok(fits("all", room(5, 5)) && !fits("quarters", room(5, 6)));
  assert.deepEqual(images(room(5, 6), 7, "quarters"), [7]);
});

test("lines are added and taken on each side, within the bounds of a contest", () => {
  const wide = resized(small(), { left: 2, bottom: 1 });
  assert.deepEqual([wide.width, wide.height, wide.players], [7, 4, [10]]);
  assert.ok(isSame(resized(wide, { left: -2, bottom: -1 }), small()));
  assert.equal(resized(room(3, 3), { top: -1 }), null);
  assert.equal(resized(room(100, 3), { right: 1 }), null);
});

test("a drawing is moved, and what leaves at one side comes in at the other", () => {
  const there = moved(small(), 1, 0);
  assert.deepEqual([there.players, there.boxes], [[7], [8]]);
  assert.ok(isSame(moved(moved(small(), 2, -1), -2, 1), small()));
});

test("cropping takes empty edges away and says where the level began", () => {
  const { level, left, top } = cropped(resized(small(), { left: 2, top: 3, right: 1 }));
  assert.ok(isSame(level, small()));
  assert.deepEqual([left, top], [2, 3]);
  assert.equal(cropped(new Level(3, 3, new Uint8Array(9))), null);
});

test("undo leads back stroke by stroke, and a new stroke forgets what was undone", () => {
  const strokes = new Strokes(room(5, 5));
  strokes.make(painted(strokes.now, [12], "box"));
  strokes.make(painted(strokes.now, [13], "goal"));
  strokes.undo();
  assert.equal(strokes.now.goals.length, 0);
  strokes.redo();
  assert.equal(strokes.now.goals.length, 1);
  strokes.undo();
  strokes.make(painted(strokes.now, [6], "man"));
  assert.ok(!strokes.canRedo);
});

test("a stroke that changed nothing is nothing to undo", () => {
  const strokes = new Strokes(room(5, 5));
  strokes.make(painted(strokes.now, [0], "wall"));
  assert.ok(!strokes.canUndo);
});

test("a level comes back from its link, ours or XSB", () => {
  const level = Level.parse("########|#@ $ . #|## # ###|-####---");
  assert.equal(levelOf(fragmentOf(level)).publishedText, level.publishedText);
  assert.equal(levelOf(`#level=${encodeURIComponent("5#|#@$.#|5#")}`).publishedText, small().publishedText);
  assert.equal(levelOf("#level=5%23|%23+$.%23|5%23").players.length, 1);
  assert.equal(levelOf(""), null);
  assert.throws(() => levelOf("#level=hello"));
});
