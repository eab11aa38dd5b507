import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Atlas, numberOf, solve } from "../../contest/static/contest/lab/klotski-search.js";
import {
  Layout,
  MIRRORS,
  isAnswered,
  layoutAfter,
  legalMoves,
  moveText,
  question,
  replay,
  whyNot,
} from "../../contest/static/contest/lab/klotski.js";
import { cases } from "../player/vectors.js";

const CASES = cases("klotski");
const atlas = new Atlas(readFileSync(new URL("../../solvers/klotski/exit.bin", import.meta.url)));
const GOALS = ["exit", ...MIRRORS];

const inLine = (layout) => String(layout).replaceAll("\n", " ");

/** A test for each case that has this fact. */
function each(fact, what, check) {
  const found = CASES.filter((one) => fact in one);
  assert.ok(found.length);
  for (const one of found) test(`${what}: ${one.name}`, () => check(one));
}

each("cells", "a text is this board", ({ text, cells, names }) => {
  const layout = Layout.parse(text);
  assert.deepEqual([layout.cells, layout.names], [cells, names]);
});

each("error", "a text is refused", ({ text, error }) => {
  assert.throws(() => Layout.parse(text), error);
});

each("moves", "the moves of a board", ({ text, moves }) => {
  assert.deepEqual(legalMoves(Layout.parse(text)).map(moveText), moves);
});

each("images", "the mirror images of a board", ({ text, images, horizontals, solved }) => {
  const layout = Layout.parse(text);
  assert.deepEqual(Object.fromEntries(MIRRORS.map((mirror) => [mirror, inLine(layout.mirrored(mirror))])), images);
  assert.deepEqual([layout.horizontals, layout.isSolved], [horizontals, solved]);
});

each("number", "the number of a board", ({ text, number }) => {
  assert.equal(numberOf(Layout.parse(text)), number);
});

each("best", "the first moves of shortest ways out", ({ text, best }) => {
  assert.deepEqual(atlas.bestMoves(Layout.parse(text)).map(moveText), best);
});

each("least", "the least moves to every goal, by ways that lead there", ({ text, least }) => {
  const layout = Layout.parse(text);
  for (const goal of GOALS) {
    const way = solve(layout, goal);
    assert.equal(way?.length ?? null, least[goal], goal);
    if (way) assertLeads(question(layout, goal), way);
  }
  const byAtlas = atlas.solution(layout);
  assert.equal(byAtlas?.length ?? null, least.exit);
  if (byAtlas) assertLeads(question(layout), byAtlas);
});

function assertLeads(asked, way) {
  assert.equal(isAnswered(asked, play(asked.start, way)), true);
  const { verdict, moves } = replay(asked, way.map(moveText).join(" "));
  assert.deepEqual([verdict, moves], ["solved", way.length]);
}

function play(start, way) {
  return way.reduce((layout, move) => {
    assert.equal(whyNot(layout, move), null);
    return layoutAfter(layout, move);
  }, start);
}

each("replay", "what written moves come to", ({ text, goal, strict, played, replay: said, ends, ...more }) => {
  const asked = question(Layout.parse(text), goal, { isStrict: strict });
  if (said.error) {
    assert.throws(() => replay(asked, played), { code: said.error, index: said.index });
    return;
  }
  const { layouts, ...result } = replay(asked, played);
  assert.deepEqual(result, said);
  assert.equal(inLine(layouts.at(-1)), ends);
  if (strict) assert.equal(layouts.at(-1).namedText.replaceAll("\n", " "), more.ends_named);
});

test("the way to a mirror image, met half way, is as long as the one a whole search finds", () => {
  for (const { text } of CASES.filter(({ name, least }) => least && name.startsWith("by chance"))) {
    const layout = Layout.parse(text);
    for (const mirror of MIRRORS) {
      assert.equal(solve(layout, mirror)?.length, solve(layout, layout.mirrored(mirror))?.length, `${text} ${mirror}`);
    }
  }
});

test("from any layout to any other, and back, in as many moves", () => {
  const start = Layout.parse("VCCV VCCV VHHV VooV o..o");
  const there = [...legalMoves(start)].reduce((layout) => layoutAfter(layout, legalMoves(layout).at(-1)), start);
  const way = solve(start, there);
  assert.equal(inLine(play(start, way)), inLine(there));
  assert.equal(solve(there, start).length, way.length);
});

test("layouts with other numbers of horizontals never meet", () => {
  const [one, two] = ["VCCV VCCV VHHV VooV o..o", "VCCo VCCo HHoo VHHV V..V"].map((text) => Layout.parse(text));
  assert.equal(solve(one, two), null);
});

test("a strict question to another layout needs the same names", () => {
  const [plain, named] = ["VCCVVCCVVHHVVooVo..o", "aCCbaCCbcddgc12g3..4"].map((text) => Layout.parse(text));
  assert.throws(() => question(plain, plain, { isStrict: true }), { code: "without_names" });
  assert.throws(() => question(named, plain, { isStrict: true }), { code: "without_names" });
  assert.equal(isAnswered(question(named, named, { isStrict: true }), named), true);
});
