// Quantified formulas and whether they are true, in polynomial space: the twin of solvers/logic/formulas.py and
// deciding.py, tested with the same cases. A prefix is a list of [quantifier, variable], "e" or "a".

import { PuzzleError } from "../../player/rules/errors.js";

const MOST_VARIABLES = 1_000_000;

/** Read QDIMACS: {prefix, clauses}. Throw a PuzzleError with its line. */
export function parse(text) {
  const lines = linesOf(text);
  const [announced, ...others] = lines;
  const [p, cnf, variables, count, ...more] = announced?.words ?? [];
  if (p !== "p" || cnf !== "cnf" || more.length || !isNumber(variables) || !isCount(count)) {
    throw new PuzzleError("no_formula", { line: announced?.line ?? 1 });
  }
  const most = Number(variables);
  if (most > MOST_VARIABLES) throw new PuzzleError("too_many_variables", { most: MOST_VARIABLES, line: announced.line });
  const prefix = new Map();
  const clauses = [];
  for (const { line, words } of others) {
    if (words[0] !== "a" && words[0] !== "e") {
      clauses.push(numbers(words, line, most));
      continue;
    }
    if (clauses.length) throw new PuzzleError("quantified_late", { line });
    for (const variable of numbers(words.slice(1), line, most)) {
      if (variable < 0) throw new PuzzleError("not_a_literal", { shown: String(variable), line });
      if (prefix.has(variable)) throw new PuzzleError("quantified_twice", { variable, line });
      prefix.set(variable, words[0]);
    }
  }
  if (clauses.length !== Number(count)) {
    throw new PuzzleError("wrong_number_of_clauses", { announced: Number(count), found: clauses.length });
  }
  const free = [];
  for (let variable = 1; variable <= most; variable++) if (!prefix.has(variable)) free.push(["e", variable]);
  return { prefix: [...free, ...[...prefix].map(([variable, quantifier]) => [quantifier, variable])], clauses };
}

/** The formula as QDIMACS. */
export function written({ prefix, clauses }) {
  const blocks = [];
  for (const [quantifier, variable] of prefix) {
    if (blocks.at(-1)?.[0] === quantifier) blocks.at(-1).push(variable);
    else blocks.push([quantifier, variable]);
  }
  const lines = [...blocks, ...clauses].map((one) => [...one, 0].join(" "));
  return `${[`p cnf ${prefix.length} ${clauses.length}`, ...lines].join("\n")}\n`;
}

/** {isTrue, nodes, mostValues}: settings that were looked at, and the most values held at a time. */
export function decide({ prefix, clauses }) {
  const place = new Map(prefix.map(([, variable], at) => [variable, at]));
  const values = [];
  let nodes = 0;
  let mostValues = 0;
  for (;;) {
    nodes++;
    mostValues = Math.max(mostValues, values.length);
    const found = valueOf(clauses, place, values);
    if (found === null) {
      values.push(false);
      continue;
    }
    let goesOn = false;
    while (values.length && !goesOn) {
      const [quantifier] = prefix[values.length - 1];
      goesOn = !values.pop() && found !== (quantifier === "e");
    }
    if (!goesOn) return { isTrue: found, nodes, mostValues };
    values.push(true);
  }
}

function valueOf(clauses, place, values) {
  let isOpen = false;
  for (const clause of clauses) {
    const known = clause.filter((literal) => place.get(Math.abs(literal)) < values.length);
    if (known.some((literal) => values[place.get(Math.abs(literal))] === literal > 0)) continue;
    if (known.length === clause.length) return false;
    isOpen = true;
  }
  return isOpen ? null : true;
}

function linesOf(text) {
  return text
    .split(/\r\n|\r|\n/)
    .map((row, at) => ({ line: at + 1, words: row.trim().split(/\s+/) }))
    .filter(({ words }) => words[0] && words[0] !== "c");
}

const isNumber = (word) => /^\d+$/.test(word ?? "");

/** Whether it is a number of so few digits that it may count something. */
const isCount = (word) => /^\d{1,9}$/.test(word ?? "");

function numbers(words, line, most) {
  for (const word of words) {
    if (!/^-?\d{1,9}$/.test(word)) throw new PuzzleError("not_a_literal", { shown: word, line });
  }
  const found = words.map(Number);
  if (found.at(-1) !== 0 || found.filter((one) => one === 0).length !== 1) {
    throw new PuzzleError("no_end_of_line", { line });
  }
  found.pop();
  for (const number of found) {
    if (Math.abs(number) > most) throw new PuzzleError("no_such_variable", { variable: Math.abs(number), most, line });
  }
  return found;
}
