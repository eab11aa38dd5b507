// The course of deadlocks: mark the boxes of a lost position that can never all get to goals.

import { Arena } from "./player/rules/game.js";
import { Level } from "./player/rules/level.js";
import { LOST, REACH, SELECTED } from "./player/view/marks.js";
import { takeOver } from "./player/view/parts.js";
import { BoardView } from "./player/view/view.js";

const cellsOf = (text) => new Set(text.split(" ").filter(Boolean).map(Number));

class Exercise {
  #root;
  #level;
  #view;
  #lost;
  #picked = new Set();
  #buttons = new Map();

  constructor(root) {
    this.#root = root;
    this.#level = Level.parse(root.dataset.exercise);
    this.#lost = cellsOf(root.dataset.boxes);
    const frame = root.querySelector("[data-board]");
    frame.style.aspectRatio = `${this.#level.width + 1} / ${this.#level.height + 1}`; // with the ruler
    this.#view = new BoardView(frame, this.#level);
    takeOver(root);
    this.#view.show(new Arena(this.#level).start);
    this.#offerBoxes(root.querySelector("[data-choices]"));
    frame.addEventListener("pointerup", ({ clientX, clientY }) => this.#pick(this.#view.cellAt(clientX, clientY)));
    root.querySelector("details").addEventListener("toggle", ({ target }) => target.open && this.#show());
  }

  /** A button for each box, named as at the edge of the board. */
  #offerBoxes(row) {
    for (const cell of this.#level.boxes) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = String.fromCharCode(65 + (cell % this.#level.width)) + (Math.floor(cell / this.#level.width) + 1);
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => this.#pick(cell));
      this.#buttons.set(cell, button);
      row.append(button);
    }
  }

  #pick(cell) {
    if (!this.#buttons.has(cell) || this.#root.classList.contains("done")) return;
    if (!this.#picked.delete(cell)) this.#picked.add(cell);
    this.#buttons.get(cell).setAttribute("aria-pressed", this.#picked.has(cell));
    this.#view.mark(SELECTED, [...this.#picked]);
    this.#judge();
  }

  /** Say whether the marked boxes are the fewest lost ones, once there are as many: no others so few are lost. */
  #judge() {
    const says = this.#root.querySelector("[data-says]");
    const hits = [...this.#lost].filter((cell) => this.#picked.has(cell)).length;
    says.textContent = "";
    if (hits === this.#lost.size && this.#picked.size === hits) {
      says.textContent = says.dataset.right;
      this.#root.classList.add("done");
      this.#root.querySelector("details").open = true;
    } else if (this.#picked.size > this.#lost.size) says.textContent = says.dataset.many;
    else if (this.#picked.size === this.#lost.size) says.textContent = says.dataset.other;
  }

  #show() {
    this.#view.mark(SELECTED, []);
    this.#view.mark(LOST, [...this.#lost]);
    this.#view.mark(REACH, [...cellsOf(this.#root.dataset.reach)]);
  }
}

for (const root of document.querySelectorAll("[data-exercise]")) new Exercise(root);
