import assert from "node:assert/strict";
import { test } from "node:test";

import { toLetters, toSteps } from "../../../contest/static/contest/player/rules/game.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { Lines } from "../../../contest/static/contest/player/play/lines.js";

const BEND = "#######|#@--.-#|#-$---#|#-----#|#######"; // solved by dRRdrU, which ends on 18
const TWO = "########|#------#|#@$--.-#|#-$--.-#|#------#|########";
const GOAL = 11;

function lines(board = BEND) {
  return new Lines(Level.parse(board));
}

function backward(made, cell, letters) {
  made.begin(cell);
  made.play.follow(letters);
  return made;
}

test("the first time backwards the player stands where he starts", () => {
  const made = lines();
  made.turn();
  assert.ok(made.isBackward);
  assert.equal(made.play.position.player, 8);
  made.turn();
  assert.equal(made.play, made.forward);
});

test("the player chooses where to begin, never on a goal or in a wall", () => {
  const made = lines();
  assert.equal(made.begin(GOAL), false);
  assert.equal(made.begin(0), false);
  assert.equal(made.begin(18), true);
  assert.equal(made.play.position.player, 18);
});

test("several beginnings are tried, and each is found again as it was left", () => {
  const made = backward(lines(), 18, "D");
  made.begin(12);
  made.begin(17);
  assert.equal(made.play.length, 0);
  made.begin(18);
  assert.equal(toLetters(made.play.steps), "D");
  assert.deepEqual(made.kept.tries.map(({ cell }) => cell), [18]);
});

test("boxes at home are not enough: the player must come to his own start", () => {
  const made = backward(lines("#######|#-$@-.#|#######"), 11, "LLL");
  assert.ok(made.play.position.isSolved);
  assert.equal(made.play.position.player, 8);
  assert.equal(made.play.isSolved, false);
  assert.equal(made.solution, "");
});

test("backwards alone: boxes on their squares and the player at his start are a solution, replayed", () => {
  const made = lines();
  made.begin(18);
  made.play.pushTo(GOAL, 16, "moves");
  assert.ok(made.play.isSolved);
  assert.equal(made.solution, "dRRdrU");
});

test("each line for itself, the other is no target", () => {
  const made = backward(lines(), 18, "D");
  assert.deepEqual(made.targets, [16]);
  made.goForward();
  assert.equal(made.targets, null);
  made.forward.follow("dRRdr");
  assert.equal(made.solution, "");
});

test("now: the lines meet where the other stands, and the two are one solution", () => {
  const made = backward(lines(), 18, "D");
  made.meet("now");
  made.goForward();
  assert.deepEqual(made.targets, [18]);
  made.forward.follow("dRR");
  assert.equal(made.home, 1);
  assert.equal(made.solution, "dRRdrU");
});

test("now, from the other side", () => {
  const made = lines();
  made.forward.follow("dR");
  made.meet("now");
  made.begin(18);
  assert.deepEqual(made.targets, [17]);
  made.play.pushTo(GOAL, 17, "moves");
  assert.equal(made.solution.slice(0, 2), "dR");
  assert.equal(made.solution.at(-1), "U");
});

test("mark: the lines meet at the other's marked position, wherever that is now", () => {
  const made = backward(lines(), 18, "D");
  made.mark();
  made.play.follow("ll");
  made.play.undo();
  made.play.restart();
  made.goForward();
  assert.equal(made.meeting, "mark");
  assert.deepEqual(made.targets, [18]);
  made.forward.follow("dRR");
  assert.equal(made.solution, "dRRdrU");
});

test("a line that has no mark is marked where it stands when marks begin to count", () => {
  const made = backward(lines(), 18, "D");
  made.meet("mark");
  made.play.restart();
  made.goForward();
  assert.deepEqual(made.targets, [18]);
});

test("boxes alike with the player shut off from there do not meet", () => {
  const made = lines("#######|#@$.--#|#######");
  made.begin(11);
  made.meet("now");
  made.play.follow("l");
  made.goForward();
  made.forward.follow("R");
  assert.equal(made.solution, "");
});

test("two boxes by two lines", () => {
  const made = lines(TWO);
  made.begin(20);
  made.play.pushTo(21, 20, "moves");
  made.play.pushTo(29, 28, "moves");
  made.meet("now");
  made.goForward();
  made.forward.pushTo(18, 20, "pushes");
  made.forward.pushTo(26, 28, "pushes");
  assert.equal(made.home, 2);
  const { solution } = made;
  assert.ok(solution);
  made.forward.seek(0);
  made.forward.follow(solution);
  assert.ok(made.forward.isSolved);
});

test("both lines come back as they were kept", () => {
  const made = backward(lines(), 18, "D");
  made.mark();
  const again = lines();
  again.restore(structuredClone(made.kept));
  assert.ok(again.isBackward);
  assert.equal(again.meeting, "mark");
  assert.equal(toLetters(again.play.steps), "D");
  assert.deepEqual(again.kept, made.kept);
});

test("of damaged lines nothing impossible comes back", () => {
  const again = lines();
  again.restore({ isBackward: true, meeting: "?", marks: { forward: toSteps("uuu"), backward: null }, tries: [{ cell: GOAL, bytes: toSteps("D"), at: 1 }] });
  assert.equal(again.isBackward, false);
  assert.equal(again.meeting, "off");
  assert.equal(again.kept.marks.forward, null);
});

test("half a million moves forwards are met within a moment", () => {
  const made = backward(lines(), 18, "D");
  made.meet("now");
  made.goForward();
  made.forward.follow("dudu".repeat(125_000));
  const begin = process.cpuUsage();
  for (let round = 0; round < 10; round++) assert.equal(made.solution, "");
  assert.ok(process.cpuUsage(begin).user / 10 < 16_000);
});
