// The rules of the game: what one step does, and what comes of a whole text of moves.
// The twin of solvers/sokoban/replay.py; both are tested with the same cases.
//
// A step is a number: its direction, and PUSH if it pushes a box. A position is a value; a step makes a new one.

import { BOX, GOAL, WALL } from "./letters.js";
import { badLevel } from "./level.js";

export const LEFT = 0;
export const UP = 1;
export const RIGHT = 2;
export const DOWN = 3;
export const PUSH = 4;

/** The letter of each step: `LETTERS[UP | PUSH]` is "U". */
export const LETTERS = "lurdLURD";

// What stands on a square of an arena; zero is what a step may enter.
export const FREE = 0;
export const BLOCKED = 1;
export const CRATE = 2;
export const OUTSIDE = 3;

const CODES = new Uint8Array(128);
[...LETTERS].forEach((letter, code) => {
  CODES[letter.charCodeAt(0)] = code;
});

/** The steps of *letters*, which are l u r d in either case; a capital is a push. */
export function toSteps(letters) {
  const steps = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) steps[at] = CODES[letters.charCodeAt(at)];
  return steps;
}

/** The letters of *steps*: capitals exactly at the pushes. */
export function toLetters(steps) {
  const letters = new Uint8Array(steps.length);
  for (let at = 0; at < steps.length; at++) letters[at] = LETTERS.charCodeAt(steps[at]);
  return new TextDecoder().decode(letters);
}

/** A level as it is played: squares in one row of bytes, with a ring of OUTSIDE so that no step leaves it. */
export class Arena {
  constructor(level) {
    this.level = level;
    this.stride = level.width + 2;
    /** How far each direction steps. */
    this.deltas = [-1, -this.stride, 1, this.stride];
    this.goals = new Uint8Array(this.stride * (level.height + 2));
    const squares = new Uint8Array(this.goals.length).fill(OUTSIDE);
    level.cells.forEach((content, cell) => {
      const square = this.square(cell);
      squares[square] = content & WALL ? BLOCKED : content & BOX ? CRATE : FREE;
      this.goals[square] = content & GOAL ? 1 : 0;
    });
    const home = squares.reduce((count, content, square) => count + (content === CRATE ? this.goals[square] : 0), 0);
    /** The position before the first step. */
    this.start = new Position(this, squares, this.square(level.player), { moves: 0, pushes: 0, home });
    Object.freeze(this);
  }

  /** Make a level ready to be played. Throw bad_level where no replay can judge it. */
  static of(level) {
    if (level.unjudgeable) throw badLevel(level.unjudgeable);
    return new Arena(level);
  }

  /** The square of a level's cell. */
  square(cell) {
    return cell + this.stride + 1 + 2 * Math.floor(cell / this.level.width);
  }

  /** The level's cell of a square. */
  cell(square) {
    return square - this.stride - 1 - 2 * (Math.floor(square / this.stride) - 1);
  }
}

/**
 * Where everything stands, and what it took: *squares* (boxes included), the player's square *man*, *moves* and
 * *pushes* so far, boxes at *home* on goals; and the direction in which the player looks, his last step's.
 * Never changes: what changes a position returns another one.
 */
export class Position {
  constructor(arena, squares, man, { moves, pushes, home, facing = DOWN }) {
    this.arena = arena;
    this.squares = squares;
    this.man = man;
    this.moves = moves;
    this.pushes = pushes;
    this.home = home;
    this.facing = facing;
    Object.freeze(this);
  }

  /** The player's cell. */
  get player() {
    return this.arena.cell(this.man);
  }

  /** The cells with boxes, in reading order. */
  get boxes() {
    const found = [];
    this.squares.forEach((content, square) => {
      if (content === CRATE) found.push(this.arena.cell(square));
    });
    return found;
  }

  /** Whether every box stands on a goal. A level scores only when this holds after a push. */
  get isSolved() {
    return this.home === this.arena.level.boxes.length;
  }

  /** Why a step in *direction* is impossible, or null. */
  refusal(direction) {
    const target = this.man + this.arena.deltas[direction];
    const content = this.squares[target];
    return content === FREE ? null : refusal(content, this.squares[target + this.arena.deltas[direction]]);
  }

  /** The step in *direction* as a number that tells pushes, or null where it is impossible. */
  step(direction) {
    if (this.refusal(direction) !== null) return null;
    return this.squares[this.man + this.arena.deltas[direction]] === CRATE ? direction | PUSH : direction;
  }

  /** The cell that a step in *direction* goes to, possible or not; off the map the player's own. */
  cellAhead(direction) {
    const target = this.man + this.arena.deltas[direction];
    return this.arena.cell(this.squares[target] === OUTSIDE ? this.man : target);
  }

