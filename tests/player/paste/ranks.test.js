import assert from "node:assert/strict";
import { test } from "node:test";

import { boxesOf, foretold, previewed } from "../../../contest/static/contest/player/paste/ranks.js";

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
    gain: { rank: 1, fewer: 6 },
    either: { rank: 2, first: 500, second: 119 },
    isLeast: false,
  });
});

test("who passes one of many equal results passes them all", () => {
  const rows = Array.from({ length: 16 }, (_, at) => [30, 9, `player ${at}`]);
  const { gain, either } = foretold(rows, "moves", { moves: 40, pushes: 9 }, "player 15");
  assert.deepEqual([gain, either], [{ rank: 1, fewer: 1 }, { rank: 1, first: 30, second: 8 }]);
});

test("nothing better is promised than the proved bounds allow", () => {
  const rows = [[30, 9, "A"], [31, 8, "B"]];
  const own = foretold(rows, "moves", { moves: 31, pushes: 8 }, "B", { moves: 30, pushes: 9 });
  assert.deepEqual([own.rank, own.gain, own.either], [2, null, null]);
  const said = previewed({ moves: rows, least: { moves: 30, pushes: 9 } }, { moves: 30, pushes: 9 }, "C");
  assert.deepEqual(said, [["rankMoves", { rank: 2, now: undefined }]]);
});

test("what is foretold is what a ranking made anew gives, and a little less gains nothing", () => {
  let seed = 7;
  const drawn = (most) => (seed = (seed * 48271) % 2147483647) % most;
  for (let round = 0; round < 400; round += 1) {
    const rows = Array.from({ length: drawn(9) }, (_, at) => [5 + drawn(5), 1 + drawn(4), `player ${at}`, at]);
    for (const metric of ["moves", "pushes"]) {
      const [first, second] = metric === "moves" ? [0, 1] : [1, 0];
      const order = (all) => all.toSorted((a, b) => a[first] - b[first] || a[second] - b[second] || a[3] - b[3]);
      const ranked = order(rows);
      const result = { moves: 5 + drawn(5), pushes: 1 + drawn(4) };
      const nickname = rows.length && drawn(2) ? `player ${drawn(rows.length)}` : "somebody new";
      /** The rank after *counts*, the metric's own first, were sent too. */
      const taken = (counts) => {
        const sent = first === 0 ? counts : counts.toReversed();
        const all = order([...rows, [...sent, nickname, 99]]);
        const seen = new Set();
        return 1 + all.filter((row) => !seen.has(row[2]) && seen.add(row[2])).findIndex((row) => row[2] === nickname);
      };
      const sent = [result.moves, result.pushes];
      const told = foretold(ranked, metric, result, nickname);
      assert.equal(told.rank, taken([sent[first], sent[second]]));
      assert.equal(told.gain === null, told.rank === 1);
      if (!told.gain) continue;
      const stands = told.keeps ? [told.own.moves, told.own.pushes] : sent;
      assert.equal(taken([stands[first] - told.gain.fewer, 10 ** 6]), told.gain.rank);
      assert.ok(told.gain.rank < told.rank);
      if (!told.either) continue;
      assert.equal(taken([told.either.first, told.either.second]), told.either.rank);
      assert.ok(told.either.rank < told.rank);
      assert.equal(taken([told.either.first, told.either.second + 1]), told.rank);
    }
  }
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
    ["gainMoves", { rank: 1, fewer: 6 }],
    ["gainEitherMoves", { rank: 2, first: 500, second: 119 }],
    ["keepsPushes", { rank: 1, own: "510/110" }],
  ]);
});

test("what is better in nothing is said to be so", () => {
  const said = previewed({ moves: BY_MOVES, pushes: BY_PUSHES }, { moves: 600, pushes: 600 }, "B");
  assert.deepEqual(said.at(-1), ["notBetter", {}]);
});

test("nothing better is promised than what is proved possible", () => {
  const { gain, either, isLeast } = foretold(BY_MOVES, "moves", { moves: 500, pushes: 121 }, "", { moves: 500, pushes: 120 });
  assert.deepEqual([gain, either, isLeast], [null, null, true]);
  const numbers = { moves: BY_MOVES, pushes: BY_PUSHES, least: { moves: 500, pushes: 111 } };
  const [moves, pushes] = boxesOf(numbers, { moves: 505, pushes: 120 }, "");
  assert.deepEqual(moves.needs, ["boxEitherMoves", { rank: 2, first: 500, second: 119 }]);
  assert.deepEqual(pushes.needs, ["boxGainPushes", { rank: 3, fewer: 1 }]);
});

test("a box shows the rank, how much was gained, and after the verdict the verdict's own", () => {
  const numbers = { moves: BY_MOVES, pushes: BY_PUSHES, least: {} };
  const shown = (verdict) => boxesOf(numbers, { moves: 505, pushes: 999 }, "D", verdict).map(({ rank, change }) => [rank, change]);
  assert.deepEqual(shown(), [[4, 1], [5, 0]]);
  assert.deepEqual(shown({ ranks: { moves: 3, pushes: null }, before: { moves: 5 } }), [[3, 2], [5, 0]]);
});
