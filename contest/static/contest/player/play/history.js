// What has been played: a growing row of bytes, one a step, with undo and redo at three grains. Nothing is forgotten: what
// was taken back and not made again becomes a branch.

import { PUSH } from "../rules/game.js";
import { Branches, commonLength } from "./branches.js";

/** Set on the first step of what was meant as one: a key, or a click that walks and pushes a long way. */
const BEGINS = 8;
const STEP = 7;

/**
 * The steps made and, behind the cursor *at*, the steps taken back that can be made again.
 *
 * `undo` and `redo` move the cursor by one grain and return the steps they passed, in playing order, for
 * `Position.before` and `Position.after`:
 *
 *     "step"       one step
 *     "push"       up to and including the next push, or all where there is none
 *     "intention"  what one call of `add` brought in
 */
export class History {
  #steps = new Uint8Array(1024);
  #length = 0;
  #at = 0;
  /** The lines that were left. */
  branches = new Branches();

  /** How many steps lead to the present position. */
  get at() {
    return this.#at;
  }

  /** How many steps there are with those that can be made again. */
  get length() {
    return this.#length;
  }

  /** Record *steps* as one intention. What had been taken back becomes a branch where they differ from it. */
  add(steps) {
    if (!steps.length) return;
    const marked = Uint8Array.from(steps);
    marked[0] |= BEGINS;
    this.#go(marked);
    this.#at = this.#length;
  }

  /** Go on from the present place by *bytes*, and no further: the line ends with them. */
  #go(bytes) {
    const tail = this.#steps.subarray(this.#at, this.#length);
    const common = commonLength(tail, bytes);
    this.branches.leave(this.#at + common, tail.subarray(common));
    this.#reserve(this.#at + bytes.length);
    this.#steps.set(bytes, this.#at);
    this.#length = this.#at + bytes.length;
    this.branches.pass(this.#at, bytes);
  }

  /** Make *bytes* the line, with the cursor after *at* of its steps; what it had otherwise becomes a branch. */
  become(bytes, at) {
    const common = commonLength(this.#steps.subarray(0, this.#length), bytes);
    if (common < bytes.length) {
      this.#at = common;
      this.#go(bytes.subarray(common));
    }
    this.seek(at);
  }

  /** Make the branch *id* the line and go to its end. Return whether there is such a branch. */
  take(id) {
    const way = this.branches.way(id);
    for (const { id: next, at, steps } of way) {
      this.branches.leave(at, this.#steps.subarray(at, this.#length));
      this.branches.take(next);
      this.#reserve(at + steps.length);
      this.#steps.set(steps, at);
      this.#steps[at] |= BEGINS;
      this.#length = this.#at = at + steps.length;
    }
    return way.length > 0;
  }

  undo(grain = "intention") {
    const end = this.#at;
    const isLast = BOUNDARY[grain];
    while (this.#at > 0) {
      this.#at--;
      if (isLast.back(this.#steps[this.#at])) break;
    }
    return this.steps(this.#at, end);
  }

  redo(grain = "intention") {
    const start = this.#at;
    const isLast = BOUNDARY[grain];
    while (this.#at < this.#length) {
      this.#at++;
      if (isLast.forth(this.#steps[this.#at - 1], this.#steps[this.#at], this.#at === this.#length)) break;
    }
    return this.steps(start, this.#at);
  }

  /** Put the cursor after *at* steps: 0 restarts, `length` makes everything again. Nothing is forgotten. */
  seek(at) {
    this.#at = Math.min(Math.max(at, 0), this.#length);
  }

  /** The steps from *start* up to *end*: those that lead to the present position, unless told otherwise. */
  steps(start = 0, end = this.#at) {
    return this.#steps.slice(start, end).map((step) => step & STEP);
  }

  /** Everything as bytes to be stored; `History.from(bytes, at, branches)` brings it back. */
  bytes() {
    return this.#steps.slice(0, this.#length);
  }

  static from(bytes, at = bytes.length, branches = []) {
    const history = new History();
    history.#reserve(bytes.length);
    history.#steps.set(bytes);
    history.#length = bytes.length;
    history.branches.restore(branches, bytes.length);
    history.seek(at);
    return history;
  }

  #reserve(length) {
    if (length <= this.#steps.length) return;
    const larger = new Uint8Array(Math.max(length, 2 * this.#steps.length));
    larger.set(this.#steps);
    this.#steps = larger;
  }
}

/** For each grain, whether the step just passed going back, or going forth before *next*, is its last. */
const BOUNDARY = {
  step: { back: () => true, forth: () => true },
  push: { back: (step) => step & PUSH, forth: (step) => step & PUSH },
  intention: { back: (step) => step & BEGINS, forth: (_step, next, isEnd) => isEnd || next & BEGINS },
};
