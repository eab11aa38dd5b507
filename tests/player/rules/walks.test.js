import assert from "node:assert/strict";
import { test } from "node:test";

import { replay } from "../../../contest/static/contest/player/rules/game.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { Moves } from "../../../contest/static/contest/player/rules/moves.js";
import { shorterWalks } from "../../../contest/static/contest/player/rules/walks.js";

const ROOM = Level.parse("#######|#@----#|#-$---#|#----.#|#######");
const solved = (lurd) => replay(ROOM, Moves.parse(lurd));

test("walks become as short as they can be, and the pushes stay", () => {
  const { lurd, verdict } = solved("rrlldRRRurD");
  assert.equal(verdict, "solved");
  const shorter = shorterWalks(ROOM, lurd);
  assert.equal(shorter, "dRRRurD");
  assert.equal(solved(shorter).verdict, "solved");
});

test("where every walk is the shortest there is nothing to say", () => {
  assert.equal(shorterWalks(ROOM, "dRRRurD"), "");
});

test("a way around a wall is not shorter than it can be", () => {
  const level = Level.parse("######|#@#$.#|#-#--#|#----#|######");
  const { lurd } = replay(level, Moves.parse("ddrrulurdlu"));
  assert.equal(shorterWalks(level, lurd), "");
});
