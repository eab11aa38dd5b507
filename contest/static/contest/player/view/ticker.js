// The clock of everything that moves by itself.

/** Does something so many times a second, as far as the screen can show it, and stops when nobody looks. */
export class Ticker {
  #frame = 0;

  get isRunning() {
    return this.#frame !== 0;
  }

  /** Call *tick* with how many times are due, until it returns false. */
  start(perSecond, tick) {
    this.stop();
    let begin = null;
    let done = 0;
    const frame = (time) => {
      begin ??= time;
      const due = Math.floor(((time - begin) * perSecond) / 1000) + 1;
      const goesOn = due === done || tick(due - done);
      done = due;
      this.#frame = goesOn ? requestAnimationFrame(frame) : 0;
    };
    this.#frame = requestAnimationFrame(frame);
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }
}
