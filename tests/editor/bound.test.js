import assert from "node:assert/strict";
import { test } from "node:test";

import { leastPushes } from "../../contest/static/contest/editor/bound.js";
import { Level } from "../../contest/static/contest/player/rules/level.js";
import { cases } from "../player/vectors.js";

const least = (text) => leastPushes(Level.parse(text));

test("a box alone takes as many pushes as its way is long", () => {
  assert.equal(least("#######|#@$--.#|#######"), 3);
  assert.equal(least("#######|#--.--#|#-$-$@#|#.----#|#######"), 4);
});

test("each box has a goal of its own", () => {
  // Both are nearest to the upper goal; one of them has to take the lower.
  assert.equal(least("#######|#@-.--#|#--$--#|#--$--#|#-----#|#--.--#|#######"), 3);
});

test("a box needs room behind it to be pushed", () => {
  assert.equal(least("#####|#$@.#|#####"), Infinity);
});

test("two boxes cannot share the one goal they reach", () => {
  assert.equal(least("########|#@$-$-.#|########"), null); // one goal for two boxes is said elsewhere
  assert.equal(least("########|#@$-$-.#|######.#|########"), Infinity); // the lower goal is behind a corner
});

test("of a board that is not closed, or has no man, nothing is said", () => {
  assert.equal(least("#####|#@$.-|#####"), null);
  assert.equal(least("#####|#-$.#|#####"), null);
  assert.equal(least("#####|#@$-#|#####"), null);
});

test("no solution in the vectors takes fewer pushes", () => {
  const solved = cases("replays").filter(({ expected }) => expected?.verdict === "solved");
  assert.ok(solved.length > 3);
  for (const { level, expected, name } of solved) {
    const bound = least(level);
    assert.ok(bound === null || bound <= expected.pushes, `${name}: ${bound} > ${expected.pushes}`);
  }
});
