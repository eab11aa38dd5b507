// The perfect player of impartial games and their sums. The twin of solvers/games (play, search, misere and batch).
//
// A term is {rules, position}; a sum is a list of terms. Normal play goes by Grundy values and their xor, misère play
// by outcomes: positions with the same moves to the end are one form, and each multiset of forms is searched once.

import { PuzzleError } from "../player/rules/errors.js";
import { GAMES, list, mex } from "./game-rules.js";

const MOST_MOVES = 2_000_000; // some seconds on a slow phone: a page should ask for less
const MOST_PARTS = 100;

/** Read an object as the command line takes it, {game, position} or {sum: [...]}. Throw a PuzzleError. */
export function read(task) {
  const isSum = "sum" in task;
  const summands = (isSum ? list("a sum", task.sum) : [task]).map(readOne);
  const terms = summands.flatMap(({ rules, parts }) => parts.map((position) => ({ rules, position })));
  if (terms.length > MOST_PARTS) throw new PuzzleError("too_many_parts", { limit: MOST_PARTS, number: terms.length });
  return { isSum, summands, terms, misere: task.misere === true };
}

function readOne(task) {
  if (!task || !Object.hasOwn(GAMES, task.game)) {
    throw new PuzzleError("no_such_game", { shown: String(task?.game), names: Object.keys(GAMES).join(", ") });
  }
  const rules = GAMES[task.game](task);
  if (rules.isWhole) return { task, rules, parts: [rules.read(task.position)] };
  return { task, rules, parts: list(task.game, task.position).map((part) => rules.read(part)) };
}

/** What the command line answers: {grundy, wins, moves}; moves are the positions that winning moves lead to. */
export function answer(task, player = new Player()) {
  const question = read(task);
  const { terms, misere } = question;
  const moves = player.winningMoves(terms, { misere }).map((move) => positionAfter(question, move));
  return {
    grundy: misere ? null : player.grundy(terms),
    wins: player.wins(terms, { misere }),
    moves: [...new Map(moves.map((one) => [JSON.stringify(one), one])).values()],
  };
}

/** The position, or the list of a sum, after a move {term, parts}: the number of a term, and what it becomes. */
export function positionAfter({ isSum, summands }, { term, parts }) {
  let at = term;
  const after = summands.map((one) => {
    const become = one.parts.flatMap((part, index) => (index === at ? parts : [part]));
    at -= one.parts.length;
    return { ...one.task, position: one.rules.isWhole ? become[0] : become };
  });
  return isSum ? after : after[0].position;
}

/** Says who wins and how. What it finds out it remembers. */
export class Player {
  #values = new Map(); // by the key of the rules: a map from positions to Grundy values
  #misere = new Misere();

  grundy(terms) {
    return this.#sum(terms, budget());
  }

  wins(terms, { misere = false } = {}) {
    if (!misere) return this.grundy(terms) !== 0;
    return closedMisere(terms) ?? this.#misere.wins(terms, budget());
  }

