// One game as it is being played: the position, the history that leads to it, and the snapshots on the way.
//
// Every act returns the steps it made, in playing order, for whoever shows them one after the other; none where it was
// impossible. What an act made is one intention.

import { Arena, CRATE, FREE, PUSH, toLetters, toSteps } from "../rules/game.js";
import { History } from "./history.js";
import { pushRoutes, pushTargets, walk } from "../rules/paths.js";
import { Playback } from "./playback.js";
import { throughWay } from "./through.js";

const NONE = new Uint8Array(0);
/** Above this many squares a push takes the way with the fewest pushes, whatever its walks: see `pushTargets`. */
const SQUARES_TO_COMPARE = 12_000;

export class Play {
  #position;
  #history = new History();
  #jumpedFrom = 0;
  #playback = null;

  /** Begin on *level*. Throw bad_level where no replay can judge it. */
  constructor(level) {
    this.level = level;
    this.start = Arena.of(level).start;
    this.snapshots = new Map();
    this.#position = this.start;
  }

  get position() {
    return this.#position;
  }

  /** How many steps lead here, and how many there are with those taken back. */
  get at() {
    return this.#history.at;
  }

  get length() {
    return this.#history.length;
  }

  /** A level is solved only by a push. */
  get isSolved() {
    return this.#position.isSolved && this.#position.pushes > 0;
  }

  /** The steps to here in letters. */
  get letters() {
    return toLetters(this.#history.steps());
  }

  /** The steps taken back, in letters: the rest of a solution that was loaded and is watched from its start. */
  get rest() {
    return toLetters(this.#history.steps(this.at, this.length));
  }

  // Moving

  /** Go one step in *direction*. */
  step(direction) {
    const step = this.#position.step(direction);
    return this.#make(step === null ? NONE : Uint8Array.of(step));
  }

  /** Walk on in *direction* until something stands in the way. */
  run(direction) {
    return this.#on(direction, (step) => !(step & PUSH));
  }

  /** Push on in *direction* until the box stops; walk up to the box first. */
  push(direction) {
    let hasPushed = false;
    return this.#on(direction, (step) => {
      if (hasPushed && !(step & PUSH)) return false;
      hasPushed ||= Boolean(step & PUSH);
      return true;
    });
  }

  /** Walk to *cell* without a push. */
  walkTo(cell) {
    return this.#make(toSteps(walk(this.#position, cell) ?? ""));
  }

  /** A way to *cell* that leaves every box where it is, though it may push some aside and back; null without one. */
  throughWay(cell) {
    return throughWay(this.#position, cell);
  }

  /** Push the box on *from* to *to*, with the fewest "moves" or "pushes". */
  pushTo(from, to, fewest) {
    const isLarge = this.#position.squares.length > SQUARES_TO_COMPARE;
    const routes = isLarge ? pushTargets(this.#position, from) : pushRoutes(this.#position, from, fewest, to);
    return this.#make(toSteps(routes.path(to) ?? ""));
  }

  /** Play *letters* on from here, up to the first impossible one; `replay` says why. All is one intention. */
  follow(letters) {
    const wanted = toSteps(letters);
    const made = new Uint8Array(wanted.length);
    const { deltas } = this.start.arena;
    const squares = this.#position.squares.slice();
    let { man } = this.#position;
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
    return this.#make(made.subarray(0, count));
  }

  #on(direction, goesOn) {
    const steps = [];
    let position = this.#position;
    for (let step = position.step(direction); step !== null && goesOn(step); step = position.step(direction)) {
      steps.push(step);
      position = position.after([step]);
    }
    return this.#make(Uint8Array.from(steps));
  }

  #make(steps) {
    if (!steps.length) return NONE;
    this.#history.add(steps);
    this.#position = this.#position.after(steps);
    this.#playback = null;
    this.#jumpedFrom = 0;
    return steps;
  }

  // Back and forth

  /** Take back one "step", "push" or "intention"; at the very start, a restart. Return the steps taken back. */
  undo(grain) {
    if (this.at === 0 && this.#jumpedFrom) {
      this.seek(this.#jumpedFrom);
      return NONE;
    }
    const steps = this.#history.undo(grain);
    this.#position = this.#position.before(steps);
    return steps;
  }

  redo(grain) {
    const steps = this.#history.redo(grain);
    this.#position = this.#position.after(steps);
    return steps;
  }

  /** Go to the moment after *at* steps; nothing is forgotten. */
  seek(at) {
    const before = this.at;
    this.#history.seek(at);
    const steps = this.#history.steps(Math.min(before, this.at), Math.max(before, this.at));
    this.#position = this.at < before ? this.#position.before(steps) : this.#position.after(steps);
    return this.at > before ? steps : NONE;
  }

  /** Go back to the start; one undo brings everything back until the next move is made. */
  restart() {
    if (this.at > 0) this.#jumpedFrom = this.at;
    this.seek(0);
  }

  /** Go to the next or previous moment at which another box was pushed. */
  nextBoxChange() {
    return this.seek(this.#whole.nextBoxChange(this.at));
  }

  previousBoxChange() {
    this.seek(this.#whole.previousBoxChange(this.at));
  }

  get #whole() {
    this.#playback ??= new Playback(this.level, toLetters(this.#history.steps(0, this.length)));
    return this.#playback;
  }

  /** The cells the player has stood on so far. */
  get visited() {
    const { arena, man } = this.start;
    const seen = new Set([arena.cell(man)]);
    let square = man;
    for (const step of this.#history.steps()) {
      square += arena.deltas[step & 3];
      seen.add(arena.cell(square));
    }
    return seen;
  }

  /** The boxes by where they stand now, numbered as they stood at the start. Time O(steps so far). */
  get numbered() {
    const { arena, man } = this.start;
    const numbers = new Map(this.start.boxes.map((cell, at) => [arena.square(cell), at + 1]));
    let square = man;
    for (const step of this.#history.steps()) {
      const delta = arena.deltas[step & 3];
      square += delta;
      if (!(step & PUSH)) continue;
      numbers.set(square + delta, numbers.get(square));
      numbers.delete(square);
    }
    return new Map([...numbers].map(([place, number]) => [arena.cell(place), number]));
  }

  // Keeping

  /** Keep this moment, with what leads to it, under *name*. */
  keep(name) {
    this.snapshots.set(name, this.kept);
  }

  /** Go to the moment kept under *name*; false where there is none. What was played meanwhile is forgotten. */
  recall(name) {
    const snapshot = this.snapshots.get(name);
    if (snapshot) this.restore(snapshot);
    return Boolean(snapshot);
  }

  /** All that has to be stored to come back here: {bytes, at}. */
  get kept() {
    return { bytes: this.#history.bytes(), at: this.at };
  }

  /**
   * Come back to what was kept. What is stored may be damaged: only the steps that are possible are taken, and none
   * where they are not those of this level. Return how many were taken.
   */
  restore({ bytes, at }) {
    const possible = this.#possible(bytes);
    this.#history = History.from(bytes.slice(0, possible), 0);
    this.#position = this.start;
    this.#playback = null;
    this.#jumpedFrom = 0;
    this.seek(at);
    return possible;
  }

  #possible(bytes) {
    const trial = new Play(this.level);
    const letters = toLetters(bytes.map((byte) => byte & 7));
    const made = trial.follow(letters);
    const firstWrong = made.findIndex((step, place) => step !== (bytes[place] & 7));
    return firstWrong === -1 ? made.length : firstWrong;
  }
}
