import assert from "node:assert/strict";
import { test } from "node:test";

import { Arena, DOWN, LEFT, RIGHT, UP, replay, toLetters, toSteps } from "../../../contest/static/contest/player/rules/game.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { Moves } from "../../../contest/static/contest/player/rules/moves.js";
import { cases } from "../vectors.js";

for (const { name, level, moves, expected, error, problem } of cases("replays")) {
  test(name, () => {
    const play = () => replay(Level.parse(level), Moves.parse(moves));
    if (error) {
      assert.throws(play, (thrown) => thrown.code === error && thrown.values.problem.code === problem);
      return;
    }
    const result = play();
    for (const [field, value] of Object.entries(expected)) assert.equal(result[field], value, field);
  });
}

const level = Level.parse("######|#-.-##|#-$@-#|##-$-#|#-.--#|######");

test("a step makes a new position and leaves the old one as it was", () => {
  const { start } = Arena.of(level);
  const next = start.after([start.step(DOWN)]);
  assert.deepEqual([start.player, start.boxes, start.moves, start.pushes], [15, [14, 21], 0, 0]);
  assert.deepEqual([next.player, next.boxes, next.moves, next.pushes], [21, [14, 27], 1, 1]);
});

test("a step tells whether it pushes, and an impossible one why", () => {
  const { start } = Arena.of(level);
  assert.equal(toLetters([start.step(DOWN), start.step(RIGHT), start.step(LEFT)]), "DrL");
  const below = start.after(toSteps("D"));
  assert.equal(below.step(DOWN), null);
  assert.equal(below.refusal(DOWN), "box_against_wall");
  assert.equal(start.refusal(UP), null);
});

test("a position is solved when every box is home", () => {
  const { start } = Arena.of(level);
  assert.equal(start.isSolved, false);
  assert.equal(start.after(toSteps("DrdLulU")).isSolved, true);
});

test("steps taken back lead to the position before them", () => {
  const { start } = Arena.of(level);
  const steps = toSteps("DrdLulU");
  for (let at = 0; at <= steps.length; at++) {
    const [back, there] = [start.after(steps).before(steps.subarray(at)), start.after(steps.subarray(0, at))];
    assert.deepEqual({ ...back, facing: null }, { ...there, facing: null });
  }
});

test("the player looks where he went last, or where a step went that was taken back", () => {
  const { start } = Arena.of(level);
  const walked = start.after(toSteps("Dr"));
  assert.deepEqual([start.facing, walked.facing, walked.after([]).facing], [DOWN, RIGHT, RIGHT]);
  assert.equal(walked.after(toSteps("d")).before(toSteps("d")).facing, DOWN);
});

test("the scored moves replayed again give the same result", () => {
  const once = replay(level, Moves.parse("drdlulullll"));
  assert.deepEqual(replay(level, Moves.parse(once.lurd)), { ...once, cut: 0, case_corrected: false });
});

test("cells and squares are two numberings of one board", () => {
  const arena = Arena.of(level);
  for (let cell = 0; cell < level.cells.length; cell++) assert.equal(arena.cell(arena.square(cell)), cell);
});
