// A formula as a constraint graph: the twin of solvers/logic/reducing.py and parts.py, which say why it is right; both are
// tested with the same cases.

import { PuzzleError } from "../../player/rules/errors.js";
import { BLUE, Graph, RED } from "./graphs.js";

/** {graph, heads, goal: [edge, vertex], variables: [[variable, vertex], ...]}. Throw a PuzzleError. */
export function reduced({ prefix, clauses: given }) {
  if (!given.length || !given.every((clause) => clause.length)) throw new PuzzleError("nothing_to_reduce");
  const clauses = given.map((clause) => [...new Set(clause)]);
  const used = (literal) => clauses.filter((clause) => clause.includes(literal)).length;
  const needed = prefix.filter(([, variable]) => used(variable) || used(-variable));
  const drawing = new Drawing();
  const ends = new Map();
  const locks = new Map();
  const variables = [];
  let lock = null;
  needed.forEach(([quantifier, variable], at) => {
    const isForAll = quantifier === "a";
    const isLocked = needed.slice(at + 1).some(([inner]) => inner === "a");
    const vertex = drawing.vertex();
    variables.push([variable, vertex]);
    for (const literal of [variable, -variable]) {
      ends.set(literal, drawing.split({ vertex, weight: BLUE }, used(literal) + isForAll + isLocked));
    }
    if (isForAll && lock) {
      const [first, other = null] = drawing.split(lock, 1 + isLocked);
      locks.set(variable, first);
      lock = other;
    }
    if (isLocked) {
      const hasValue = drawing.anyOf([ends.get(variable).pop(), ends.get(-variable).pop()]);
      lock = lock ? drawing.allOf([lock, hasValue]) : hasValue;
    }
  });
  let holds = drawing.allOf(clauses.map((clause) => drawing.anyOf(clause.map((literal) => ends.get(literal).pop()))));
  for (const [quantifier, variable] of [...needed].reverse()) {
    if (quantifier === "a") {
      holds = drawing.both(holds, ends.get(-variable).pop(), ends.get(variable).pop(), locks.get(variable) ?? null);
    }
  }
  const goal = drawing.stop(holds);
  return { graph: new Graph(drawing.vertices, drawing.edges), heads: drawing.heads, goal, variables };
}

/** A graph under construction. An end is {vertex, weight}: an edge to be, which points back to *vertex* at first. */
class Drawing {
  vertices = 0;
  edges = [];
  heads = [];

  vertex() {
    return this.vertices++;
  }

  edge(one, other, weight) {
    this.edges.push({ one, other, weight });
    this.heads.push(other);
    return this.edges.length - 1;
  }

  lead(end, vertex) {
    return this.edge(vertex, end.vertex, end.weight);
  }

  joining(...ends) {
    const vertex = this.vertex();
    for (const end of ends) this.lead(end, vertex);
    return vertex;
  }

  source() {
    const giving = this.vertex();
    const feeding = this.vertex();
    this.edge(giving, feeding, BLUE);
    this.edge(feeding, giving, BLUE);
    return giving;
  }

  weighing(end, weight) {
    if (end.weight === weight) return end;
    const vertex = this.joining(end);
    this.edge(this.source(), vertex, RED);
    return { vertex, weight };
  }

  split(end, count) {
    if (count === 0) this.stop(end);
    if (count < 2) return count ? [end] : [];
    const vertex = this.joining(this.weighing(end, BLUE));
    const half = Math.floor(count / 2);
    return [...this.split({ vertex, weight: RED }, half), ...this.split({ vertex, weight: RED }, count - half)];
  }

  anyOf(ends) {
    return ends.reduce((first, other) => this.either(first, other)[0]);
  }

  either(...ends) {
    const vertex = this.joining(...ends.map((end) => this.weighing(end, BLUE)));
    return [{ vertex, weight: BLUE }, vertex];
  }

  allOf(ends) {
    return ends.reduce((first, other) => {
      const vertex = this.joining(this.weighing(first, RED), this.weighing(other, RED));
      return { vertex, weight: BLUE };
    });
  }

  both(holds, first, then, lock) {
    const [before, after] = this.split(holds, 2);
    const [held, memory] = this.either(this.allOf([first, before]));
    const [known, again] = this.split(held, 2);
    this.lead(this.weighing(lock ? this.allOf([again, lock]) : again, BLUE), memory);
    return this.allOf([known, this.allOf([then, after])]);
  }

  stop(end) {
    const vertex = this.source();
    return [this.lead(end, vertex), vertex];
  }
}