  /** The first of the *wanted* steps that are possible one after the other, with PUSH exactly where a box is pushed. */
  possible(wanted) {
    const { deltas } = this.arena;
    const squares = this.squares.slice();
    const made = new Uint8Array(wanted.length);
    let { man } = this;
    let count = 0;
    for (; count < wanted.length; count++) {
      const direction = wanted[count] & 3;
      const target = man + deltas[direction];
      const isPush = squares[target] === CRATE;
      if (squares[target] !== FREE && !(isPush && squares[target + deltas[direction]] === FREE)) break;
      if (isPush) {
        squares[target] = FREE;
        squares[target + deltas[direction]] = CRATE;
      }
      made[count] = isPush ? direction | PUSH : direction;
      man = target;
    }
    return made.subarray(0, count);
  }

  /** The position after *steps*, each of which must be possible. */
  after(steps) {
    const { goals, deltas } = this.arena;
    const squares = this.squares.slice();
    let { man, pushes, home } = this;
    for (let at = 0; at < steps.length; at++) {
      const delta = deltas[steps[at] & 3];
      man += delta;
      if (steps[at] & PUSH) {
        squares[man] = FREE;
        squares[man + delta] = CRATE;
        home += goals[man + delta] - goals[man];
        pushes++;
      }
    }
    const facing = steps.length ? steps[steps.length - 1] & 3 : this.facing;
    return new Position(this.arena, squares, man, { moves: this.moves + steps.length, pushes, home, facing });
  }

  /** The position before *steps*, which must have led to this one; the player looks where the first of them went. */
  before(steps) {
    const { goals, deltas } = this.arena;
    const squares = this.squares.slice();
    let { man, pushes, home } = this;
    for (let at = steps.length - 1; at >= 0; at--) {
      const delta = deltas[steps[at] & 3];
      if (steps[at] & PUSH) {
        squares[man + delta] = FREE;
        squares[man] = CRATE;
        home += goals[man] - goals[man + delta];
        pushes--;
      }
      man -= delta;
    }
    const facing = steps.length ? steps[0] & 3 : this.facing;
    return new Position(this.arena, squares, man, { moves: this.moves - steps.length, pushes, home, facing });
  }
}

/**
 * Play *moves* on *level* and say what came of it, in the words and fields of the judge.
 *
 * *moves*, *pushes* and *lurd* are those of the scored part: up to the first solved state after a push, or up to the
 * first impossible step, or all; *cut* steps follow it and are not looked at. *step* counts the steps from 1, *index*
 * the characters of the text from 0; both are null where no step was impossible. *boxes_home* is how many of the
 * *boxes* stand on goals at the end, *best_home* the most after any push, first reached after *best_at* steps.
 *
 * An impossible step is a verdict, not an exception. Throw bad_level where the level cannot be judged.
 */
export function replay(level, moves) {
  const { start } = Arena.of(level);
  const wanted = toSteps(moves.steps);
  const { steps, pushes, home, why, bestHome, bestAt } = play(start, wanted);
  const lurd = toLetters(steps);
  const isSolved = pushes > 0 && home === level.boxes.length;
  return Object.freeze({
    verdict: verdict({ isEmpty: !wanted.length, isSolved, why }),
    moves: steps.length,
    pushes,
    cut: isSolved ? wanted.length - steps.length : 0,
    lurd,
    case_corrected: lurd !== moves.steps.slice(0, steps.length),
    index: why && moves.indexOf(steps.length),
    step: why && steps.length + 1,
    why,
    boxes: level.boxes.length,
    boxes_home: home,
    best_home: bestHome,
    best_at: bestAt,
  });
}

function verdict({ isEmpty, isSolved, why }) {
  if (isEmpty) return "empty";
  if (isSolved) return "solved";
  return why ? "illegal" : "not_solved";
}

/**
 * Carry out *wanted*, whose PUSH bits do not count, up to the first solved state after a push, the first impossible
 * step, or the end. The steps returned are those carried out, with PUSH exactly where a box was pushed.
 */
function play(start, wanted) {
  const { goals, deltas } = start.arena;
  const boxes = start.arena.level.boxes.length;
  const squares = start.squares.slice();
  const steps = wanted.slice();
  let { man, home } = start;
  let pushes = 0;
  let bestHome = -1;
  let bestAt = 0;
  let why = null;
  let played = 0;
  while (played < wanted.length) {
    const direction = wanted[played] & 3;
    const target = man + deltas[direction];
    const content = squares[target];
    steps[played] = direction;
    if (content !== FREE) {
      const beyond = target + deltas[direction];
      why = refusal(content, squares[beyond]);
      if (why) break;
      squares[target] = FREE;
      squares[beyond] = CRATE;
      steps[played] = direction | PUSH;
      pushes++;
      home += goals[beyond] - goals[target];
      if (home > bestHome) {
        bestHome = home;
        bestAt = played + 1;
      }
    }
    man = target;
    played++;
    if (home === boxes && pushes) break;
  }
  return { steps: steps.subarray(0, played), pushes, home, why, bestHome: pushes ? bestHome : home, bestAt };
}

/** Why a square with *content* cannot be entered, in the order the tests are made; null for a box that can be pushed. */
function refusal(content, beyond) {
  if (content === OUTSIDE) return "off_the_map";
  if (content === BLOCKED) return "wall";
  return [null, "box_against_wall", "box_against_box", "box_off_the_map"][beyond];
}
