import assert from "node:assert/strict";
import { test } from "node:test";

import { Store } from "../../../contest/static/contest/player/keep/store.js";

const solution = (moves, pushes) => ({ moves, pushes, lurd: "r".repeat(moves) });

test("the first solution is better than nothing, by no count", () => {
  assert.deepEqual(new Store("first").keepBest(solution(20, 9)), { moves: 0, pushes: 0 });
});

test("each count is held against the best by that count", () => {
  const store = new Store("each");
  store.keepBest(solution(20, 9));
  assert.deepEqual(store.keepBest(solution(30, 5)), { moves: 0, pushes: 4 });
  assert.deepEqual(store.keepBest(solution(19, 8)), { moves: 1, pushes: 0 });
  assert.deepEqual(store.keepBest(solution(12, 4)), { moves: 7, pushes: 1 });
  assert.deepEqual(store.best, { moves: solution(12, 4), pushes: solution(12, 4) });
});

test("the same solution again is no better", () => {
  const store = new Store("again");
  store.keepBest(solution(20, 9));
  assert.deepEqual(store.keepBest(solution(20, 9)), { moves: 0, pushes: 0 });
});
