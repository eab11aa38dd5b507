// One game as it is being played: the position, the history that leads to it, and the snapshots on the way.
//
// Every act returns the steps it made, in playing order, for whoever shows them one after the other; none where it was
// impossible. What an act made is one intention.

import { Arena, PUSH, toLetters, toSteps } from "../rules/game.js";
import { commonLength } from "./branches.js";
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

  /** Begin on *level*, at *start*. Throw bad_level where no replay can judge it. */
  constructor(level, start = Arena.of(level).start) {
    this.level = level;
    this.start = start;
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

  /** The steps to here. */
  get steps() {
    return this.#history.steps();
  }

  /** The steps between two moments of the line, those taken back among them. */
  stepsBetween(from, to) {
    return this.#history.steps(from, to);
  }

  // Moving

  /** The word for why a "step", "run" or "push" in *direction* does nothing, or null. */
  refusal(_kind, direction) {
    const why = this.#position.refusal(direction);
    return why && (why === "wall" || why === "off_the_map" ? "wallThere" : "boxStuck");
  }

  /** Go one step in *direction*. */
  step(direction) {
    const step = this.#position.step(direction);
    return this.make(step === null ? NONE : Uint8Array.of(step));
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
    return this.make(toSteps(walk(this.#position, cell) ?? ""));
  }

  /** A way to *cell* that leaves every box where it is, though it may push some aside and back; null without one. */
  throughWay(cell) {
    return throughWay(this.#position, cell);
  }

  /** Push the box on *from* to *to*, with the fewest "moves" or "pushes". */
  pushTo(from, to, fewest) {
    const isLarge = this.#position.squares.length > SQUARES_TO_COMPARE;
    const routes = isLarge ? pushTargets(this.#position, from) : pushRoutes(this.#position, from, fewest, to);
    return this.make(toSteps(routes.path(to) ?? ""));
  }

  /** Play *letters* on from here, up to the first impossible one; `replay` says why. All is one intention. */
  follow(letters) {
    return this.make(this.#position.possible(toSteps(letters)));
  }

  #on(direction, goesOn) {
    const steps = [];
    let position = this.#position;
    for (let step = position.step(direction); step !== null && goesOn(step); step = position.step(direction)) {
      steps.push(step);
      position = position.after([step]);
    }
    return this.make(Uint8Array.from(steps));
  }

  /** Make *steps*, which must be possible, as one intention. */
  make(steps) {
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

  /** At the end of the line it goes on by the branch that was left last there. */
  redo(grain) {
    const branch = this.at === this.length && this.branches.lastAt(this.at);
    if (branch) {
      const { at } = this;
      this.takeBranch(branch.id);
      this.seek(at);
    }
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

  /** Go to the moment kept under *name*; false where there is none. What was played meanwhile becomes a branch. */
  recall(name) {
    const snapshot = this.snapshots.get(name);
    if (!snapshot) return false;
    this.#history.become(snapshot.bytes.slice(0, this.#possible(snapshot.bytes)), snapshot.at);
    this.#arrive();
    return true;
  }

  /** The snapshots that lie on the line, each with how many steps lead there: [name, at]. */
  get marks() {
    const line = this.#history.bytes();
    const isOn = ({ bytes, at }) => at <= line.length && commonLength(line.subarray(0, at), bytes) === at;
    return [...this.snapshots].filter(([, snapshot]) => isOn(snapshot)).map(([name, { at }]) => [name, at]);
  }

  /** The lines that were played and left: see `Branches`. */
  get branches() {
    return this.#history.branches;
  }

  /** Go to the end of the branch *id*; the line left for it becomes a branch. Return whether there is such a branch. */
  takeBranch(id) {
    if (!this.#history.take(id)) return false;
    const bytes = this.#history.bytes();
    const possible = this.#possible(bytes); // what is stored may be damaged
    if (possible < bytes.length) this.#history = History.from(bytes.slice(0, possible), possible, this.branches.all);
    this.#arrive();
    return true;
  }

  /** The position follows the history, wherever that has gone. */
  #arrive() {
    this.#position = this.start.after(this.#history.steps());
    this.#playback = null;
    this.#jumpedFrom = 0;
  }

  /** All that has to be stored to come back here: {bytes, at}; the branches are stored for themselves. */
  get kept() {
    return { bytes: this.#history.bytes(), at: this.at };
  }

  /**
   * Come back to what was kept. What is stored may be damaged: only the steps that are possible are taken, and none
   * where they are not those of this level. Return how many were taken.
   */
  restore({ bytes, at, branches = [] }) {
    const possible = this.#possible(bytes);
    this.#history = History.from(bytes.slice(0, possible), at, branches);
    this.#arrive();
    return possible;
  }

  #possible(bytes) {
    const made = this.start.possible(bytes);
    const firstWrong = made.findIndex((step, place) => step !== (bytes[place] & 7));
    return firstWrong === -1 ? made.length : firstWrong;
  }
}
