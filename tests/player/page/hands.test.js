import assert from "node:assert/strict";
import { test } from "node:test";

import { Hands } from "../../../contest/static/contest/player/page/hands.js";
import { CURSOR, REACH, SELECTED } from "../../../contest/static/contest/player/view/marks.js";
import { tableOf } from "./stand-ins.js";

const [LEFT, RIGHT, DOWN] = [0, 2, 3];
const BOX = 16;
const GOAL = 11;

function playing(board) {
  const table = tableOf(board);
  return { table, hands: new Hands(table), marked: (mark) => table.view.marks.get(mark) };
}

test("a tap on a box marks where it can go, a tap there pushes it", () => {
  const { table, hands, marked } = playing();
  hands.tap(BOX);
  assert.deepEqual(marked(SELECTED), [BOX]);
  assert.ok(marked(REACH).includes(GOAL));
  hands.tap(GOAL);
  assert.equal(table.play.letters, "dRRdrU");
  assert.deepEqual(marked(SELECTED), []);
});

test("a second tap on the box lets it go", () => {
  const { hands, marked } = playing();
  hands.tap(BOX);
  hands.tap(BOX);
  assert.equal(hands.isBusy, false);
  assert.deepEqual(marked(REACH), []);
});

test("a tap on floor walks there, and where no way leads says so", () => {
  const { table, hands } = playing();
  hands.tap(17);
  assert.equal(table.play.at, 3);
  hands.tap(0);
  assert.deepEqual(table.said.at(-1), ["noWay", { square: "A1" }]);
});

test("a drag is dropped where the box can go, and nowhere else", () => {
  const { table, hands } = playing();
  assert.equal(hands.grab(17), false);
  assert.equal(hands.grab(BOX), true);
  hands.drop(0);
  assert.equal(table.play.at, 0);
  hands.drop(GOAL);
  assert.equal(table.play.letters, "dRRdrU");
});

test("a step against a wall says what stands there", () => {
  const { table, hands } = playing();
  hands.go("step", LEFT);
  assert.deepEqual(table.said, [["wallThere"]]);
  assert.deepEqual(table.heard, []);
  table.settings.sound = true;
  hands.go("step", LEFT);
  assert.deepEqual(table.heard, ["blocked"]);
});

test("a way through boxes is said first, and gone when it is asked for again", () => {
  const { table, hands } = playing("#########|#@-$---##|####---##|####--.##|#########");
  hands.tap(15);
  assert.equal(table.said.at(-1)[0], "noWay");
  table.settings.through = true;
  hands.tap(15);
  assert.deepEqual(table.said.at(-1), ["throughCosts", { square: "G2", moves: 11, pushes: 4 }]);
  assert.equal(table.play.at, 0);
  hands.tap(15);
  assert.equal(table.play.letters, "rRRdrruLLrr");
});

test("a long press says which boxes can come to a square", () => {
  const { table, hands } = playing();
  hands.hold(17);
  assert.deepEqual(table.said.at(-1), ["canCome", { square: "D3", squares: "C3" }]);
});

test("with the cursor on, arrows move it and Enter picks", () => {
  const { table, hands, marked } = playing();
  hands.acts.enter();
  hands.go("step", RIGHT);
  hands.go("step", DOWN);
  assert.deepEqual(marked(CURSOR), [BOX]);
  assert.deepEqual(table.said.at(-1), ["cursorAt", { square: "C3", what: "box" }]);
  hands.acts.enter();
  assert.deepEqual(marked(SELECTED), [BOX]);
  hands.rest();
  assert.equal(hands.isBusy, false);
  assert.equal(table.play.at, 0);
});

test("every change lets go of the box", () => {
  const { table, hands } = playing();
  hands.tap(BOX);
  table.refresh();
  assert.equal(hands.isBusy, false);
});
