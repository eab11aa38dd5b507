// The list of the groups of cells that look alike: a cell of each, how many there are, and what they are.

import { NAMES } from "./naming.js";

const SIDE = 40; // CSS pixels of the picture of a cell

export class Names {
  #list;
  #words;
  #onChange;

  constructor(root, words, onChange) {
    this.#list = root.querySelector("[data-groups]");
    this.#words = words;
    this.#onChange = onChange;
  }

  /** The name of each group. */
  get chosen() {
    return [...this.#list.querySelectorAll("select")].map(({ value }) => value);
  }

  clear() {
    this.#list.replaceChildren();
  }

  /** List the groups *found* on *grid* of the picture in *frame*, called *names* until they are changed. */
  show(frame, grid, { groups }, names) {
    this.#list.replaceChildren(...groups.map((group, number) => this.#item(frame, grid, group.cells, { number, name: names[number] })));
  }

  #item(frame, grid, cells, { number, name }) {
    const item = document.createElement("li");
    const label = document.createElement("label");
    const count = document.createElement("span");
    count.className = "counts";
    count.textContent = this.#words("group", { number: number + 1, cells: cells.length });
    const choice = document.createElement("select");
    for (const one of Object.keys(NAMES)) choice.append(new Option(this.#words(one), one, one === name, one === name));
    choice.addEventListener("change", () => this.#onChange());
    const mark = (isMarked) => frame.mark(isMarked ? cells : []);
    for (const [begin, end] of [["pointerenter", "pointerleave"], ["focusin", "focusout"]]) {
      item.addEventListener(begin, () => mark(true));
      item.addEventListener(end, () => mark(false));
    }
    label.append(pictureOf(frame, grid, cells[0]), count, choice);
    item.append(label);
    return item;
  }
}

function pictureOf(frame, { left, top, size, columns }, cell) {
  const picture = document.createElement("canvas");
  picture.width = picture.height = SIDE;
  picture.setAttribute("aria-hidden", "true");
  const [x, y] = [left + (cell % columns) * size, top + Math.floor(cell / columns) * size];
  picture.getContext("2d").drawImage(frame.picture, x, y, size, size, 0, 0, SIDE, SIDE);
  return picture;
}
