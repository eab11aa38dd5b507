// What all parts of the player's page share: the game, the board and the words, and that something has changed.

const SPEEDS = { slow: 8, normal: 30, fast: 120, instant: 0 }; // steps a second; 0 is at once

export class Table {
  #heard = [];

  /** Share *root* and *frame* (elements), *level*, *lines*, *view*, *facts*, *words*, *store*, *sound* and *beside* (a media query). */
  constructor(parts) {
    Object.assign(this, parts);
    this.settings = this.store.settings;
  }

  /** The game that is played now, forwards or backwards. */
  get play() {
    return this.lines.play;
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  say(key, values) {
    this.find("[data-says]").textContent = this.words(key, values);
  }

  /** Let *name* be heard, by whoever wants sounds. */
  hear(name) {
    if (this.settings.sound) this.sound.play(name);
  }

  /** Give the keys to the board. */
  focus() {
    this.frame.focus({ preventScroll: true });
  }

  /** Call *heard* with {isAnimated, isSaved} whenever the position may be another one, in the order of asking. */
  onChange(heard) {
    this.#heard.push(heard);
  }

  /** Tell all parts that the position may be another one. */
  refresh({ isAnimated = false, isSaved = false } = {}) {
    for (const heard of this.#heard) heard({ isAnimated, isSaved });
  }

  /** Let the game make steps and show them one after the other; return them. */
  perform(make) {
    const before = this.play.position;
    const steps = make(this.play);
    const isAnimated = steps.length > 0 && this.speed > 0;
    if (isAnimated && steps.length > 1) this.view.animate(before, steps, this.speed);
    else if (isAnimated) this.view.slide(before, steps[0]);
    this.refresh({ isAnimated });
    return steps;
  }

  /** Go on with the game forwards, wherever it stands; the present one where it is that already. */
  goForward() {
    this.lines.goForward();
    return this.lines.forward;
  }

  /** Let the game go somewhere and show where it is then. */
  jump(go) {
    go(this.play);
    this.refresh();
  }

  /** Steps a second that are shown, or 0 where all are shown at once. */
  get speed() {
    return this.isStill() ? 0 : SPEEDS[this.settings.speed];
  }
}
