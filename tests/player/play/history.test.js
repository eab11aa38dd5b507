import assert from "node:assert/strict";
import { test } from "node:test";

import { toLetters, toSteps } from "../../../contest/static/contest/player/rules/game.js";
import { History } from "../../../contest/static/contest/player/play/history.js";

/** A history in which each word was one intention. */
function history(...words) {
  const made = new History();
  for (const word of words) made.add(toSteps(word));
  return made;
}

const present = (made) => toLetters(made.steps());

test("steps added are steps made", () => {
  const made = history("r", "uuL", "D");
  assert.equal(present(made), "ruuLD");
  assert.equal(made.at, 5);
});

test("undo takes back one intention", () => {
  const made = history("r", "uuL", "D");
  assert.equal(toLetters(made.undo()), "D");
  assert.equal(toLetters(made.undo()), "uuL");
  assert.equal(present(made), "r");
});

test("undo by one push takes back the last push and the walk after it", () => {
  const made = history("Ruu", "Ldr");
  assert.equal(toLetters(made.undo("push")), "Ldr");
  assert.equal(toLetters(made.undo("push")), "Ruu");
  assert.equal(toLetters(made.undo("push")), "");
});

test("undo by one push with no push left takes back the walk", () => {
  const made = history("ruu");
  assert.equal(toLetters(made.undo("push")), "ruu");
});

test("undo by one step takes back one step", () => {
  const made = history("ruuL");
  assert.equal(toLetters(made.undo("step")), "L");
  assert.equal(present(made), "ruu");
});

test("redo makes again what undo took back, at each grain", () => {
  const made = history("r", "uuL", "dD");
  made.seek(0);
  assert.equal(toLetters(made.redo()), "r");
  assert.equal(toLetters(made.redo("step")), "u");
  assert.equal(toLetters(made.redo("push")), "uL");
  assert.equal(toLetters(made.redo()), "dD");
  assert.equal(toLetters(made.redo()), "");
});

test("redo of an intention begun in the middle goes to its end", () => {
  const made = history("uuL", "D");
  made.seek(1);
  assert.equal(toLetters(made.redo()), "uL");
});

test("a new step forgets what was taken back", () => {
  const made = history("r", "uuL");
  made.undo();
  made.add(toSteps("d"));
  assert.equal(present(made), "rd");
  assert.equal(made.length, 2);
  assert.equal(toLetters(made.redo()), "");
});

test("a restart can be undone", () => {
  const made = history("r", "uuL");
  made.seek(0);
  assert.equal(present(made), "");
  made.seek(made.length);
  assert.equal(present(made), "ruuL");
});

test("an intention without a step is none", () => {
  const made = history("r", "");
  assert.equal(toLetters(made.undo()), "r");
});

test("a history stored and brought back has its intentions and its cursor", () => {
  const made = history("r", "uuL", "D");
  made.undo();
  const again = History.from(made.bytes(), made.at);
  assert.equal(present(again), "ruuL");
  assert.equal(toLetters(again.redo()), "D");
  again.undo();
  assert.equal(toLetters(again.undo()), "uuL");
});

test("a history grows to half a million steps", () => {
  const made = new History();
  for (let at = 0; at < 500_000; at++) made.add([at & 3]);
  assert.equal(made.length, 500_000);
  assert.equal(present(made).slice(0, 8), "lurdlurd");
});
