import assert from "node:assert/strict";
import { test } from "node:test";

import { Level } from "../../contest/static/contest/player/rules/level.js";
import { Playback } from "../../contest/static/contest/player/play/playback.js";
import { mostVisited, visits } from "../../contest/static/contest/replay/visits.js";

const level = Level.parse("#######|#@-$-.#|#-----#|#######");

test("every square counts how often the player came to it, the start once", () => {
  const counts = visits(new Playback(level, "rlrRR"));
  assert.deepEqual([...counts.subarray(8, 13)], [2, 2, 1, 1, 0]);
  assert.equal(counts.reduce((sum, count) => sum + count), 6);
});

test("the most visited squares come first, equal ones in reading order", () => {
  const counts = visits(new Playback(level, "rlrRR"));
  assert.deepEqual(mostVisited(counts, 3), [8, 9, 10]);
  assert.deepEqual(mostVisited(counts, 9).length, 4);
});

test("a replay without a move was at its start", () => {
  const counts = visits(new Playback(level, ""));
  assert.deepEqual(mostVisited(counts, 5), [level.player]);
});

test("half a million moves are all counted", () => {
  const counts = visits(new Playback(level, "rl".repeat(250_000)));
  assert.deepEqual([counts[8], counts[9]], [250_001, 250_000]);
});
