// The exponential series: a member, its numbers, and its solution as a film.

import { Playback } from "../../player/play/playback.js";
import { PuzzleError } from "../../player/rules/errors.js";
import { troubleWords } from "../trouble.js";
import { draw } from "./board.js";
import { RANGES, member } from "./series.js";

const FRAME = 40; // milliseconds
const breathe = () => new Promise((resolve) => setTimeout(resolve));

export class SeriesSection {
  constructor(root, words, facts) {
    this.root = root;
    this.words = words;
    this.editor = facts.addresses.editor;
    this.at = (name) => root.querySelector(`[data-${name}]`);
    this.at("series").addEventListener("change", () => this.choose());
    this.at("number").addEventListener("change", () => this.load());
    this.at("play").addEventListener("click", () => (this.timer ? this.stop() : this.run()));
    this.at("place").addEventListener("input", () => {
      this.stop();
      this.show(Number(this.at("place").value));
    });
    this.choose();
  }

  choose() {
    const [first, last] = RANGES[this.at("series").value];
    Object.assign(this.at("number"), { min: first, max: last, value: first });
    this.load();
  }

  async load() {
    this.stop();
    this.at("trouble").textContent = "";
    let found;
    try {
      found = member(this.at("series").value, Number(this.at("number").value));
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      this.at("trouble").textContent = troubleWords(this.words, error);
      return;
    }
    const asked = (this.asked = found);
    this.at("numbers").textContent = this.words("member", {
      moves: found.moves.toLocaleString(),
      pushes: found.pushes.toLocaleString(),
      cells: found.level.reach.size,
      boxes: found.level.boxes.length,
    });
    this.at("link").href = `${this.editor}#level=${found.level.compactText}`;
    const film = await Playback.open(found.level, found.solution, breathe);
    if (asked !== this.asked) return; // somebody chose another one meanwhile
    this.film = film;
    Object.assign(this.at("place"), { max: film.length, value: 0 });
    this.show(0);
  }

  show(at) {
    this.place = at;
    draw(this.at("board"), this.film.seek(at));
    this.at("place").value = at;
    this.at("now").textContent = this.words("now", { moves: at, pushes: this.film.pushesBy(at) });
  }

  /** So many steps a second as is chosen; several in a frame where that is more than there are frames. */
  run() {
    if (!this.film) return;
    if (this.place >= this.film.length) this.show(0);
    this.at("play").textContent = this.words("stop");
    let due = 0;
    this.timer = setInterval(() => {
      due += (Number(this.at("pace").value) * FRAME) / 1000;
      if (due < 1) return;
      this.show(Math.min(this.film.length, this.place + Math.floor(due)));
      due %= 1;
      if (this.place === this.film.length) this.stop();
    }, FRAME);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.at("play").textContent = this.words("play");
  }
}
