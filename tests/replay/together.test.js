import assert from "node:assert/strict";
import { test } from "node:test";

import { Level } from "../../contest/static/contest/player/rules/level.js";
import { Playback } from "../../contest/static/contest/player/play/playback.js";
import { partner } from "../../contest/static/contest/replay/together.js";

const level = Level.parse("########|#@-$--.#|#------#|########");
const short = new Playback(level, "rRRR");
const long = new Playback(level, "rlrlrRlrRlrR");

test("on the same clock both have made as many moves", () => {
  assert.equal(partner(short, long, 3, "moves"), 3);
  assert.equal(partner(long, short, 12, "moves"), 4);
});

test("push by push both have made as many pushes", () => {
  for (let at = 0; at <= long.length; at++) {
    const there = partner(long, short, at, "pushes");
    assert.equal(short.pushesBy(there), long.pushesBy(at), `at ${at}`);
  }
});

test("a walk of the one is gone through while the other makes its own", () => {
  assert.deepEqual(
    [0, 1, 2].map((at) => partner(short, long, at, "pushes")),
    [0, 5, 6],
  );
});

test("who needs fewer pushes waits at the end", () => {
  assert.equal(partner(short, new Playback(level, "rR"), 4, "pushes"), 2);
});
