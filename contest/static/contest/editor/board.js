// The drawing on the page's board, in a frame that fits it.

import { CRATE, DOWN } from "../player/rules/game.js";
import { CURSOR, WRONG } from "../player/view/marks.js";
import { BoardView } from "../player/view/view.js";

const SHARE_OF_SCREEN = 0.7;

export class Board {
  cursor = null;
  #sheet;
  #view;

  constructor(sheet) {
    this.#sheet = sheet;
    sheet.onChange(() => this.#show());
    window.addEventListener("resize", () => this.#size());
  }

  /** The cell at a place on the screen, or null. */
  cellAt(x, y) {
    return this.#view.cellAt(x, y);
  }

  /** Mark *cells* as those that something is wrong with. */
  markWrong(cells) {
    this.#view.mark(WRONG, cells);
  }

  setCursor(cell) {
    this.cursor = cell;
    this.#view.mark(CURSOR, cell === null ? [] : [cell]);
  }

  #show() {
    const { drawing } = this.#sheet;
    const seen = seenOf(drawing);
    if (this.#view?.level.width !== drawing.width || this.#view.level.height !== drawing.height) this.#newBoard(seen);
    this.#view.level = seen;
    this.#view.show(positionOf(drawing));
    this.#view.repaint();
    this.setCursor(this.cursor);
  }

  /** A board of another size is another board: the old one stays with the frame that is taken away. */
  #newBoard(seen) {
    const old = this.#sheet.find("[data-board]");
    const hadFocus = document.activeElement === old;
    this.frame = old.cloneNode(true);
    old.replaceWith(this.frame);
    this.#view = new BoardView(this.frame, seen);
    this.#size();
    this.cursor = null;
    if (hadFocus) this.frame.focus({ preventScroll: true });
  }

  #size() {
    const height = this.#view.heightFor(this.frame.clientWidth, window.innerHeight * SHARE_OF_SCREEN);
    this.frame.style.height = `${height}px`;
    this.#view.fit();
  }
}

/** The drawing as the board shows it: all of it is floor to look at, wherever the man comes. */
function seenOf({ width, height, cells }) {
  return { width, height, cells, reach: { has: () => true } };
}

/** What stands on the drawing, as the board asks for it. */
function positionOf(drawing) {
  const stride = drawing.width + 2;
  const square = (cell) => (Math.floor(cell / drawing.width) + 1) * stride + (cell % drawing.width) + 1;
  const squares = new Uint8Array(stride * (drawing.height + 2));
  for (const box of drawing.boxes) squares[square(box)] = CRATE;
  return { squares, arena: { stride }, man: drawing.players.length ? square(drawing.players[0]) : -1, facing: DOWN };
}