  /** All moves after which the other side loses, as {term, parts}. */
  winningMoves(terms, { misere = false } = {}) {
    const left = budget();
    const isClosed = !misere || closedMisere(terms) !== null;
    const total = isClosed ? this.#sum(terms, left) : 0;
    if (!misere && total === 0) return [];
    return terms.flatMap(({ rules, position }, term) => {
      const rest = isClosed ? total ^ this.#value(terms[term], left) : 0;
      const moves = isClosed && rules.worthTrying ? rules.worthTrying(position, rest) : rules.moves(position);
      left.take(moves.length);
      const wins = (parts) => {
        const become = parts.map((part) => ({ rules, position: part }));
        if (!misere) return this.#sum(become, left) === rest;
        const after = replace(terms, term, become);
        return !(closedMisere(after) ?? this.#misere.wins(after, left));
      };
      return moves.filter(wins).map((parts) => ({ term, parts }));
    });
  }

  #sum(terms, left) {
    return terms.reduce((value, term) => value ^ this.#value(term, left), 0);
  }

  #value({ rules, position }, left) {
    if (rules.grundy) return rules.grundy(position);
    const byMoves = (moves) => mex(moves.map((parts) => parts.reduce((value, part) => value ^ part, 0)));
    return fold(rules, position, mapIn(this.#values, rules.key), byMoves, left);
  }
}

/** Outcomes of misère sums by search. */
class Misere {
  #numbers = new Map([["", 0]]);
  #moves = [[]]; // by form: the multisets that its moves lead to, each a sorted list of forms
  #forms = new Map();
  #wins = new Map([["", true]]);

  wins(terms, left) {
    return this.#search(sorted(terms.map((term) => this.#form(term, left))), left);
  }

  #form({ rules, position }, left) {
    return fold(rules, position, mapIn(this.#forms, rules.key), (moves) => this.#number(moves), left);
  }

  #number(moves) {
    const multisets = new Map(moves.map((parts) => sorted(parts)).map((parts) => [String(parts), parts]));
    const key = moves.length ? [...multisets.keys()].sort().join("|") + "." : "";
    if (!this.#numbers.has(key)) this.#numbers.set(key, this.#moves.push([...multisets.values()]) - 1);
    return this.#numbers.get(key);
  }

  /** Without recursion: a sum waits on the stack until a lost one is found among those after it, or none is left. */
  #search(first, left) {
    const stack = [this.#frame(first, left)];
    while (!this.#wins.has(String(first))) {
      const top = stack.at(-1);
      const after = top.moves[top.next];
      const outcome = after && this.#wins.get(String(after));
      if (after && outcome === undefined) {
        stack.push(this.#frame(after, left));
      } else if (outcome) {
        top.next++;
      } else {
        this.#wins.set(top.key, outcome === false);
        stack.pop();
      }
    }
    return this.#wins.get(String(first));
  }

  #frame(forms, left) {
    const moves = forms.flatMap((form, at) => {
      if (forms.indexOf(form) < at) return [];
      return this.#moves[form].map((parts) => sorted(replace(forms, at, parts)));
    });
    left.take(moves.length + 1);
    return { key: String(forms), moves, next: 0 };
  }
}

/** Value a position by the values of what its moves make of it; positions wait on a stack of our own. */
function fold(rules, position, known, value, left) {
  const canonical = rules.canonical ?? ((one) => one);
  const first = canonical(position);
  const open = new Map();
  const stack = [first];
  while (stack.length) {
    const at = stack.at(-1);
    const key = String(at);
    if (known.has(key)) {
      stack.pop();
    } else if (open.has(key)) {
      known.set(key, value(open.get(key).map((parts) => parts.map((part) => known.get(String(part))))));
      open.delete(key);
    } else {
      const moves = rules.moves(at).map((parts) => parts.map(canonical));
      left.take(moves.length + 1);
      open.set(key, moves);
      stack.push(...moves.flat(1).filter((part) => !known.has(String(part))));
    }
  }
  return known.get(String(first));
}

/** The outcome of a misère sum of one game that has a closed form, else null. */
function closedMisere(terms) {
  if (!terms.length) return true;
  const [{ rules }] = terms;
  if (!rules.winsMisere || terms.some((term) => term.rules.key !== rules.key)) return null;
  return rules.winsMisere(terms.map(({ position }) => position));
}

/** How many moves may still be looked at. */
function budget() {
  let moves = MOST_MOVES;
  return {
    take(count) {
      moves -= count;
      if (moves < 0) throw new PuzzleError("too_many_positions", { limit: MOST_MOVES });
    },
  };
}

function mapIn(maps, key) {
  if (!maps.has(key)) maps.set(key, new Map());
  return maps.get(key);
}

const replace = (list, at, become) => [...list.slice(0, at), ...become, ...list.slice(at + 1)];

const sorted = (forms) => forms.filter(Boolean).sort((one, other) => one - other);
