import assert from "node:assert/strict";
import { test } from "node:test";

import { Watching } from "../../../contest/static/contest/player/page/watching.js";
import { tableOf } from "./stand-ins.js";

/** A clock that ticks when it is told. */
class Clock {
  isRunning = false;
  start(_perSecond, tick) {
    this.isRunning = true;
    this.tick = tick;
  }
  stop() {
    this.isRunning = false;
  }
}

function watching(letters) {
  const table = tableOf();
  table.play.follow(letters);
  const clock = new Clock();
  return { table, clock, watch: new Watching(table, clock, () => {}) };
}

test("playing begins again at the start and stops at the end", () => {
  const { table, clock, watch } = watching("dRRdrU");
  watch.acts.play();
  assert.ok(table.classes.has("playing"));
  assert.equal(table.play.at, 0);
  assert.equal(clock.tick(4), true);
  assert.equal(table.play.letters, "dRRd");
  assert.equal(clock.tick(4), false);
  assert.equal(table.play.letters, "dRRdrU");
  assert.equal(clock.isRunning, false);
  assert.ok(!table.classes.has("playing"));
});

test("it plays backwards too, and the same act pauses", () => {
  const { table, clock, watch } = watching("dRR");
  watch.acts["play-back"]();
  clock.tick(1);
  watch.acts["play-back"]();
  assert.equal(clock.isRunning, false);
  assert.equal(table.play.letters, "dR");
});

test("seeking pauses and shows the moment", () => {
  const { table, clock, watch } = watching("dRR");
  watch.acts["play-back"]();
  watch.seek(1);
  assert.equal(clock.isRunning, false);
  assert.equal(table.play.letters, "d");
});
