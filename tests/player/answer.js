// Answer questions from standard input, for tests/solvers/sokoban/test_agreement.py: one JSON list in, one out.

import { readFileSync } from "node:fs";

import { Arena, DOWN, LEFT, LETTERS, RIGHT, UP, replay, toSteps } from "../../contest/static/contest/player/rules/game.js";
import { deadSquares, frozenBoxes } from "../../contest/static/contest/player/rules/deadlocks.js";
import { Level } from "../../contest/static/contest/player/rules/level.js";
import { measure } from "../../contest/static/contest/player/rules/metrics.js";
import { Moves } from "../../contest/static/contest/player/rules/moves.js";
import { pushRoutes, pushTargets, reach } from "../../contest/static/contest/player/rules/paths.js";
import { judge } from "../../contest/static/contest/player/rules/reading.js";

const ANSWERS = {
  level({ text }) {
    const level = Level.parse(text);
    return {
      published: level.publishedText,
      players: level.players,
      boxes: level.boxes,
      goals: level.goals,
      reach: [...level.reach].sort(rising),
      region: [...level.region].sort(rising),
      problems: level.problems.map(({ code, values, cells }) => [code, values, cells]),
      canonical: level.players.length === 1 ? level.canonicalForm : null,
      turned: level.transformed(5).publishedText,
      run_length: level.runLengthText,
      mf8: level.mf8Text,
      compact: level.compactText,
      dead: [...deadSquares(level)].sort(rising),
      frozen: [...frozenBoxes(level, level.boxes)].sort(rising),
    };
  },
  moves({ text, run_length: runLength }) {
    const moves = Moves.parse(text, { runLength });
    return { steps: moves.steps, indexes: Array.from(moves.steps, (_, step) => moves.indexOf(step)) };
  },
  replay({ level, moves }) {
    const result = replay(Level.parse(level), Moves.parse(moves));
    return { ...result, metrics: measure(result.lurd) };
  },
  game({ level, lurd }) {
    const steps = toSteps(lurd);
    const { start } = Arena.of(Level.parse(level));
    const position = start.after(steps);
    const { player, boxes } = position.before(steps);
    return {
      legal: [LEFT, UP, RIGHT, DOWN]
        .map((side) => position.step(side))
        .filter((step) => step !== null)
        .map((step) => LETTERS[step]),
      player: position.player,
      boxes: position.boxes,
      counts: [position.moves, position.pushes],
      undone: [player, boxes],
    };
  },
  reading({ levels, text, limit }) {
    const { error, solved, replay: result, leftOut, ...facts } = judge(levels.map(Level.parse), text, limit);
    return {
      ...facts,
      lurd: result && result.lurd,
      left_out: leftOut.map(({ line, text: part }) => [line, part]),
      solved: solved.map(({ start, level }) => [start, level]),
    };
  },
  paths({ level, box }) {
    const { start } = new Arena(Level.parse(level));
    const targets = pushTargets(start, box);
    const byMoves = pushRoutes(start, box, "moves");
    const byPushes = pushRoutes(start, box, "pushes");
    return {
      reach: reach(start).sort(rising),
      targets: targets.cells.map((cell) => [cell, targets.pushes(cell), targets.path(cell)]),
      fewest_moves: byMoves.cells.map((cell) => [cell, byMoves.moves(cell), byMoves.pushes(cell), byMoves.path(cell)]),
      fewest_pushes: byPushes.cells.map((cell) => [cell, byPushes.moves(cell), byPushes.pushes(cell), byPushes.path(cell)]),
    };
  },
};

function answer({ ask, ...question }) {
  try {
    return ANSWERS[ask](question);
  } catch (error) {
    if (!error.code) throw error;
    return { error: error.code, index: error.index, line: error.line, column: error.column };
  }
}

function rising(a, b) {
  return a - b;
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(answer)));
