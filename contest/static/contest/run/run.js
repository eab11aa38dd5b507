// A run: levels in a row until the time is over, a mistake is made, or all are solved. It knows no page.

/**
 * A run goes on from `new Run()` to `end`. All times are milliseconds of the clock *now*. The site counts the time by
 * its own clock; this one shows how much is left.
 */
export class Run {
  #solutions = [];
  #began;
  #ended = null; // {why, at}
  #now;
  #facts;

  /** *levels* have {place, text}; *seconds* is the time there is, or null; *isClean* says that a mistake ends the run. */
  constructor({ levels, seconds = null, isClean = false }, now) {
    this.#facts = { levels, seconds, isClean };
    this.#now = now;
    this.#began = now();
  }

  get solved() {
    return this.#solutions.length;
  }

  get count() {
    return this.#facts.levels.length;
  }

  /** The level that is played now; undefined after the last. */
  get level() {
    return this.#facts.levels[this.solved];
  }

  /** Why the run has ended: "time", "undone", "lost", "all" or "stopped"; null while it goes on. */
  get ended() {
    return this.#ended?.why ?? null;
  }

  /** Milliseconds since the start, up to the end. */
  get elapsed() {
    const { seconds } = this.#facts;
    const elapsed = (this.#ended?.at ?? this.#now()) - this.#began;
    return seconds === null ? elapsed : Math.min(elapsed, 1000 * seconds);
  }

  /** Milliseconds that the clock shows: those that are left, or where there is no limit those that have passed. */
  get shown() {
    const { seconds } = this.#facts;
    return seconds === null ? this.elapsed : 1000 * seconds - this.elapsed;
  }

  /** End the run once its time is over. */
  tick() {
    const { seconds } = this.#facts;
    if (!this.#ended && seconds !== null && this.#now() - this.#began >= 1000 * seconds) this.end("time");
  }

  /** Hear of a position of the present level: whether a push was *isUndone* and whether a box *isLost* for good. */
  hear({ isUndone, isLost }) {
    this.tick();
    if (this.#ended || !this.#facts.isClean) return;
    if (isUndone) this.end("undone");
    else if (isLost) this.end("lost");
  }

  /** Count *letters*, a solution of the present level; after the end nothing counts. */
  solve(letters) {
    this.tick();
    if (this.#ended) return;
    this.#solutions.push({ place: this.level.place, letters });
    if (this.solved === this.count) this.end("all");
  }

  end(why) {
    this.#ended ??= { why, at: this.#now() };
  }

  /** All solutions as they are sent: each with the place of its level. */
  get text() {
    return this.#solutions.map(({ place, letters }) => `${place}:${letters}`).join(" ");
  }
}

/** Milliseconds as a clock shows them: "2:05". What is left of a second counts as a whole one where time runs *down*. */
export function clockFace(milliseconds, isDown) {
  const seconds = Math.max(0, (isDown ? Math.ceil : Math.floor)(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
