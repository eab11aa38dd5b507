import assert from "node:assert/strict";
import { test } from "node:test";

import { blocksAround, cutCells } from "../../contest/static/contest/lab/sokoban/blocks.js";
import { rebuilt } from "../../contest/static/contest/lab/sokoban/rebuild.js";
import { Search } from "../../contest/static/contest/lab/sokoban/savitch.js";
import { member } from "../../contest/static/contest/lab/sokoban/series.js";
import { Arena, replay } from "../../contest/static/contest/player/rules/game.js";
import { Level } from "../../contest/static/contest/player/rules/level.js";
import { Moves } from "../../contest/static/contest/player/rules/moves.js";
import { cases } from "../player/vectors.js";

const CASES = cases("studies");

function each(fact, check) {
  const found = CASES.filter((one) => fact in one);
  assert.ok(found.length);
  for (const one of found) test(`${fact}: ${one.name}`, () => check(one));
}

each("series", ({ series, number, error, level, ...numbers }) => {
  if (error) {
    assert.throws(() => member(series, number), error);
    return;
  }
  const found = member(series, number);
  assert.equal(found.level.publishedText, level);
  assert.deepEqual({ solution: found.solution, moves: found.moves, pushes: found.pushes, name: numbers.name }, numbers);
  const { verdict, moves, pushes } = replay(found.level, Moves.parse(found.solution));
  assert.deepEqual([verdict, moves, pushes], ["solved", numbers.moves, numbers.pushes]);
});

each("lurd", ({ lurd, level, error }) => {
  if (error) assert.throws(() => rebuilt(lurd), error);
  else assert.equal(rebuilt(lurd).publishedText, level);
});

each("blocks", ({ level, box, blocks, cuts }) => {
  const found = blocksAround(Arena.of(Level.parse(level)).start, box);
  assert.deepEqual(found, blocks);
  assert.deepEqual(cutCells(found), cuts);
});

each("savitch", ({ savitch, solvable, questions, bits, states, breadth_first_bits: breadthFirstBits }) => {
  const search = new Search(Level.parse(savitch));
  const asking = search.decide();
  let step = asking.next();
  while (!step.done) step = asking.next();
  assert.deepEqual([step.value, search.asked, search.mostBits], [solvable, questions, bits]);
  assert.deepEqual([search.size, search.breadthFirstBits], [states, breadthFirstBits]);
});
