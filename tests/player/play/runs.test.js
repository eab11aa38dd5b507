import assert from "node:assert/strict";
import { test } from "node:test";

import { momentAfter, runsAbout } from "../../../contest/static/contest/player/play/runs.js";
import { toLetters, toSteps } from "../../../contest/static/contest/player/rules/game.js";

const about = (letters, at, most = 60) => {
  const steps = toSteps(letters);
  return runsAbout({ at, length: steps.length, most }, (from, to) => steps.subarray(from, to));
};
const written = (runs) => runs.map(({ from, to, steps }) => [from, to, toLetters(steps)]);

test("a run is a walk with the pushes that follow it", () => {
  assert.deepEqual(written(about("ddRRuLlU", 3)), [[0, 4, "ddRR"], [4, 6, "uL"], [6, 8, "lU"]]);
});

test("the moves end with a walk that has led to no push so far", () => {
  assert.deepEqual(written(about("Rdd", 0)), [[0, 1, "R"], [1, 3, "dd"]]);
  assert.deepEqual(about("", 0), []);
});

test("of a long game only the runs about the present one are made", () => {
  const letters = "rR".repeat(100_000);
  const runs = about(letters, 100_000, 2);
  assert.deepEqual(runs.map(({ to }) => to), [99_996, 99_998, 100_000, 100_002, 100_004]);
  assert.deepEqual(about(letters, 0, 2).map(({ from }) => from), [0, 2, 4]);
});

test("keys lead from run to run, by steps and to the ends", () => {
  const game = { runs: about("ddRRuLlU", 5), at: 5, length: 8 };
  const codes = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
  assert.deepEqual(codes.map((code) => momentAfter(code, game)), [4, 6, 4, 6, 0, 8]);
  assert.equal(momentAfter("ArrowUp", { ...game, at: 4 }), 0);
  assert.equal(momentAfter("ArrowDown", { ...game, at: 6 }), 8);
  assert.equal(momentAfter("KeyZ", game), null);
});

test("keys lead nowhere from the ends of a game", () => {
  const empty = { runs: [], at: 0, length: 0 };
  for (const code of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) assert.equal(momentAfter(code, empty), 0);
});

test("what begins before the steps looked at is left out, unless the game is in it", () => {
  const letters = "r".repeat(2_000) + "Rr".repeat(1_600);
  const [first] = about(letters, letters.length, 10_000);
  assert.deepEqual([first.from % 2, first.steps.length], [1, 2]);
  assert.equal(about("du".repeat(10_000), 20_000)[0].to, 20_000);
});
