// Runs a replay: knows the moment shown, steps, plays at a speed. What is shown is for others.

import { Ticker } from "../player/view/ticker.js";

const WHOLE_SECONDS = 30;
const CHANGES_A_SECOND = 2; // where motion is unwelcome, from box to box

export class Projector {
  #ticker = new Ticker();

  /** *show* is called with each new moment, and *stopped* when playing ends. */
  constructor(playback, { show, stopped = () => {} }) {
    this.playback = playback;
    this.at = 0;
    this.speed = "8";
    this.show = show;
    this.stopped = stopped;
  }

  get isPlaying() {
    return this.#ticker.isRunning;
  }

  /** Do an act by its name; false for one that is not known here. */
  act(name) {
    const to = this.#moments[name];
    if (name === "play") this.toggle();
    else if (to) this.seek(to());
    return name === "play" || Boolean(to);
  }

  #moments = {
    first: () => 0,
    last: () => this.playback.length,
    back: () => this.at - 1,
    forth: () => this.at + 1,
    "previous-push": () => this.playback.previousPush(this.at),
    "next-push": () => this.playback.nextPush(this.at),
    "previous-change": () => this.playback.previousBoxChange(this.at),
    "next-change": () => this.playback.nextBoxChange(this.at),
  };

  /** Stop, and show the moment *at* or the nearest there is. */
  seek(at) {
    this.pause();
    this.#go(at);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.#play();
  }

  pause() {
    if (!this.isPlaying) return;
    this.#ticker.stop();
    this.stopped();
  }

  /** Go on at another speed: steps a second, "whole" for all in half a minute, or "instant". */
  setSpeed(speed) {
    this.speed = speed;
    if (this.isPlaying) this.#play();
  }

  #play() {
    if (this.at >= this.playback.length) this.#go(0);
    if (this.speed === "instant") {
      this.#go(this.playback.length);
      this.stopped();
      return;
    }
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#ticker.start(isStill ? CHANGES_A_SECOND : this.#perSecond, (count) => {
      this.#go(isStill ? this.playback.nextBoxChange(this.at) : this.at + count);
      const goesOn = this.at < this.playback.length;
      if (!goesOn) queueMicrotask(() => this.stopped()); // when the ticker knows that it has ended
      return goesOn;
    });
  }

  get #perSecond() {
    return this.speed === "whole" ? Math.max(4, this.playback.length / WHOLE_SECONDS) : Number(this.speed);
  }

  #go(at) {
    this.at = Math.min(Math.max(at, 0), this.playback.length);
    this.show(this.at);
  }
}
