// A game played backwards (逆推), from a solved board to the start; all else is as in any game.

import { walkBetween } from "../rules/paths.js";
import { PullPosition, reversal } from "./pulls.js";
import { Play } from "./play.js";

export class Backward extends Play {
  /** Begin on *level* as it is when it is solved, with the player on *cell*. Throw a RangeError where he cannot stand. */
  constructor(level, cell) {
    const start = PullPosition.start(level, cell);
    if (!start) throw new RangeError(`Nobody stands on ${cell} of a solved board.`);
    super(level, start);
    this.cell = cell;
  }

  get isBackward() {
    return true;
  }

  /** Whether all boxes stand where they begin and the player can walk to his own start. */
  get isSolved() {
    const { position } = this;
    if (!position.isSolved || !position.pushes) return false;
    return this.wayFrom(position.arena.square(this.level.player)) !== null;
  }

  /** A walk from *square* to where the player stands, in letters, or null. */
  wayFrom(square) {
    const { squares, arena, man } = this.position;
    return walkBetween(squares, arena.deltas, square, man);
  }

  /** The moves from here to the solved board. */
  get forwardLetters() {
    return reversal(this.steps);
  }

  refusal(kind, direction) {
    const why = this.position.refusal(direction);
    if (why) return why === "wall" ? "wallThere" : "boxAhead";
    return kind === "push" && this.position.pull(direction) === null ? "nothingToPull" : null;
  }

  /** Go one step in *direction* and pull the box behind along. */
  push(direction) {
    const step = this.position.pull(direction);
    return this.make(Uint8Array.from(step === null ? [] : [step]));
  }

  throughWay() {
    return null;
  }

  nextBoxChange() {
    return this.redo("push");
  }

  previousBoxChange() {
    this.undo("push");
  }

  /** Boxes have no number backwards: which of them stood where is what is sought. */
  get numbered() {
    return new Map();
  }
}
