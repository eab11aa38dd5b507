import assert from "node:assert/strict";
import { test } from "node:test";

import { Commands, drawn, read } from "../../../contest/static/contest/player/play/commands.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { Play } from "../../../contest/static/contest/player/play/play.js";

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

const THROUGH = "#########|#@-$---##|####---##|####--.##|#########";

function onPage(text, page = {}) {
  const play = new Play(Level.parse(text));
  return { play, commands: new Commands(play, { ...PAGE, ...page }) };
}

test("which boxes can come to a square is said by their names", () => {
  const { ask } = textMode();
  assert.deepEqual(ask("who e2"), [["canCome", { square: "E2", squares: "C3" }]]);
  assert.deepEqual(ask("who z9"), [["noSquare", { square: "Z9" }]]);
});

test("a way through a box leaves it where it was and tells what it took", () => {
  const { play, commands } = onPage(THROUGH);
  const { boxes } = play.position;
  assert.deepEqual(commands.answer("through g2")[1], ["counted", { moves: 11, pushes: 4, home: 0, boxes: 1 }]);
  assert.deepEqual(play.position.boxes, boxes);
  assert.deepEqual(commands.answer("through a1"), [["noWay", { square: "A1" }]]);
});

test("any moment can be gone to, and only a number is one", () => {
  const { play, ask } = textMode();
  ask("dRRdrU");
  ask("at 2");
  assert.deepEqual([play.at, ask("rest")], [2, [["verbatim", { text: "RdrU" }]]]);
  ask("last");
  ask("first");
  assert.equal(play.at, 0);
  assert.deepEqual(ask("at x"), [["noMoment", { last: 6 }]]);
});

test("snapshots have the numbers 1 to 9", () => {
  const { play, commands } = onPage(THROUGH, { keep: (name) => play.keep(name), recall: (name) => play.recall(name) });
  commands.answer("r");
  assert.deepEqual(commands.answer("keep 4"), [["snapshotKept", { name: "4" }]]);
  commands.answer("undo");
  commands.answer("recall 4");
  assert.equal(play.at, 1);
  assert.deepEqual(commands.answer("keep ten"), [["noSnapshot", { name: "ten" }]]);
  assert.deepEqual(commands.answer("recall 5"), [["noSnapshot", { name: "5" }]]);
});

test("the secondary metrics, the floor not walked on and lost boxes are told", () => {
  const { ask } = textMode();
  ask("dRR");
  assert.deepEqual(ask("metrics"), [["metricsAre", { lines: 1, changes: 1, runs: 1, walks: 2 }]]);
  assert.match(ask("unvisited")[0][1].squares, /^C2 D2 E2 F2 E3 F3/);
  ask("ruLdR");
  assert.equal(ask("lost")[0][0], "lostAt");
});

test("the level is told in the alphabet asked for", () => {
  const { ask } = textMode();
  assert.match(ask("level mf8")[0][1].text, /^HHHHHHH\|Ha__/);
  assert.match(ask("level rle")[0][1].text, /^7#\|/);
  assert.match(ask("level")[0][1].text, /^#######\n/);
});
