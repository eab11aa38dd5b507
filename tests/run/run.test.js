// The rules of a run: what counts, what ends it, and what its clock shows.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clockFace, Run } from "../../contest/static/contest/run/run.js";
import { forgetRun, keepRun, waitingRun } from "../../contest/static/contest/run/waiting.js";

const LEVELS = [{ place: 4 }, { place: 9 }, { place: 17 }];

function begin(facts) {
  const clock = { now: 1_000 };
  return { clock, run: new Run({ levels: LEVELS, ...facts }, () => clock.now) };
}

test("levels are solved in order, and all solutions are sent as one text", () => {
  const { run } = begin();
  run.solve("rR");
  assert.equal(run.level.place, 9);
  run.solve("uU");
  run.solve("D");
  assert.deepEqual([run.ended, run.solved, run.text], ["all", 3, "4:rR 9:uU 17:D"]);
});

test("the time ends a run, and a solution that comes later does not count", () => {
  const { run, clock } = begin({ seconds: 180 });
  run.solve("rR");
  clock.now += 179_999;
  run.tick();
  assert.deepEqual([run.ended, run.shown], [null, 1]);
  clock.now += 1;
  run.solve("uU");
  assert.deepEqual([run.ended, run.solved, run.shown], ["time", 1, 0]);
});

test("without a limit the clock counts up, and stands still at the end", () => {
  const { run, clock } = begin();
  clock.now += 61_000;
  run.end("stopped");
  clock.now += 5_000;
  assert.equal(clockFace(run.shown), "1:01");
});

const STEP = { isUndone: false, isLost: false };
for (const [why, position] of [["undone", { ...STEP, isUndone: true }], ["lost", { ...STEP, isLost: true }], [null, STEP]]) {
  test(`${why ?? "nothing"} ends a run without mistakes, and only such a run`, () => {
    const [strict, easy] = [begin({ isClean: true }).run, begin().run];
    for (const run of [strict, easy]) run.hear(position);
    assert.deepEqual([strict.ended, easy.ended], [why, null]);
  });
}

test("a clock that runs down shows the second that has begun", () => {
  assert.deepEqual([clockFace(180_000, true), clockFace(179_001, true), clockFace(1, true), clockFace(-5, true)], ["3:00", "3:00", "0:01", "0:00"]);
});

test("a run that waits is not replaced by one of another mode", () => {
  const items = new Map();
  const kept = { getItem: (key) => items.get(key) ?? null, setItem: (key, text) => items.set(key, text), removeItem: (key) => items.delete(key) };
  for (const mode of ["no-mistake", "twenty-levels"]) keepRun({ mode }, kept);
  forgetRun("twenty-levels", kept);
  assert.deepEqual(["no-mistake", "twenty-levels"].map((mode) => waitingRun(mode, kept)), [{ mode: "no-mistake" }, null]);
});
