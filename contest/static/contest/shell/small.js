// A small board to try things on: arrow keys, buttons or a touch are single steps, each of which can be taken back.

import { Arena } from "../player/rules/game.js";
import { Level } from "../player/rules/level.js";
import { takeOver } from "../player/view/parts.js";
import { BoardView } from "../player/view/view.js";

const KEYS = { ArrowLeft: 0, ArrowUp: 1, ArrowRight: 2, ArrowDown: 3 };

export class SmallBoard {
  #trail = [];

  /**
   * Show the level that *root* names in `data-small` in the place of its picture. *say* is asked what to say of each
   * position: it gets the position and the words of the line that speaks.
   */
  constructor(root, say) {
    this.level = Level.parse(root.dataset.small);
    this.position = new Arena(this.level).start;
    this.view = new BoardView(root.querySelector("[data-board]"), this.level);
    this.view.set({ ruler: false });
    this.says = root.querySelector("[data-says]");
    this.say = say;
    takeOver(root);
    this.view.show(this.position);
    for (const button of root.querySelectorAll("[data-way]")) {
      button.addEventListener("click", () => this.go(Number(button.dataset.way)));
    }
    root.querySelector("[data-undo]").addEventListener("click", () => this.undo());
    root.addEventListener("keydown", (event) => this.#key(event));
    root.querySelector("[data-board]").addEventListener("pointerup", (event) => this.#towards(event));
  }

  go(way) {
    const step = this.position.step(way);
    if (step === null) return;
    const before = this.position;
    this.#trail.push(before);
    this.position = before.after([step]);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.view.show(this.position);
    else this.view.slide(before, step);
    this.#tell();
  }

  undo() {
    if (!this.#trail.length) return;
    this.position = this.#trail.pop();
    this.view.show(this.position);
    this.#tell();
  }

  #tell() {
    this.says.textContent = this.say(this.position, this.says.dataset);
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
