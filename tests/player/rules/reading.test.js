import assert from "node:assert/strict";
import { test } from "node:test";

import { replay } from "../../../contest/static/contest/player/rules/game.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { Moves } from "../../../contest/static/contest/player/rules/moves.js";
import { candidates, judge } from "../../../contest/static/contest/player/rules/reading.js";
import { cases } from "../vectors.js";

for (const { name, level, text, strict, run_length, lenient } of cases("readings")) {
  test(`${name}, in each reader`, () => {
    assert.equal(readAs(level, text, { runLength: false }), strict, "strict");
    assert.equal(readAs(level, text, { runLength: true }), run_length, "with run-lengths");
    const { outcome, why } = judge([Level.parse(level)], text);
    assert.equal(["reverse_mode", "several_pushers"].includes(why) ? why : outcome, lenient, "lenient");
  });
}

function readAs(level, text, options) {
  try {
    return replay(Level.parse(level), Moves.parse(text, { ...options, limit: 1_000_000 })).verdict;
  } catch ({ code }) {
    return code === "too_long" ? code : "malformed";
  }
}

const right = Level.parse("#####|#@$.#|#####");
const down = Level.parse("###|#@#|#$#|#.#|###");
const far = Level.parse("#######|#@-$-.#|#-----#|#######");

test("moves are found behind a head, and their place is told", () => {
  const found = candidates("Solution/Moves 3/1\nrrU\n\nthanks!");
  assert.deepEqual(found.map(({ start, moves }) => [start, moves.steps]), [[19, "rrU"]]);
});

test("other text parts two blocks, a blank line does not", () => {
  const found = candidates("rr\n\nuu\nand\nll");
  assert.deepEqual(found.map(({ moves }) => moves.steps), ["rruu", "ll"]);
});

test("places are counted in code points", () => {
  const judgement = judge([right], "\u{1f600} look:\n1u");
  assert.deepEqual([judgement.outcome, judgement.index, judgement.step, judgement.why], ["illegal", 9, 1, "wall"]);
});

test("what is left out around a sign beyond the basic plane is quoted as it was pasted", () => {
  const judgement = judge([right], "\u{1f600} 𠀀: R \u{1f600}!");
  assert.deepEqual(judgement.leftOut, [{ line: 1, text: "\u{1f600} 𠀀:" }, { line: 1, text: "\u{1f600}!" }]);
});

test("a text of very many parts is not looked through", () => {
  for (const part of ["1l", "(l)", "l\n"]) {
    const { outcome, why } = judge([right], part.repeat(40_001));
    assert.deepEqual([outcome, why], ["too_long", "too_many_parts"]);
    assert.deepEqual(candidates(part.repeat(40_001)), []);
  }
});

test("a long text is read by lines and letters only", () => {
  const outcome = (text) => judge([right], text).outcome;
  const many = "uno, ".repeat(40_000);
  assert.equal(outcome('uno, uno, "R".'), "solved");
  assert.deepEqual([outcome(`${many}\nR`), outcome(`${many}"R".`)], ["solved", "malformed"]);
});

test("a title that looks like moves is left out if the rest solves", () => {
  const judgement = judge([right], "Dull\nR");
  assert.deepEqual([judgement.outcome, judgement.replay.lurd], ["solved", "R"]);
});

test("of several solutions the one with the fewest moves counts, and all are listed", () => {
  const judgement = judge([far], "first:\nrdurRR\nsecond:\nrRR");
  assert.deepEqual([judgement.outcome, judgement.replay.moves], ["solved", 3]);
  assert.deepEqual(judgement.solved.map((one) => one.replay.moves), [5, 3]);
});

test("a text takes the first level it solves", () => {
  assert.equal(judge([right, down], "D").level, 1);
});

test("a text that solves none is told for the level on which it got furthest", () => {
  const judgement = judge([down, far], "rru");
  assert.deepEqual([judgement.outcome, judgement.level, judgement.step], ["illegal", 1, 3]);
});

test("the reading is named, and what it left out is listed with its line", () => {
  const { reading, leftOut } = judge([right], "well:\n“R”, “R”\n");
  assert.equal(reading, "words");
  assert.deepEqual(leftOut, [
    { line: 1, text: "well:" },
    { line: 2, text: "“" },
    { line: 2, text: "”, “" },
    { line: 2, text: "”" },
  ]);
  assert.deepEqual(judge([right], "> →,").leftOut, []);
});

test("a level that cannot be judged is passed over", () => {
  const broken = Level.parse("#####|#@$-#|#####");
  assert.equal(judge([broken, right], "R").level, 1);
  assert.deepEqual([judge([broken], "R").outcome, judge([broken], "R").why], ["bad_level", "boxes_goals"]);
});

test("no level at all solves nothing", () => {
  assert.equal(judge([], "R").outcome, "empty");
});

test("thousands of lines that might be moves are bounded", () => {
  const { user } = process.cpuUsage();
  judge([right], "l\n\n".repeat(20_000));
  judge([right], "l\nx\n".repeat(20_000));
  judge([right], "900000u\nx\n".repeat(20_000));
  assert.ok(process.cpuUsage().user - user < 5_000_000);
});
