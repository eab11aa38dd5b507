// Which of the levels saved for offline play comes next.

import assert from "node:assert/strict";
import { test } from "node:test";

import { nextSaved, ownPath } from "../../../contest/static/contest/player/keep/kept.js";

const levelAt = (own, isSolved = false) => ({ path: `/en${own}`, isSolved });
const [FIRST, NINTH, TENTH] = [1, 9, 10].map((place) => `/collections/a/${place}/play/`);
const OTHER = "/collections/b/1/play/";

test("the next level is the first unsolved one behind the last, in the order of the collection", () => {
  const levels = [levelAt(FIRST), levelAt(NINTH), levelAt(TENTH, true), levelAt(OTHER)];
  assert.equal(nextSaved(levels, FIRST), levels[1]);
  assert.equal(nextSaved(levels, "/collections/a/2/play/"), levels[1]); // itself not saved
});

test("after the end of a collection, or from nowhere, the first unsolved level is next", () => {
  const levels = [levelAt(FIRST, true), levelAt(TENTH), levelAt(OTHER)];
  assert.equal(nextSaved(levels, TENTH), levels[2]);
  assert.equal(nextSaved(levels, null), levels[1]);
  assert.equal(nextSaved([levelAt(FIRST, true)], FIRST), undefined);
});

test("an address of the game is known without its language", () => {
  assert.deepEqual(["/en/rounds/7/main/play/", "/zh-hans/levels/"].map(ownPath), ["/rounds/7/main/play/", null]);
});
