import assert from "node:assert/strict";
import { test } from "node:test";

import { isIncluded } from "../../contest/static/contest/rounds/inclusion.js";
import { cases } from "../player/vectors.js";

for (const { name, leaf, index, size, proof, root, is_included: expected } of cases("inclusion")) {
  test(`as in Python: ${name}`, () => {
    assert.equal(isIncluded(leaf, index, size, proof, root), expected);
  });
}
