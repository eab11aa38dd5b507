import assert from "node:assert/strict";
import { test } from "node:test";

import { Arena, toSteps } from "../../../contest/static/contest/player/rules/game.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { Playback } from "../../../contest/static/contest/player/play/playback.js";

const level = Level.parse("######|#-.-##|#-$@-#|##-$-#|#-.--#|######");

test("each moment is the position after that many steps", () => {
  const playback = new Playback(level, "DrdLulU");
  const { start } = Arena.of(level);
  for (let at = 0; at <= 7; at++) {
    const { player, boxes, moves, pushes } = start.after(toSteps("DrdLulU".slice(0, at)));
    const seen = playback.seek(at);
    assert.deepEqual([seen.player, seen.boxes, seen.moves, seen.pushes], [player, boxes, moves, pushes]);
  }
});

test("moments outside the recording are its ends", () => {
  const playback = new Playback(level, "DrdLulU");
  assert.equal(playback.seek(-5).moves, 0);
  assert.equal(playback.seek(99).moves, 7);
});

test("the next box change is the moment after the first push of another box", () => {
  const playback = new Playback(level, "DrdLulU");
  assert.deepEqual([...playback.boxChanges], [1, 7]);
  assert.equal(playback.nextBoxChange(0), 1);
  assert.equal(playback.nextBoxChange(1), 7);
  assert.equal(playback.nextBoxChange(7), 7);
  assert.equal(playback.previousBoxChange(7), 1);
  assert.equal(playback.previousBoxChange(1), 0);
});

test("the next push is the moment after it", () => {
  const playback = new Playback(level, "DrdLulU");
  assert.deepEqual([...playback.pushes], [1, 4, 7]);
  assert.deepEqual([...playback.pushed], [1, 1, 0]);
  assert.deepEqual([0, 1, 4, 7].map((at) => playback.nextPush(at)), [1, 4, 7, 7]);
  assert.deepEqual([7, 4, 1, 0].map((at) => playback.previousPush(at)), [4, 1, 0, 0]);
  assert.deepEqual([0, 1, 3, 7].map((at) => playback.pushesBy(at)), [0, 1, 1, 3]);
});

test("moves that do not fit the level are not opened", () => {
  assert.throws(() => new Playback(level, "DrdLuLU"), /Step 6 is impossible/);
  assert.throws(() => new Playback(level, "drdLulU"), /Step 1 is impossible/);
});

test("a long recording is opened in pieces, with a breath between them", async () => {
  const shuttle = Level.parse("#######|#-----#|#@$---#|#----.#|#######");
  const lurd = "RurrdLulld".repeat(12_000);
  let breaths = 0;
  const playback = await Playback.open(shuttle, lurd, async () => breaths++);
  assert.equal(breaths, 2);
  assert.deepEqual(playback, new Playback(shuttle, lurd));
});

test("a recording without a step is one moment", () => {
  const playback = new Playback(level, "");
  assert.equal(playback.seek(0).moves, 0);
  assert.equal(playback.nextBoxChange(0), 0);
  assert.equal(playback.previousBoxChange(0), 0);
});

test("a recording of half a million steps can be entered anywhere", () => {
  const shuttle = Level.parse("#######|#-----#|#@$---#|#----.#|#######");
  const round = "RurrdLulld"; // pushes the box right and left again, and comes back
  const playback = new Playback(shuttle, round.repeat(50_000));
  const { start } = Arena.of(shuttle);
  for (const at of [0, 1, 1_999, 2_000, 2_001, 123_456, 499_999, 500_000]) {
    const position = playback.seek(at);
    const expected = start.after(toSteps(round.slice(0, at % 10)));
    assert.deepEqual([position.player, position.boxes], [expected.player, expected.boxes]);
    assert.deepEqual([position.moves, position.pushes], [at, 2 * Math.floor(at / 10) + expected.pushes]);
  }
});
