// Savitch's search on a tiny board: the trail of open questions, which is all that it keeps.

import { Arena } from "../../player/rules/game.js";
import { Level } from "../../player/rules/level.js";
import { draw } from "./board.js";
import { Search } from "./savitch.js";

const MOST_AT_ONCE = 20_000;

export class SavitchSection {
  constructor(root, words) {
    this.words = words;
    this.at = (name) => root.querySelector(`[data-${name}]`);
    this.at("level").addEventListener("change", () => this.load());
    this.at("one").addEventListener("click", () => this.ask(1));
    this.at("many").addEventListener("click", () => this.ask(100));
    this.at("all").addEventListener("click", () => (this.timer ? this.stop() : this.run()));
    this.at("again").addEventListener("click", () => this.load());
    this.load();
  }

  load() {
    this.stop();
    const level = Level.parse(this.at("level").value);
    draw(this.at("board"), Arena.of(level).start);
    this.search = new Search(level);
    this.asking = this.search.decide();
    this.answer = null;
    this.bits = this.search.breadthFirstBits;
    this.ask(1);
  }

  ask(questions) {
    for (let at = 0; at < questions && this.answer === null; at++) {
      const { done, value } = this.asking.next();
      if (done) this.answer = value;
    }
    this.show();
  }

  run() {
    this.at("all").textContent = this.words("stop");
    const go = () => {
      this.ask(MOST_AT_ONCE);
      if (this.answer === null) this.timer = setTimeout(go);
      else this.stop();
    };
    this.timer = setTimeout(go);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.at("all").textContent = this.words("run");
  }

  show() {
    const { search } = this;
    const values = { asked: search.asked, bits: search.mostBits, states: search.size, search: this.bits };
    const lines = search.trail.map(({ first, last, middle, halvings }) => {
      const line = document.createElement("li");
      const asked = this.words(middle ? "question" : "leaf", { first, last, middle, steps: 2 ** halvings });
      line.textContent = asked;
      return line;
    });
    this.at("trail").replaceChildren(...lines);
    this.at("numbers").textContent = this.words("spent", values);
    const key = { true: "solvable", false: "unsolvable", null: "undecided" }[String(this.answer)];
    this.at("says").textContent = this.words(key);
    for (const name of ["one", "many", "all"]) this.at(name).disabled = this.answer !== null;
  }
}
