import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { isIncluded, leafOf } from "../../contest/static/contest/rounds/inclusion.js";
import { cases } from "../player/vectors.js";

for (const { name, leaf, index, size, proof, root, is_included: expected } of cases("inclusion")) {
  test(`as in Python: ${name}`, () => {
    assert.equal(isIncluded(leaf, index, size, proof, root), expected);
  });
}

test("a leaf is the SHA-256 of its parts", () => {
  const parts = ["0".repeat(32), 219, 1, "2026-11-21T12:00:00.000000Z", "a".repeat(64), 5];
  assert.equal(leafOf(parts), createHash("sha256").update(parts.join("|")).digest("hex"));
});
