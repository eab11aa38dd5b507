import assert from "node:assert/strict";
import { test } from "node:test";

import { Level } from "../../contest/static/contest/player/rules/level.js";
import { newSalt, sealedText, solved } from "../../contest/static/contest/rounds/sealing.js";
import { sha256 } from "../../contest/static/contest/rounds/sha256.js";

test("the text and its hash are those of rules/sealed_answers.py", () => {
  const text = sealedText(219, "main", 4711, "0".repeat(32), "rR");
  assert.equal(text, `leitai-sealed-1\n219/main\n4711\n${"0".repeat(32)}\nrR`);
  assert.equal(sha256(text), "b8bc80554886ea287801d6d3b4a1b16fa91c20b555285380d43fc6c6f7c86c15");
});

test("a salt has 128 random bits", () => {
  const salts = new Set(Array.from({ length: 50 }, newSalt));
  assert.equal(salts.size, 50);
  for (const salt of salts) assert.match(salt, /^[0-9a-f]{32}$/);
});

test("what is pasted is hashed as far as it counts, in the letters of the judge", () => {
  const level = Level.parse("######|#@-$.#|######");
  assert.deepEqual(solved(level, "Solution: 2r l"), { lurd: "rR", moves: 2, pushes: 1 });
  for (const text of ["r", "u", "?", ""]) assert.equal(solved(level, text), null);
});
