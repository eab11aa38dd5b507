import assert from "node:assert/strict";
import { test } from "node:test";

import { find, turnedSolution } from "../../../contest/static/contest/player/paste/finding.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { Moves, turnedBack } from "../../../contest/static/contest/player/rules/moves.js";

const BEND = Level.parse("#######|#@--.-#|#-$---#|#-----#|#######");
const ROW = Level.parse("######|#@-$.#|######");

test("the level that the moves solve is found", () => {
  const { outcome, level, turned, shorter } = find([BEND, ROW], "rR");
  assert.deepEqual([outcome, level, turned, shorter], ["solved", 1, null, ""]);
});

test("a turned solution is offered and not taken", () => {
  const found = find([BEND], "lddldr".toUpperCase());
  assert.notEqual(found.outcome, "solved");
  assert.equal(found.turned.replay.lurd, "dRRdrU");
});

for (const symmetry of [1, 2, 3, 4, 5, 6, 7]) {
  test(`moves for the board after symmetry ${symmetry} are turned back`, () => {
    const there = (letter) => [..."lurd"].find((other) => turnedBack(other, symmetry) === letter);
    const text = Array.from("drrdru", there).join("");
    assert.equal(find([BEND.transformed(symmetry)], text).outcome, "solved");
    assert.equal(turnedSolution([BEND], [Moves.parse(text)]).replay.lurd, "dRRdrU");
  });
}

test("further solutions in one text are listed", () => {
  const { outcome, level, replay, others } = find([BEND, ROW], "Solution:\ndRRdrU\n\nSolution:\nrR\n");
  assert.deepEqual([outcome, level, replay.lurd], ["solved", 1, "rR"]);
  assert.deepEqual(others.map((one) => [one.level, one.replay.lurd]), [[0, "dRRdrU"]]);
});

test("shorter walks between the same pushes are found", () => {
  assert.equal(find([BEND], "rlrldRRdrU").shorter, "dRRdrU");
});
