import assert from "node:assert/strict";
import { test } from "node:test";

import { Commands, drawn, read } from "../../contest/static/contest/player/commands.js";
import { Level } from "../../contest/static/contest/player/level.js";
import { Play } from "../../contest/static/contest/player/play.js";

const PAGE = { best: () => [["best", {}]], fewest: () => "moves", submit: () => [["submitted", {}]] };

function textMode() {
  const play = new Play(Level.parse("#######|#@--.-#|#-$---#|#-----#|#######"));
  const commands = new Commands(play, PAGE);
  return { play, ask: (line) => commands.answer(line), keys: (line) => commands.answer(line).map(([key]) => key) };
}

test("letters are moves, run-lengths too, and words are commands", () => {
  assert.deepEqual(read("3r2U"), { command: "play", moves: "rrrUU" });
  assert.deepEqual(read("  BOX c4 "), { command: "box", words: "c4" });
  assert.deepEqual(read("行 5"), { command: "row", words: "5" });
  assert.equal(read("jump").command, "unknown");
});

test("no name of a command can be taken for moves", () => {
  for (const name of Object.values(Commands.names).flat()) assert.doesNotMatch(name, /^[lurd0-9()]+$/i);
});

test("a row is said in runs", () => {
  const { ask } = textMode();
  const [[key, { line, parts }]] = ask("row 3");
  assert.equal(key, "rowIs");
  assert.equal(line, 3);
  assert.deepEqual(parts.map(({ what, squares }) => `${what} ${squares}`), [
    "wall A3",
    "floor B3",
    "box C3",
    "floor D3–F3",
    "wall G3",
  ]);
});

test("a column is said from the top", () => {
  const [[key, { line, parts }]] = textMode().ask("column e");
  assert.equal(key, "columnIs");
  assert.equal(line, "E");
  assert.deepEqual(parts[1], { what: "goal", squares: "E2" });
});

test("rows, columns, squares and boxes that are not there are named so", () => {
  const { keys } = textMode();
  assert.deepEqual(["row 6", "row x", "column z", "to z9", "box b2"].map((line) => keys(line)[0]), [
    "noRow",
    "noRow",
    "noColumn",
    "noSquare",
    "noBox",
  ]);
});

test("a box is picked and pushed, and the level is solved", () => {
  const { play, ask, keys } = textMode();
  assert.equal(ask("box c3")[0][1].count, 14);
  assert.deepEqual(keys("to e2"), ["solvedIn", "howToSubmit"]);
  assert.equal(play.letters, "dRRdrU");
  assert.deepEqual(keys("submit"), ["submitted"]);
});

test("without a box picked, to walks", () => {
  const { play, keys } = textMode();
  keys("to d2");
  assert.equal(play.letters, "rr");
});

test("impossible moves stop where they are impossible", () => {
  const [[key, values]] = textMode().ask("rru");
  assert.equal(key, "stoppedAt");
  assert.deepEqual(values, { step: 3, letter: "u", made: 2 });
});

test("the board is drawn as it stands", () => {
  const { play, ask } = textMode();
  ask("dR");
  assert.equal(drawn(play.level, play.position)[2], "#-@$--#");
});
