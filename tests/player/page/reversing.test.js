import assert from "node:assert/strict";
import { test } from "node:test";

import { Hands } from "../../../contest/static/contest/player/page/hands.js";
import { Reversing } from "../../../contest/static/contest/player/page/reversing.js";
import { tableOf } from "./stand-ins.js";

const GOAL = 11;
const BOX = 16;
const [UP, DOWN] = [1, 3];

function playing() {
  const table = tableOf();
  const hands = new Hands(table);
  const reversing = new Reversing(table);
  reversing.watch();
  return { table, hands, reversing };
}

test("backwards the player is put on the square that is tapped, until he has moved", () => {
  const { table, hands, reversing } = playing();
  reversing.acts.reverse();
  assert.deepEqual(table.said.at(-1), ["placeToBegin"]);
  assert.deepEqual(table.view.aims, [BOX]);
  hands.tap(18);
  assert.equal(table.play.position.player, 18);
  hands.go("push", DOWN);
  assert.equal(table.play.letters, "D");
  hands.tap(24);
  assert.equal(table.play.position.player, 24);
  assert.equal(table.play.letters, "Dl");
});

test("another beginning is tried when it is asked for, never on a goal", () => {
  const { table, hands, reversing } = playing();
  reversing.acts.reverse();
  hands.tap(18);
  hands.go("push", DOWN);
  hands.acts["begin-elsewhere"]();
  hands.tap(GOAL);
  assert.equal(table.said.at(-1)[0], "cannotBegin");
  hands.acts["begin-elsewhere"]();
  hands.tap(12);
  assert.equal(table.play.cell, 12);
});

test("a box ahead stands in the way, and without one behind there is nothing to pull", () => {
  const { table, hands, reversing } = playing();
  reversing.acts.reverse();
  hands.tap(18);
  hands.go("step", UP);
  assert.deepEqual(table.said.at(-1), ["boxAhead"]);
  hands.go("push", 0);
  assert.deepEqual(table.said.at(-1), ["nothingToPull"]);
});

test("solved backwards, the solution is shown forwards", () => {
  const { table, hands, reversing } = playing();
  reversing.acts.reverse();
  hands.tap(18);
  hands.tap(GOAL);
  hands.tap(BOX);
  assert.equal(table.lines.isBackward, false);
  assert.equal(table.play.letters, "dRRdrU");
  assert.ok(table.play.isSolved);
  assert.deepEqual(table.said.at(-1), ["linesMet", { moves: 6, pushes: 3 }]);
  assert.ok(table.lines.backward.isSolved); // it is still there
});

test("both ways: the line forwards comes to where the other stands, and the two are shown as one", () => {
  const { table, hands, reversing } = playing();
  reversing.acts.reverse();
  hands.tap(18);
  hands.go("push", DOWN);
  reversing.acts.reverse();
  reversing.acts.meet();
  assert.deepEqual(table.view.aims, [18]);
  hands.tap(BOX);
  hands.tap(18);
  assert.equal(table.play.letters, "dRRdrU");
  assert.deepEqual(table.said.at(-1), ["linesMet", { moves: 6, pushes: 3 }]);
});
