// Savitch's search, to be watched: whether one state leads to another in 2^i steps is asked by halving, and nothing is
// kept but the trail of questions now open. The twin of solvers/sokoban/solving/savitch.py, which says what it costs;
// both are tested with the same cases. A state is a letter for every square: $ box, - free, @ player.

const BITS_A_SQUARE = 2;

/** The rules of the game on strings, for a level of one player with all boxes and goals in reach. */
export class Search {
  #beside;
  #goals;

  constructor(level) {
    this.cells = [...level.reach].sort((one, other) => one - other);
    const number = new Map(this.cells.map((cell, at) => [cell, at]));
    const at = (cell, delta) => {
      const to = cell + delta;
      return level.neighbours(cell).includes(to) ? number.get(to) : undefined;
    };
    this.#beside = this.cells.map((cell) => [-1, 1, -level.width, level.width].map((delta) => at(cell, delta)));
    this.#goals = level.goals.map((goal) => number.get(goal));
    const letters = this.cells.map((cell) => (level.boxes.includes(cell) ? "$" : "-"));
    letters[number.get(level.player)] = "@";
    this.start = letters.join("");
  }

  /** The number of ways to place the boxes and the player on the squares. */
  get size() {
    const squares = this.cells.length;
    const boxes = [...this.start].filter((letter) => letter === "$").length;
    let ways = squares - boxes;
    for (let at = 0; at < boxes; at++) ways = (ways * (squares - at)) / (at + 1);
    return Math.round(ways);
  }

  /** How often as many steps as there are states are halved: no shortest solution has more. */
  get halvings() {
    return bitLength(this.size - 1);
  }

  isSolved(state) {
    return this.#goals.every((goal) => state[goal] === "$");
  }

  /** All states in dictionary order; each is made from the one before it, and none is kept. */
  *states() {
    for (let state = [...this.start].sort(); state; state = nextInDictionary(state)) yield state.join("");
  }

  /** The states one step away. */
  *after(state) {
    const at = state.indexOf("@");
    for (const [direction, to] of this.#beside[at].entries()) {
      if (to === undefined) continue;
      if (state[to] === "-") yield changed(state, { [at]: "-", [to]: "@" });
      else {
        const beyond = this.#beside[to][direction];
        if (beyond !== undefined && state[beyond] === "-") yield changed(state, { [at]: "-", [to]: "@", [beyond]: "$" });
      }
    }
  }

  /** The bits that breadth-first search keeps: every state it has met, written as this search writes them. */
  get breadthFirstBits() {
    const met = new Set([this.start]);
    for (const state of met) for (const after of this.after(state)) met.add(after);
    return met.size * BITS_A_SQUARE * this.cells.length;
  }

  /**
   * Decide whether the level can be solved, a question at a time: yields `this.asked`, the trail of open questions
   * {first, last, middle, halvings} and the most bits kept so far; returns the answer.
   */
  *decide() {
    this.asked = this.mostBits = 0;
    this.trail = [];
    for (const state of this.states()) {
      if (this.isSolved(state) && (yield* this.#leads(this.start, state, this.halvings))) return true;
    }
    return false;
  }

  *#leads(first, last, halvings) {
    this.asked++;
    const question = { first, last, middle: null, halvings };
    this.trail.push(question);
    yield this.trail;
    let isSo = first === last || [...this.after(first)].includes(last);
    if (!isSo && halvings > 0) {
      this.mostBits = Math.max(this.mostBits, this.trail.length * this.#bitsOf(halvings));
      for (const middle of this.states()) {
        question.middle = middle;
        isSo = (yield* this.#leads(first, middle, halvings - 1)) && (yield* this.#leads(middle, last, halvings - 1));
        if (isSo) break;
      }
    }
    this.trail.pop();
    return isSo;
  }

  /** A question is two states, the one between them, which half is being asked about, and the halvings left. */
  #bitsOf(halvings) {
    return 3 * BITS_A_SQUARE * this.cells.length + 1 + bitLength(halvings);
  }
}

function bitLength(number) {
  return number > 0 ? number.toString(2).length : 0;
}

function changed(state, changes) {
  return Array.from(state, (letter, at) => changes[at] ?? letter).join("");
}

/** The next arrangement of the same letters (Narayana's method), or null after the last. Letters: $ < - < @. */
function nextInDictionary(state) {
  let rise = state.length - 2;
  while (rise >= 0 && state[rise] >= state[rise + 1]) rise--;
  if (rise < 0) return null;
  let other = state.length - 1;
  while (state[other] <= state[rise]) other--;
  const next = state.slice();
  [next[rise], next[other]] = [next[other], next[rise]];
  return [...next.slice(0, rise + 1), ...next.slice(rise + 1).reverse()];
}
