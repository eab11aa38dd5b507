import assert from "node:assert/strict";
import { test } from "node:test";

import { picture, rowOf } from "../../contest/static/contest/shell/bricks.js";

const WORDS = { moves: "Moves: %(count)s", pushes: "Pushes: %(count)s", place: "rank %(rank)s" };
const NUMBERS = { moves: [[90, 30, "Ann"], [100, 20, "Bo"]], pushes: [[100, 20, "Bo"], [90, 30, "Ann"]] };

test("a row is gold for the best and for a new best, and never full for anything else", () => {
  for (const [own, best] of [[90, 90], [80, 90], [90, undefined]]) assert.equal(rowOf(own, best), "🟨".repeat(10));
  assert.equal(rowOf(1001, 1000), `${"🟫".repeat(9)}⬜`);
  assert.equal(rowOf(200, 100), "🟫".repeat(5) + "⬜".repeat(5));
  assert.equal(rowOf(500_000, 100), `🟫${"⬜".repeat(9)}`);
});

test("a picture has a row by moves and one by pushes, with the rank that the counts take", () => {
  assert.deepEqual(picture({ moves: 120, pushes: 20 }, NUMBERS, WORDS), [
    `${"🟫".repeat(7)}⬜⬜⬜ Moves: 120 🥉`,
    `${"🟨".repeat(10)} Pushes: 20 🥈`,
  ]);
  assert.match(picture({ moves: 9, pushes: 9 }, { moves: Array(5).fill([1, 1]), pushes: [] }, WORDS)[0], /rank 6$/);
});

test("two solutions with the same counts have the same picture, whatever their moves", () => {
  const one = picture({ moves: 100, pushes: 25, letters: "rrRRul" }, NUMBERS, WORDS);
  const other = picture({ moves: 100, pushes: 25, letters: "uldRRR" }, NUMBERS, WORDS);
  assert.deepEqual(one, other);
  assert.doesNotMatch(one.join(), /rrRRul/);
});

test("without everybody's numbers there are counts and no bricks", () => {
  assert.deepEqual(picture({ moves: 3, pushes: 1 }, null, WORDS), ["Moves: 3", "Pushes: 1"]);
});
