import assert from "node:assert/strict";
import { test } from "node:test";

import { Arena, PUSH, toLetters, toSteps } from "../../../contest/static/contest/player/rules/game.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { pushRoutes, pushTargets } from "../../../contest/static/contest/player/rules/paths.js";
import { PullPosition, reversal } from "../../../contest/static/contest/player/play/pulls.js";

const BEND = Level.parse("#######|#@--.-#|#-$---#|#-----#|#######");
const [LEFT, UP, RIGHT, DOWN] = [0, 1, 2, 3];
const GOAL = 11;
const BOX = 16;

const from = (cell, letters = "") => PullPosition.start(BEND, cell).after(toSteps(letters));

test("backwards the boxes stand on the goals, and the squares where they begin are wanted", () => {
  const start = from(18);
  assert.deepEqual(start.boxes, [GOAL]);
  assert.deepEqual(start.arena.level.goals, [BOX]);
  assert.equal(start.home, 0);
  assert.ok(start.isBackward);
});

test("the player may begin on any free square that can be reached, and on no other", () => {
  assert.equal(PullPosition.start(BEND, GOAL), null);
  assert.equal(PullPosition.start(BEND, 0), null);
  assert.equal(from(8).player, 8);
});

test("the box behind comes along, the box ahead stands in the way", () => {
  const below = from(18);
  assert.equal(below.pull(DOWN), DOWN | PUSH);
  assert.equal(below.pull(LEFT), null);
  assert.equal(below.refusal(UP), "box");
  assert.equal(below.step(UP), null);
  const after = below.after([DOWN | PUSH]);
  assert.deepEqual([after.player, after.boxes, after.pushes], [25, [18], 1]);
});

test("a wall stops the player with his box", () => {
  assert.equal(from(18, "D").pull(DOWN), null);
  assert.equal(from(18, "D").refusal(DOWN), "wall");
});

test("what was pulled is taken back", () => {
  const start = from(18);
  const steps = toSteps("Ddll");
  const made = start.possible(steps);
  assert.equal(toLetters(made), "D");
  assert.deepEqual(start.after(made).before(made).boxes, start.boxes);
  assert.equal(start.after(made).before(made).man, start.man);
});

test("turned round, the steps backwards are a game", () => {
  assert.equal(reversal(toSteps("DurL")), "RldU");
});

test("where a box can be pulled is where it came from, on random boards", () => {
  let random = 11;
  const next = (most) => (random = (random * 48271) % 2147483647) % most;
  let checked = 0;
  for (let round = 0; round < 120; round++) {
    const rows = Array.from({ length: 5 }, () => Array.from({ length: 6 }, () => (next(4) ? "-" : "#")));
    const place = (glyph) => (rows[next(5)][next(6)] = glyph);
    place(".");
    place("$");
    place("@");
    const text = ["########", ...rows.map((row) => `#${row.join("")}#`), "########"].join("|");
    const level = Level.parse(text);
    if (level.unjudgeable) continue;
    const [goal] = level.goals;
    for (const cell of level.reach) {
      const start = PullPosition.start(level, cell);
      if (!start) continue;
      const targets = pushTargets(start, goal);
      for (const to of targets.cells) {
        const way = pushRoutes(start, goal, "moves", to).path(to);
        const steps = start.possible(toSteps(way));
        assert.equal(steps.length, way.length, `${text} ${cell} ${way}`);
        const end = start.after(steps);
        assert.deepEqual(end.boxes, [to]);
        const cells = level.cells.map((content) => content & 3);
        cells[to] |= 4;
        cells[end.player] |= 8;
        const forwards = Arena.of(new Level(level.width, level.height, cells)).start;
        const back = forwards.possible(toSteps(reversal(steps)));
        assert.equal(toLetters(back), reversal(steps));
        assert.deepEqual(forwards.after(back).boxes, [goal]);
        checked++;
      }
    }
  }
  assert.ok(checked > 200, `${checked}`);
});
