import assert from "node:assert/strict";
import { test } from "node:test";

import { bite, bites, isDead, mex, product } from "../../contest/static/contest/lab/game-rules.js";
import { Player, answer, positionAfter, read } from "../../contest/static/contest/lab/games.js";
import { cases } from "../player/vectors.js";

for (const { name, task, answer: said } of cases("games")) {
  test(`as in Python: ${name}`, () => {
    assert.deepEqual(answer(task), said);
  });
}

test("what a player remembers changes no answer", () => {
  const player = new Player();
  for (const { task, answer: said } of cases("games")) assert.deepEqual(answer(task, player), said);
});

test("the perfect player wins whenever it can, whatever the other side does", () => {
  for (const misere of [false, true]) {
    for (let seed = 1; seed <= 20; seed++) assertWon({ sum: START, misere }, seed);
  }
});

const START = [
  { game: "nim", position: [3, 2] },
  { game: "notakto", position: ["X---X----"] },
  { game: "kayles", position: [4] },
  { game: "chomp", position: [2, 2] },
];

/** Play by chance from where the other side would lose; whoever the player is, it must make good what it says. */
function assertWon(task, seed) {
  const player = new Player();
  let random = seed;
  const choose = (moves) => moves[(random = (random * 48271) % 2147483647) % moves.length];
  let here = task;
  let isOurs = player.wins(read(here).terms, here);
  const first = isOurs;
  for (;;) {
    const question = read(here);
    const all = question.terms.flatMap((one, term) => one.rules.moves(one.position).map((parts) => ({ term, parts })));
    if (!all.length) break;
    const move = isOurs ? choose(player.winningMoves(question.terms, here)) : choose(all);
    assert.ok(move, "a won position has a winning move");
    here = { ...here, sum: positionAfter(question, move) };
    isOurs = !isOurs;
  }
  assert.equal(isOurs, task.misere, `seed ${seed}, first ${first}`); // who cannot move has lost, or in misère play won
}

test("in misère play even many boards of Notakto are decided at once", () => {
  const boards = (count) => ({ game: "notakto", position: Array(count).fill("---------"), misere: true });
  assert.deepEqual([1, 2, 3, 50].map((count) => answer(boards(count)).wins), [true, false, true, false]);
});

test("rules: a bite takes all beyond it, a line kills a board, words multiply, mex is the least that lacks", () => {
  assert.deepEqual(bite([5, 4, 4, 1], 1, 2), [5, 2, 2, 1]);
  assert.deepEqual(bites([2, 1]), [[0, 1], [1, 0]]);
  assert.deepEqual([isDead("XX-------"), isDead("X---X---X")], [false, true]);
  assert.deepEqual([product("ad", "d"), product("c", "d"), product("bb", "b")], ["acc", "ad", "b"]);
  assert.equal(mex([0, 1, 3]), 2);
});

const NIM_OF_9000 = { game: "nim", position: [9_000] };
const WRONG = [
  [{ game: "go", position: [] }, "no_such_game"],
  [{ game: "toString", position: [] }, "no_such_game"],
  [{ sum: [null] }, "no_such_game"],
  [{ game: "nim", position: 5 }, "not_a_position"],
  [{ sum: 5 }, "not_a_position"],
  [{ game: "nim", position: [-1] }, "negative_number"],
  [{ game: "nim", position: [1.5] }, "not_whole"],
  [{ game: "nim", position: ["3"] }, "not_whole"],
  [{ game: "nim", position: [2_000_000] }, "too_large_number"],
  [{ game: "nim", position: Array(101).fill(1) }, "too_many_parts"],
  [{ game: "chomp", position: [1, 2] }, "not_a_position"],
  [{ game: "chomp", position: [] }, "not_a_position"],
  [{ game: "chomp", position: [40, 40] }, "too_large_number"],
  [{ game: "notakto", position: ["XO-------"] }, "not_a_position"],
  [{ game: "wythoff", position: [1] }, "not_a_position"],
  [{ game: "octal", position: [1], code: "0.9" }, "bad_code"],
  [{ game: "subtraction", position: [1], set: [0] }, "bad_subtractions"],
  [{ sum: [NIM_OF_9000, { game: "kayles", position: [1] }], misere: true }, "too_many_positions"],
];

for (const [task, code] of WRONG) {
  test(`refused: ${JSON.stringify(task).slice(0, 70)}`, () => {
    assert.throws(() => answer(task), { code });
  });
}
