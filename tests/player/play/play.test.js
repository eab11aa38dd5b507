import assert from "node:assert/strict";
import { test } from "node:test";

import { toLetters } from "../../../contest/static/contest/player/rules/game.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { Play } from "../../../contest/static/contest/player/play/play.js";

const BEND = "#######|#@--.-#|#-$---#|#-----#|#######";
const [LEFT, UP, RIGHT, DOWN] = [0, 1, 2, 3];

function play(letters = "", board = BEND) {
  const made = new Play(Level.parse(board));
  made.follow(letters);
  return made;
}

test("a step into a wall makes nothing", () => {
  const game = play();
  assert.equal(game.step(UP).length, 0);
  assert.equal(game.letters, "");
});

test("to run is to walk on until something is in the way, and never to push", () => {
  const game = play("d");
  game.run(RIGHT);
  assert.equal(game.letters, "d");
  game.run(DOWN);
  assert.equal(game.letters, "dd");
  game.run(RIGHT);
  assert.equal(game.letters, "ddrrrr");
});

test("to push on stops where the box stops", () => {
  const game = play("d");
  game.push(RIGHT);
  assert.equal(game.letters, "dRRR");
});

test("a walk to a square goes round the boxes", () => {
  const game = play("d");
  game.walkTo(17);
  assert.equal(game.letters.length, 5);
  assert.equal(game.position.pushes, 0);
});

test("a box is pushed round a corner, as one intention", () => {
  const game = play();
  game.pushTo(16, 11, "moves");
  assert.equal(game.letters, "dRRdrU");
  assert.ok(game.isSolved);
  game.undo();
  assert.equal(game.letters, "");
});

test("moves are followed up to the first impossible one, with capitals put right", () => {
  const game = play();
  assert.equal(toLetters(game.follow("DRRuuu")), "dRRu");
  assert.equal(game.letters, "dRRu");
});

test("a restart is undone by one undo, until the next move", () => {
  const game = play("dRR");
  game.restart();
  assert.equal(game.letters, "");
  game.undo();
  assert.equal(game.letters, "dRR");
  game.restart();
  game.step(RIGHT);
  game.undo();
  game.undo();
  assert.equal(game.letters, "");
});

test("what was taken back is the rest", () => {
  const game = play("dRRdrU");
  game.seek(2);
  assert.equal(game.letters, "dR");
  assert.equal(game.rest, "RdrU");
  assert.equal(game.position.pushes, 1);
});

test("seeking leads to the same position as playing", () => {
  const game = play("dRRdrU");
  for (const at of [3, 0, 6, 1, 5, 6]) {
    game.seek(at);
    const again = play("dRRdrU".slice(0, at));
    assert.deepEqual(game.position.boxes, again.position.boxes);
    assert.equal(game.position.player, again.position.player);
    assert.equal(game.position.home, again.position.home);
  }
});

test("the next box change is found on the whole game", () => {
  const game = play("", "########|#@$-$-.#|#-----.#|########");
  game.follow("RdrruL");
  game.seek(0);
  game.nextBoxChange();
  assert.equal(game.letters, "R");
});

test("a snapshot brings back the moment and what led to it", () => {
  const game = play("dRR");
  game.seek(2);
  game.keep("1");
  game.follow("uu");
  assert.ok(game.recall("1"));
  assert.equal(game.letters, "dR");
  assert.equal(game.rest, "R");
  assert.equal(game.recall("2"), false);
});

test("what is kept comes back with its intentions", () => {
  const game = play();
  game.pushTo(16, 11, "pushes");
  game.step(DOWN);
  const again = play();
  assert.equal(again.restore(game.kept), game.length);
  assert.equal(again.letters, game.letters);
  again.undo();
  again.undo();
  assert.equal(again.letters, "");
});

test("of damaged storage the possible steps are taken", () => {
  const game = play("dRR");
  const { bytes } = game.kept;
  bytes[2] = 6 & ~4; // a push that claims to be a walk
  const again = play();
  assert.equal(again.restore({ bytes, at: 9 }), 2);
  assert.equal(again.letters, "dR");
});

test("the squares walked on are known", () => {
  assert.deepEqual([...play("dR").visited], [8, 15, 16]);
  assert.equal(play("l").visited.size, 1);
  assert.equal(play("d", BEND).step(LEFT).length, 0);
});

test("boxes keep the numbers they had at the start, wherever they are pushed", () => {
  const game = play("", "#######|#@$-$-#|#-.-.-#|#######");
  const [first, second] = game.start.boxes;
  assert.deepEqual(game.numbered, new Map([[first, 1], [second, 2]]));
  game.follow("R");
  assert.deepEqual(game.numbered, new Map([[first + 1, 1], [second, 2]]));
  game.undo();
  assert.equal(game.numbered.get(first), 1);
});

test("redo at the end of the line goes on by the branch left last there", () => {
  const game = play("dRRdrU");
  game.seek(1);
  game.follow("R");
  assert.equal(game.length, 2);
  assert.equal(toLetters(game.redo()), "RdrU");
  assert.ok(game.isSolved);
  assert.deepEqual(game.branches.all, []);
});

test("a branch brings back its position, and what it left becomes one", () => {
  const game = play("dRRdrU");
  game.seek(2);
  game.follow("dd");
  const [{ id }] = game.branches.all;
  assert.ok(game.takeBranch(id));
  assert.ok(game.isSolved);
  assert.equal(game.letters, "dRRdrU");
  assert.deepEqual(game.branches.all.map(({ at }) => at), [2]);
  assert.equal(game.takeBranch(99), false);
});

test("a snapshot recalled leaves a branch behind", () => {
  const game = play("dRR");
  game.keep("1");
  game.seek(1);
  game.follow("dr");
  game.recall("1");
  assert.equal(game.letters, "dRR");
  assert.equal(game.branches.all.length, 1);
});

test("branches are kept with the game, and impossible ones stop where they become so", () => {
  const game = play("dRRdrU");
  game.seek(2);
  game.follow("dd");
  const branches = structuredClone(game.branches.all);
  branches[0].steps[1] = 5; // a push where no box is
  const again = play();
  again.restore({ ...game.kept, branches });
  assert.ok(again.takeBranch(branches[0].id));
  assert.equal(again.letters, "dRR");
});

test("snapshots on the line are marks in it, those on branches are not", () => {
  const game = play("dRRdrU");
  game.keep("1");
  game.seek(1);
  game.keep("2");
  game.follow("dd");
  game.keep("3");
  assert.deepEqual(game.marks, [["2", 1], ["3", 2]]);
  game.recall("1");
  assert.deepEqual(game.marks, [["1", 6], ["2", 1]]);
});
