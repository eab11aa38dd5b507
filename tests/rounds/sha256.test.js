import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { sha256 } from "../../contest/static/contest/rounds/sha256.js";

test("a commitment of the rulebook", () => {
  const commitment = "28968aff8c1e0e33e4f4b99de5692a80ea79b9f872d238f2a45162e654e1af65";
  assert.equal(sha256("219|17|5f0c3a9be47d21866b0e9d4fa2c7310d"), commitment);
});

test("texts of every length around the blocks agree with the platform's own", () => {
  for (let length = 0; length < 200; length += 1) {
    const text = "擂a|".repeat(length).slice(0, length);
    assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"), `length ${length}`);
  }
});
