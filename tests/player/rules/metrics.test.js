import assert from "node:assert/strict";
import { test } from "node:test";

import { measure } from "../../../contest/static/contest/player/rules/metrics.js";

test("a solution of nothing but pushes of one box in one line", () => {
  const expected = { moves: 3, pushes: 3, box_lines: 1, box_changes: 1, push_runs: 1, player_lines: 1 };
  assert.deepEqual(measure("RRR"), expected);
});

test("a walk between two pushes parts the push run, not the box", () => {
  const expected = { moves: 7, pushes: 2, box_lines: 2, box_changes: 1, push_runs: 2, player_lines: 5 };
  assert.deepEqual(measure("RurrdLl"), expected);
});

test("pushing two boxes in turn changes the box each time", () => {
  assert.equal(measure("DrdLulU").box_changes, 2);
});

test("no step has nothing to count", () => {
  const expected = { moves: 0, pushes: 0, box_lines: 0, box_changes: 0, push_runs: 0, player_lines: 0 };
  assert.deepEqual(measure(""), expected);
});
