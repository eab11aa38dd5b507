import assert from "node:assert/strict";
import { test } from "node:test";

import { foretold, previewed } from "../../contest/static/contest/player/ranks.js";

// Rule 19.1.
const BY_MOVES = [[500, 118, "B"], [500, 120, "A"], [500, 120, "E"], [510, 110, "C"], [530, 125, "D"]];
const BY_PUSHES = [[510, 110, "C"], [500, 118, "B"], [500, 120, "A"], [500, 120, "E"], [530, 125, "D"]];

test("equal numbers come behind those that were there before", () => {
  assert.equal(foretold(BY_MOVES, "moves", { moves: 500, pushes: 120 }, "").rank, 4);
  assert.equal(foretold(BY_PUSHES, "pushes", { moves: 499, pushes: 110 }, "").rank, 1);
});

test("one's own worse result does not stand in the way", () => {
  assert.deepEqual(foretold(BY_MOVES, "moves", { moves: 505, pushes: 999 }, "D"), {
    rank: 4,
    own: { rank: 5, moves: 530, pushes: 125 },
    keeps: false,
    gain: { rank: 3, fewer: 6 },
  });
});

test("a result that is no better leaves everything as it is, by whatever case the nickname is written", () => {
  const { rank, keeps } = foretold(BY_MOVES, "moves", { moves: 500, pushes: 130 }, " a ");
  assert.deepEqual([rank, keeps], [2, true]);
});

test("nobody is ahead of the first", () => {
  assert.equal(foretold(BY_MOVES, "moves", { moves: 1, pushes: 1 }, "").gain, null);
  assert.equal(foretold([], "moves", { moves: 1, pushes: 1 }, "").rank, 1);
});

test("a preview says both ranks, what is held now and what gains one", () => {
  assert.deepEqual(previewed({ moves: BY_MOVES, pushes: BY_PUSHES }, { moves: 505, pushes: 119 }, "C"), [
    ["rankMovesNow", { rank: 4, now: 4 }],
    ["gainMoves", { rank: 3, fewer: 6 }],
    ["keepsPushes", { rank: 1, own: "510/110" }],
  ]);
});

test("what is better in nothing is said to be so", () => {
  const said = previewed({ moves: BY_MOVES, pushes: BY_PUSHES }, { moves: 600, pushes: 600 }, "B");
  assert.deepEqual(said.at(-1), ["notBetter", {}]);
});
