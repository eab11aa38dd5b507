// Links to beat a solution, and what counts as beaten.

import assert from "node:assert/strict";
import { test } from "node:test";

import { asLink, compare, solutionIn } from "../../contest/static/contest/beat/link.js";

const HERE = { origin: "https://site.example", pathname: "/en/collections/leitai/3/play/" };

test("a link brings the moves, and a replay goes by its number", () => {
  assert.equal(asLink(HERE, "rR"), "https://site.example/en/collections/leitai/3/play/#beat=rR");
  assert.equal(solutionIn("#beat=rR").letters, "rR");
  assert.deepEqual([solutionIn("#beat=6-12").round, solutionIn("#beat=6-12").number], ["6", "12"]);
  assert.equal(solutionIn("#beat=../12").letters, undefined);
  assert.equal(asLink(HERE, "r".repeat(6_001)), "");
});

test("fewer moves or fewer pushes beat, equal ones do not", () => {
  const other = { moves: 214, pushes: 57 };
  const said = [[210, 50], [213, 60], [220, 56], [214, 57]].map(([moves, pushes]) => compare({ moves, pushes }, other));
  assert.deepEqual(said.map(({ words }) => words), ["beatenBoth", "beatenMoves", "beatenPushes", "notBeaten"]);
  assert.deepEqual(said.map(({ isBeaten }) => isBeaten), [true, true, true, false]);
});
