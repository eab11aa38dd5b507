// A recorded game made ready to be watched: keyframes, so that any moment is a short way from one that is known.

import { Arena, CRATE, FREE, PUSH, Position, toSteps } from "../rules/game.js";

const KEYFRAME_EVERY = 2_000;
const STEPS_AT_ONCE = 50_000; // some milliseconds on a phone

/** A recording of *length* steps. A moment *at* is the position after that many steps. */
export class Playback {
  /** Open the moves of *lurd*, which must be possible on *level* and have capitals exactly at the pushes: see `replay`. */
  constructor(level, lurd, recorder = new Recorder(level, toSteps(lurd))) {
    while (recorder.goOn());
    this.level = level;
    this.steps = recorder.steps;
    this.length = this.steps.length;
    this.keyframes = recorder.keyframes;
    /** The moments at which a box has just been pushed. */
    this.pushes = recorder.pushes.subarray(0, recorder.count);
    /** Which box each of the pushes moved: its place among the boxes of the level. */
    this.pushed = recorder.pushed.subarray(0, recorder.count);
    /** The moments at which a box has just been pushed that is not the box of the push before. */
    this.boxChanges = recorder.boxChanges;
    Object.freeze(this);
  }

  /** The same a piece at a time: *breathe* is awaited between them, so that a page with a long recording stays alive. */
  static async open(level, lurd, breathe) {
    const recorder = new Recorder(level, toSteps(lurd));
    while (recorder.goOn()) await breathe();
    return new Playback(level, lurd, recorder);
  }

  /** The position after *at* steps, or at the nearest end. */
  seek(at) {
    at = Math.min(Math.max(at, 0), this.length);
    const frame = Math.min(Math.floor(at / KEYFRAME_EVERY), this.keyframes.length - 1);
    return this.keyframes[frame].after(this.steps.subarray(frame * KEYFRAME_EVERY, at));
  }

  /** How many pushes have been made by *at*. */
  pushesBy(at) {
    return firstAbove(this.pushes, at);
  }

  /** The first moment behind *at* at which a box has been pushed; the end where there is none. */
  nextPush(at) {
    return next(this.pushes, at) ?? this.length;
  }

  /** The last moment before *at* at which a box has been pushed; the start where there is none. */
  previousPush(at) {
    return previous(this.pushes, at) ?? 0;
  }

  /** The first moment behind *at* at which another box has been pushed; the end where there is none. */
  nextBoxChange(at) {
    return next(this.boxChanges, at) ?? this.length;
  }

  /** The last moment before *at* at which another box has been pushed; the start where there is none. */
  previousBoxChange(at) {
    return previous(this.boxChanges, at) ?? 0;
  }
}

/** Plays *steps* once, some at a time, and notes what a playback needs. */
class Recorder {
  #at = 0;
  #man;
  #home;
  #squares;
  #boxOn;
  #last = -1;

  constructor(level, steps) {
    const { start } = Arena.of(level);
    this.steps = steps;
    this.keyframes = [start];
    this.pushes = new Uint32Array(steps.length);
    this.pushed = new Uint16Array(steps.length);
    this.count = 0;
    this.boxChanges = [];
    this.#man = start.man;
    this.#home = start.home;
    this.#squares = start.squares.slice();
    this.#boxOn = new Uint16Array(start.squares.length);
    level.boxes.forEach((cell, box) => {
      this.#boxOn[start.arena.square(cell)] = box;
    });
  }

  /** Play some steps more; false when all are played. Throw an Error at a step that is impossible. */
  goOn() {
    const end = Math.min(this.#at + STEPS_AT_ONCE, this.steps.length);
    while (this.#at < end) {
      const stop = Math.min(end, (Math.floor(this.#at / KEYFRAME_EVERY) + 1) * KEYFRAME_EVERY);
      this.#play(stop);
      if (stop % KEYFRAME_EVERY === 0 && stop < this.steps.length) this.keyframes.push(this.#position());
    }
    return end < this.steps.length;
  }

  #play(stop) {
    const { arena } = this.keyframes[0];
    const { goals, deltas } = arena;
    const { steps, pushes, pushed } = this;
    const squares = this.#squares;
    const boxOn = this.#boxOn;
    let man = this.#man;
    for (let at = this.#at; at < stop; at++) {
      const delta = deltas[steps[at] & 3];
      const isPush = (steps[at] & PUSH) !== 0;
      man += delta;
      if (squares[man] !== (isPush ? CRATE : FREE) || (isPush && squares[man + delta] !== FREE)) {
        throw new Error(`Step ${at + 1} is impossible.`);
      }
      if (!isPush) continue;
      const box = boxOn[man];
      squares[man] = FREE;
      squares[man + delta] = CRATE;
      boxOn[man + delta] = box;
      this.#home += goals[man + delta] - goals[man];
      if (box !== this.#last) this.boxChanges.push(at + 1);
      this.#last = box;
      pushes[this.count] = at + 1;
      pushed[this.count++] = box;
    }
    this.#man = man;
    this.#at = stop;
  }

  #position() {
    const { arena } = this.keyframes[0];
    const facing = this.steps[this.#at - 1] & 3; // a keyframe lies behind some step
    return new Position(arena, this.#squares.slice(), this.#man, { moves: this.#at, pushes: this.count, home: this.#home, facing });
  }
}

function next(moments, at) {
  return moments[firstAbove(moments, at)];
}

function previous(moments, at) {
  return moments[firstAbove(moments, at - 1) - 1];
}

/** The place of the first of the rising *numbers* that is more than *limit*. */
function firstAbove(numbers, limit) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
