import assert from "node:assert/strict";
import { test } from "node:test";

import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { columnName, namedSquare, squareName } from "../../../contest/static/contest/player/rules/squares.js";
import { filled, speaker } from "../../../contest/static/contest/player/view/words.js";

test("columns are named A to Z, then AA", () => {
  assert.deepEqual([0, 25, 26, 199].map(columnName), ["A", "Z", "AA", "GR"]);
});

test("every square is found by its name, in either case", () => {
  const level = Level.parse("#".repeat(30) + "|#@$." + "-".repeat(25) + "#|" + "#".repeat(30));
  level.cells.forEach((_, cell) => assert.equal(namedSquare(level, squareName(level, cell).toLowerCase()), cell));
});

test("names of no square are none", () => {
  const level = Level.parse("#####|#@$.#|#####");
  assert.deepEqual(["", "5", "A0", "F1", "A4", "A1x", "ABCD1"].map((name) => namedSquare(level, name)), Array(7).fill(null));
});

test("a sentence has its places filled, and a missing one is an error", () => {
  assert.equal(filled("%(moves)s moves, %(other)s", { moves: 3 }), "3 moves, %(other)s");
  assert.equal(speaker({ said: "%(a)s%(a)s" })("said", { a: "x" }), "xx");
  assert.throws(() => speaker({})("missing"), /missing/);
});
