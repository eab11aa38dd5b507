import assert from "node:assert/strict";
import { test } from "node:test";

import { exploring } from "../../contest/static/contest/lab/logic/exploring.js";
import { decide, parse, written } from "../../contest/static/contest/lab/logic/formulas.js";
import { placed } from "../../contest/static/contest/lab/logic/placing.js";
import { reduced } from "../../contest/static/contest/lab/logic/reducing.js";
import { PuzzleError } from "../../contest/static/contest/player/rules/errors.js";
import { cases } from "../player/vectors.js";

const CASES = cases("logic");

function each(fact, check) {
  const found = CASES.filter((one) => fact in one);
  assert.ok(found.length);
  for (const one of found) test(`${fact}: ${one.name}`, () => check(one));
}

function explored({ graph, heads, goal }, most = Infinity) {
  const search = exploring(graph, heads, goal, most);
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
  }
}

each("prefix", ({ text, prefix, clauses, written: again, decision }) => {
  const formula = parse(text);
  assert.deepEqual(formula, { prefix, clauses });
  assert.equal(written(formula), again);
  assert.deepEqual(Object.values(decide(formula)), decision);
});

each("error", ({ text, error: { code, line } }) => {
  assert.throws(() => parse(text), (error) => error instanceof PuzzleError && error.code === code && error.line === line);
});

each("unreduced", ({ text, unreduced: code }) => {
  assert.throws(() => reduced(parse(text)), { code });
});

each("graph", ({ text, graph: { edges, ...graph } }) => {
  const { graph: made, heads, goal, variables } = reduced(parse(text));
  assert.deepEqual(made.edges.map(({ one, other, weight }) => [one, other, weight]), edges);
  assert.deepEqual({ vertices: made.vertices, heads, goal, variables }, graph);
});

each("turns", ({ text, turns, met }) => {
  const made = reduced(parse(text));
  const found = explored(made);
  assert.equal(found.turns?.length ?? null, turns);
  if (turns === null) {
    assert.equal(found.met, met);
    return;
  }
  let { heads } = made;
  for (const number of found.turns) heads = made.graph.turned(heads, number);
  assert.equal(heads[made.goal[0]], made.goal[1]);
});

each("placing", ({ text, placing: { size, vertices, lines, fed } }) => {
  const found = placed(reduced(parse(text)).graph);
  assert.deepEqual([found.width, found.height], size);
  assert.deepEqual(Object.fromEntries(found.vertices), vertices);
  assert.deepEqual(Object.fromEntries(found.lines), lines);
  assert.deepEqual([...found.fed].sort((one, other) => one - other), fed);
});

test("a search gives up where it may meet no more", () => {
  const made = reduced(parse("p cnf 2 2\na 1 2 0\n1 -1 0\n2 -2 0\n"));
  assert.throws(() => explored(made, 1000), { code: "too_many_configurations" });
});

test("an edge turns only while its vertex has enough without it", () => {
  const { graph, heads, variables } = reduced(parse("p cnf 1 1\n1 -1 0\n"));
  const [yes, no] = [...graph.edges.keys()].filter((number) => graph.edges[number].other === variables[0][1]);
  const chosen = graph.turned(heads, yes);
  assert.equal(chosen[yes], graph.edges[yes].one);
  assert.equal(graph.turned(chosen, no), null);
  assert.deepEqual(graph.turned(chosen, yes), heads);
});
