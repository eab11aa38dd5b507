import assert from "node:assert/strict";
import { test } from "node:test";

import { Acts } from "../../../contest/static/contest/player/page/acts.js";
import { Hands } from "../../../contest/static/contest/player/page/hands.js";
import { tableOf } from "./stand-ins.js";

const BOX = 16;

/** All acts of a table, with a page that notes what is asked of it. */
function acting({ drawer = null } = {}) {
  const table = tableOf();
  const asked = [];
  const note = (name) => (what) => asked.push([name, what]);
  const hands = new Hands(table);
  const menu = { isOpen: false, acts: {}, close: note("close") };
  const keeping = { acts: { keep: note("keep") }, keep: note("keep"), recall: note("recall") };
  const watching = { acts: { first: note("first") }, pause: note("pause") };
  return { table, hands, menu, asked, acts: new Acts(table, { hands, keeping, watching, menu }, drawer) };
}

test("directions are steps, and with push or run in front more of them", () => {
  const { table, acts } = acting();
  acts.act("down");
  acts.act("push-right");
  assert.equal(table.play.letters, "dRRR");
  acts.act("run-up");
  assert.equal(table.play.letters, "dRRRu");
});

test("whatever is done, a game that plays by itself pauses", () => {
  const { acts, asked } = acting();
  acts.act("down");
  assert.deepEqual(asked, [["pause", undefined]]);
});

test("snapshots go by their names", () => {
  const { acts, asked } = acting();
  acts.act("keep-3");
  acts.act("recall-3");
  assert.deepEqual(asked.filter(([name]) => name !== "pause"), [["keep", "3"], ["recall", "3"]]);
});

test("each part brings its acts, and what nobody has is a mistake", () => {
  const { acts, asked } = acting();
  acts.act("first");
  assert.equal(asked.at(-1)[0], "first");
  assert.throws(() => acts.act("fly"), /fly/);
});

test("back and forth at every grain", () => {
  const { table, acts } = acting();
  acts.act("push-down");
  acts.act("push-right");
  acts.act("back");
  assert.equal(table.play.at, table.play.length - 1);
  acts.act("forth");
  acts.act("undo-push");
  assert.equal(table.play.at, 0);
  acts.act("redo");
  assert.equal(table.play.letters, "dd");
  acts.act("restart");
  assert.equal(table.play.at, 0);
  acts.act("undo");
  assert.equal(table.play.letters, "dd");
});

test("Escape lets go of what is held, then closes what is open, then begins again", () => {
  const drawer = { isOpen: true, close: () => (drawer.isOpen = false) };
  const { table, hands, menu, asked, acts } = acting({ drawer });
  acts.act("down");
  hands.tap(BOX);
  acts.act("escape");
  assert.equal(hands.isBusy, false);
  acts.act("escape");
  assert.equal(drawer.isOpen, false);
  menu.isOpen = true;
  acts.act("escape");
  assert.deepEqual(asked.at(-1), ["close", undefined]);
  menu.isOpen = false;
  acts.act("escape");
  assert.equal(table.play.at, 0);
});
