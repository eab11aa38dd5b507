// A board of Klotski to put pieces on. Knows the rules of layouts and no page but its own part of it.

import { CELLS, COLUMNS, COVER, KINDS, Layout, cellsOf, square } from "./klotski.js";

const NEEDED = { C: 1, o: 4 };
const DOMINOES = 5;
const CLASSES = { C: "cao", H: "horizontal", V: "vertical", o: "soldier" };

export class KlotskiEditor {
  #root;
  #words;
  #onChange;
  #pieces = [];

  /** onChange(layout, missing) hears of every change: the layout, or null and what it still takes, in words. */
  constructor(root, words, onChange) {
    this.#root = root;
    this.#words = words;
    this.#onChange = onChange;
    root.querySelector("[data-cells]").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button) this.#press(Number(button.dataset.cell));
    });
    root.querySelector("[data-clear]").addEventListener("click", () => this.#become([]));
  }

  get #tool() {
    return this.#root.querySelector("[data-tools] input:checked").value;
  }

  /** Show *layout* to be changed. */
  load(layout) {
    this.#become(layout.pieces.map(({ kind, cell }) => ({ kind, cell })));
  }

  /** On a piece: take it away; on free floor: put one there, by its upper left cell. */
  #press(cell) {
    const there = this.#pieceAt(cell);
    if (there) {
      this.#become(this.#pieces.filter((piece) => piece !== there));
      return;
    }
    const kind = this.#tool;
    const free = cellsOf(kind, cell);
    if (!free.length || free.some((one) => this.#pieceAt(one)) || !this.#takes(kind)) {
      this.#onChange(null, this.#words("noRoom", { piece: this.#words(kind), square: square(cell) }));
      return;
    }
    this.#become([...this.#pieces, { kind, cell }]);
  }

  #count(...kinds) {
    return this.#pieces.filter(({ kind }) => kinds.includes(kind)).length;
  }

  #takes(kind) {
    return NEEDED[kind] ? this.#count(kind) < NEEDED[kind] : this.#count("H", "V") < DOMINOES;
  }

  #pieceAt(cell) {
    return this.#pieces.find((piece) => (COVER[piece.kind][piece.cell] >> cell) & 1);
  }

  #become(pieces) {
    this.#pieces = pieces;
    this.#show();
    const missing = { blocks: 1 - this.#count("C"), dominoes: DOMINOES - this.#count("H", "V"), soldiers: 4 - this.#count("o") };
    if (Object.values(missing).some(Boolean)) this.#onChange(null, this.#words("missing", missing));
    else this.#onChange(new Layout(pieces.map((piece) => ({ ...piece, name: "" }))), "");
  }

  #show() {
    const buttons = Array.from({ length: CELLS }, (_, cell) => {
      const piece = this.#pieceAt(cell);
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.cell = cell;
      button.className = piece ? CLASSES[piece.kind] : "free";
      if (piece) {
        for (const [side, beside] of Object.entries(besides(cell))) {
          if (beside >= 0 && this.#pieceAt(beside) === piece) button.classList.add(side);
        }
      }
      button.ariaLabel = `${square(cell)} ${piece ? this.#words(piece.kind) : this.#words("free")}`;
      return button;
    });
    const focused = document.activeElement?.dataset?.cell;
    const board = this.#root.querySelector("[data-cells]");
    const hadFocus = board.contains(document.activeElement);
    board.replaceChildren(...buttons);
    if (hadFocus) buttons[Number(focused)].focus();
    for (const input of this.#root.querySelectorAll("[data-tools] input")) input.disabled = !this.#takes(input.value);
    const chosen = this.#root.querySelector("[data-tools] input:checked");
    if (chosen.disabled) {
      const other = KINDS.find((kind) => this.#takes(kind));
      if (other) this.#root.querySelector(`[data-tools] input[value="${other}"]`).checked = true;
    }
  }
}

/** The cells beside one, by the side on which they are. */
function besides(cell) {
  const column = cell % COLUMNS;
  return {
    "to-left": column ? cell - 1 : -1,
    "to-right": column < COLUMNS - 1 ? cell + 1 : -1,
    "to-top": cell - COLUMNS,
    "to-bottom": cell + COLUMNS < CELLS ? cell + COLUMNS : -1,
  };
}
