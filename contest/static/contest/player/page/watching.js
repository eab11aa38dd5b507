// The game as a recording: played on by itself, and looked at at any moment.

const PACES = { slow: 8, normal: 30, fast: 120, instant: 600 }; // steps a second, also where nothing else moves

export class Watching {
  #table;
  #ticker;
  #showCounters;

  /** *ticker* is a clock as in view/ticker.js; *showCounters* writes the numbers while the game plays. */
  constructor(table, ticker, showCounters) {
    this.#table = table;
    this.#ticker = ticker;
    this.#showCounters = showCounters;
  }

  get acts() {
    return {
      first: () => this.seek(0),
      last: () => this.seek(this.#table.play.length),
      play: () => this.#toggle(1),
      "play-back": () => this.#toggle(-1),
    };
  }

  /** Go to the moment after *at* steps. */
  seek(at) {
    this.pause();
    this.#table.jump((play) => play.seek(at));
  }

  pause() {
    if (!this.#ticker.isRunning) return;
    this.#ticker.stop();
    this.#table.root.classList.remove("playing");
    this.#table.refresh();
  }

  #toggle(direction) {
    if (this.#ticker.isRunning) {
      this.pause();
      return;
    }
    const table = this.#table;
    if (direction > 0 && table.play.at === table.play.length) table.jump((play) => play.seek(0));
    table.root.classList.add("playing");
    this.#ticker.start(PACES[table.settings.speed], (count) => this.#goOn(direction * count));
  }

  #goOn(steps) {
    const { play, view } = this.#table;
    play.seek(play.at + steps);
    view.show(play.position);
    view.follow(play.position.player);
    this.#showCounters(play);
    const goesOn = steps > 0 ? play.at < play.length : play.at > 0;
    if (!goesOn) this.pause();
    return goesOn;
  }
}
