import assert from "node:assert/strict";
import { test } from "node:test";

import { Moves, runLengthText } from "../../../contest/static/contest/player/rules/moves.js";
import { cases } from "../vectors.js";

for (const { name, text, strict, run_length = strict } of cases("moves")) {
  test(`${name}, read strictly`, () => assertReads(text, { runLength: false }, strict));
  test(`${name}, with run-lengths`, () => assertReads(text, { runLength: true }, run_length));
}

function assertReads(text, options, { steps, error: code, index = null, ...values }) {
  if (!code) {
    assert.equal(Moves.parse(text, options).steps, steps);
    return;
  }
  assert.throws(
    () => Moves.parse(text, options),
    (error) => {
      assert.deepEqual({ code: error.code, index: error.index }, { code, index });
      for (const [key, value] of Object.entries(values)) assert.equal(error.values[key], value);
      return true;
    },
  );
}

test("a limit smaller than the usual one is kept", () => {
  assert.throws(() => Moves.parse("lurd", { limit: 3 }), { code: "too_long" });
  assert.throws(() => Moves.parse("4u", { limit: 3 }), { code: "too_long" });
});

test("each step points at the character it came from", () => {
  const moves = Moves.parse("2(3(d r)\nR)");
  const characters = Array.from(moves.steps, (_, step) => moves.text[moves.indexOf(step)]);
  assert.equal(characters.join(""), moves.steps);
  assert.equal(moves.indexOf(13), 9);
});

test("a count whose digits are as many as its steps does not confuse the index", () => {
  assert.equal(Moves.parse("2u").indexOf(0), 1);
});

test("runs of three and more are written as counts", () => {
  assert.equal(runLengthText("rrrUUl"), "3rUUl");
});
