// The game and the game played backwards side by side, and how they meet (双推).
//
// Each line may take the other for its target: as that stands now (互动), or as it stood where it was marked (定位). When
// all boxes stand as the other line has them and the player can walk from the one to the other, the two are one solution.

import { CRATE, replay, toLetters } from "../rules/game.js";
import { Backward } from "./backward.js";
import { Play } from "./play.js";

export const MEETINGS = ["off", "now", "mark"];
const MOST_TRIES = 8; // games played backwards that are kept, each from another square

export class Lines {
  #isBackward = false;
  #tries = new Map(); // by the cell where the player begins, the one played last behind all others
  #marks = { forward: null, backward: null }; // the steps of each line up to where it was marked

  constructor(level) {
    this.level = level;
    this.forward = new Play(level);
    /** "off", "now" or "mark": what the lines take each other for. */
    this.meeting = "off";
  }

  /** The game that is played now. */
  get play() {
    return this.#isBackward ? this.backward : this.forward;
  }

  /** The game played backwards that was begun or taken up last, or undefined. */
  get backward() {
    return [...this.#tries.values()].at(-1);
  }

  get isBackward() {
    return this.#isBackward;
  }

  /** Play the other line. The first time backwards the player stands where he starts, or on the first free square. */
  turn() {
    this.#isBackward = !this.#isBackward;
    if (!this.#isBackward || this.backward) return;
    const cells = [this.level.player, ...this.level.reach];
    this.begin(cells.find((cell) => !this.level.goals.includes(cell)));
  }

  /** Go forwards again, wherever that stands. */
  goForward() {
    this.#isBackward = false;
  }

  /** Begin backwards with the player on *cell*, or take up the game begun there; false where he cannot stand. */
  begin(cell) {
    if (!this.#tries.has(cell) && (!this.level.reach.has(cell) || this.level.goals.includes(cell))) return false;
    const game = this.#tries.get(cell) ?? new Backward(this.level, cell);
    this.#tries.delete(cell);
    for (const [old, { length }] of this.#tries) if (!length) this.#tries.delete(old);
    this.#tries.set(cell, game);
    if (this.#tries.size > MOST_TRIES) this.#tries.delete(this.#tries.keys().next().value);
    this.#marks.backward = null; // it was on another game
    this.#isBackward = true;
    this.meet(this.meeting);
    return true;
  }

  /** Let the lines meet as *meeting* says, one of MEETINGS; a line without a mark is marked where it stands. */
  meet(meeting) {
    this.meeting = meeting;
    if (meeting !== "mark") return;
    for (const name of ["forward", "backward"]) this.#marks[name] ??= this[name]?.steps ?? null;
  }

  /** Mark where the present line stands, for the other to come to. */
  mark() {
    this.#marks[this.#isBackward ? "backward" : "forward"] = this.play.steps;
    this.meet("mark");
  }

  /** The cells on which the boxes of the present line are wanted; null where those are the level's own. */
  get targets() {
    const other = this.#isBackward ? "forward" : "backward";
    if (this.meeting === "off" || !this[other]) return this.#isBackward ? this.level.boxes : null;
    return this.#positionOf(other).boxes;
  }

  /** How many boxes of the present line stand where they are wanted. */
  get home() {
    const { targets } = this;
    if (!targets) return this.play.position.home;
    const wanted = new Set(targets);
    return this.play.position.boxes.filter((cell) => wanted.has(cell)).length;
  }

  /** The marked steps of a line, where they are what counts for the other, or null. */
  #markOf(name) {
    return this.meeting === "mark" ? this.#marks[name] : null;
  }

  #positionOf(name) {
    const mark = this.#markOf(name);
    return mark ? this[name].start.after(mark) : this[name].position;
  }

  /**
   * The solution that the present line makes, with the other one or alone, as letters; "" where there is none. It is
   * replayed by the rules of the game before it is told.
   */
  get solution() {
    if (!this.backward) return "";
    const found = [];
    if (this.meeting !== "off") found.push(this.#join(this.#isBackward));
    if (this.#isBackward && this.backward.isSolved) found.push(this.#lettersFrom(this.forward.start, "", this.backward));
    const solutions = found.map((letters) => this.#judged(letters)).filter(Boolean);
    return solutions.reduce((best, one) => (best && best.length <= one.length ? best : one), "");
  }

  /** The line forwards, the walk from there and the line backwards turned round; "" where they do not meet. */
  #join(isBackward) {
    const [front, back] = isBackward
      ? [this.#positionOf("forward"), this.backward.position]
      : [this.forward.position, this.#positionOf("backward")];
    if (!back.pushes || !isSame(front, back)) return "";
    const steps = (isBackward && this.#markOf("forward")) || this.forward.steps;
    return this.#lettersFrom(front, toLetters(steps), isBackward ? this.backward : this.#marked());
  }

  /** The line backwards as it stands where it counts for the other. */
  #marked() {
    const mark = this.#markOf("backward");
    if (!mark) return this.backward;
    const game = new Backward(this.level, this.backward.cell);
    game.make(mark);
    return game;
  }

  #lettersFrom({ man }, letters, game) {
    const walk = game.wayFrom(man);
    return walk === null ? "" : letters + walk + game.forwardLetters;
  }

  #judged(letters) {
    if (!letters) return "";
    const { verdict, lurd } = replay(this.level, { steps: letters, indexOf: () => null });
    return verdict === "solved" ? lurd : "";
  }

  // Keeping

  /** All that has to be stored of the lines but the game forwards: {isBackward, meeting, marks, tries}. */
  get kept() {
    const tries = [...this.#tries].map(([cell, game]) => ({ cell, ...game.kept, branches: game.branches.all }));
    return { isBackward: this.#isBackward, meeting: this.meeting, marks: { ...this.#marks }, tries };
  }

  /** Come back to what was kept; what is damaged is left out. */
  restore({ isBackward, meeting, marks, tries }) {
    this.#tries.clear();
    for (const { cell, ...kept } of tries) {
      if (!this.level.reach.has(cell) || this.level.goals.includes(cell)) continue;
      const game = new Backward(this.level, cell);
      game.restore(kept);
      this.#tries.set(cell, game);
    }
    this.meeting = MEETINGS.includes(meeting) ? meeting : "off";
    this.#isBackward = Boolean(isBackward && this.backward);
    for (const name of ["forward", "backward"]) {
      const steps = this[name] && marks[name];
      this.#marks[name] = steps && this[name].start.possible(steps).length === steps.length ? steps : null;
    }
  }
}

/** Whether the boxes of two positions stand on the same squares. */
function isSame(one, other) {
  return one.squares.every((content, square) => (content === CRATE) === (other.squares[square] === CRATE));
}
