// The small level on the page of addresses that lead nowhere.

import { Arena } from "./player/rules/game.js";
import { Level } from "./player/rules/level.js";
import { BoardView } from "./player/view/view.js";

const KEYS = { ArrowLeft: 0, ArrowUp: 1, ArrowRight: 2, ArrowDown: 3 };
const PACE = 40; // steps a second; so few are shown at once that nothing seems to jump

class Small {
  #trail = [];

  constructor(root) {
    const level = Level.parse(root.dataset.lost);
    this.frame = root.querySelector("[data-board]");
    this.says = root.querySelector("[data-says]");
    this.words = this.says.dataset;
    this.position = Arena.of(level).start;
    this.view = new BoardView(this.frame, level);
    this.view.set({ ruler: false });
    for (const part of root.querySelectorAll("[data-scripted]")) part.hidden = false;
    root.querySelector("[data-unscripted]").hidden = true;
    this.#show();
    for (const button of root.querySelectorAll("[data-way]")) {
      button.addEventListener("click", () => this.go(Number(button.dataset.way)));
    }
    root.querySelector("[data-undo]").addEventListener("click", () => this.undo());
    this.frame.addEventListener("keydown", (event) => this.#key(event));
    this.frame.addEventListener("pointerup", (event) => this.#towards(event));
  }

  go(way) {
    const step = this.position.step(way);
    if (step === null) return;
    this.#trail.push(this.position);
    const before = this.position;
    this.position = before.after([step]);
    this.view.animate(before, Uint8Array.of(step), PACE);
    this.#say();
  }

  undo() {
    if (!this.#trail.length) return;
    this.position = this.#trail.pop();
    this.#show();
  }

  #show() {
    this.view.show(this.position);
    this.#say();
  }

  #say() {
    const { moves, pushes } = this.position;
    const words = this.position.isSolved ? this.words.solved : this.words.counts;
    this.says.textContent = words.replace("{moves}", moves).replace("{pushes}", pushes);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in KEYS) this.go(KEYS[event.key]);
    else if (event.key === "Backspace" || event.key === "u") this.undo();
    else return;
    event.preventDefault();
  }

  /** A step towards where the board was touched. */
  #towards(event) {
    const man = this.view.middleOf(this.position.player);
    const right = event.clientX - man.x;
    const down = event.clientY - man.y;
    if (Math.abs(right) > Math.abs(down)) this.go(right > 0 ? KEYS.ArrowRight : KEYS.ArrowLeft);
    else this.go(down > 0 ? KEYS.ArrowDown : KEYS.ArrowUp);
  }
}

new Small(document.querySelector("[data-lost]"));
