// A recorded game made ready to be watched: keyframes, so that any moment is a short way from one that is known.

import { Arena, PUSH, toSteps } from "./game.js";

const KEYFRAME_EVERY = 2_000;

/** A recording of *length* steps. A moment *at* is the position after that many steps. */
export class Playback {
  /** Open the moves of *lurd*, which must be possible on *level* and have capitals exactly at the pushes: see `replay`. */
  constructor(level, lurd) {
    this.level = level;
    this.steps = toSteps(lurd);
    this.length = this.steps.length;
    this.keyframes = [Arena.of(level).start];
    for (let at = KEYFRAME_EVERY; at < this.length; at += KEYFRAME_EVERY) {
      this.keyframes.push(this.keyframes.at(-1).after(this.steps.subarray(at - KEYFRAME_EVERY, at)));
    }
    /** The moments at which a box has just been pushed that is not the box of the push before. */
    this.boxChanges = boxChanges(this.keyframes[0], this.steps);
    Object.freeze(this);
  }

  /** The position after *at* steps, or at the nearest end. */
  seek(at) {
    at = Math.min(Math.max(at, 0), this.length);
    const frame = Math.min(Math.floor(at / KEYFRAME_EVERY), this.keyframes.length - 1);
    return this.keyframes[frame].after(this.steps.subarray(frame * KEYFRAME_EVERY, at));
  }

  /** The first moment behind *at* at which another box has been pushed; the end where there is none. */
  nextBoxChange(at) {
    return this.boxChanges[firstAbove(this.boxChanges, at)] ?? this.length;
  }

  /** The last moment before *at* at which another box has been pushed; the start where there is none. */
  previousBoxChange(at) {
    return this.boxChanges[firstAbove(this.boxChanges, at - 1) - 1] ?? 0;
  }
}

function boxChanges(start, steps) {
  const { deltas } = start.arena;
  const changes = [];
  let { man } = start;
  let box = -1;
  for (let at = 0; at < steps.length; at++) {
    const delta = deltas[steps[at] & 3];
    man += delta;
    if (!(steps[at] & PUSH)) continue;
    if (man !== box) changes.push(at + 1);
    box = man + delta;
  }
  return changes;
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
