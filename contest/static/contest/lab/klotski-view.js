// The board of Klotski on the page: pieces to press, drag or choose by keys. Knows no goals and no history.

import { linesOf } from "./klotski-people.js";
import { COLUMNS, ROWS, cellsOf, square, ways } from "./klotski.js";

const SVG = "http://www.w3.org/2000/svg";
const CLASSES = { C: "cao", H: "horizontal", V: "vertical", o: "soldier" };
const GAP = 0.05;
const FRAME = `M1 ${ROWS}.08h-1.08v-${ROWS}.16h${COLUMNS}.16v${ROWS}.16h-1.08`;

export class KlotskiView {
  #svg;
  #layout = null;
  #chosen = null; // the first cell of the piece to be moved
  #hinted = null;
  #drag = null;
  #onMove;
  #onChoose;
  #namesOf;

  /**
   * Show boards in *svg*; onMove(start, stop) hears of moves, onChoose(piece, cells) of a piece that was chosen;
   * namesOf(layout) gives the names of its pieces in their order.
   */
  constructor(svg, { onMove, onChoose, namesOf }) {
    this.#svg = svg;
    this.#onMove = onMove;
    this.#onChoose = onChoose;
    this.#namesOf = namesOf;
    svg.setAttribute("role", "group"); // a picture until the pieces can be moved
    svg.ariaLabel = svg.querySelector("title")?.textContent ?? "";
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => (this.#drag = null));
    svg.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Draw *layout*. */
  show(layout) {
    const focused = this.#svg.contains(document.activeElement) ? Number(document.activeElement.dataset.cell) : -1;
    if (layout !== this.#layout) this.forget(); // what was chosen may stand elsewhere now
    this.#layout = layout;
    const names = this.#namesOf(layout);
    const pieces = layout.pieces.map((piece, at) => this.#drawn(piece, names[at]));
    this.#svg.replaceChildren(
      made("path", { class: "floor", d: `M0 0h${COLUMNS}v${ROWS}h-${COLUMNS}z` }),
      made("path", { class: "exit", d: `M1 ${ROWS}h2v.2h-2z` }),
      ...pieces,
      ...this.#targets(),
      made("path", { class: "frame", fill: "none", "stroke-width": 0.14, d: FRAME }),
    );
    if (focused >= 0) this.#focus(layout.pieceAt(focused)?.cell ?? layout.pieces[0].cell);
  }

  /** Mark a move; null marks none. */
  hint(move) {
    this.#hinted = move;
    this.#chosen = move ? this.#layout.pieceAt(move.start).cell : null;
    this.show(this.#layout);
  }

  /** Choose no piece, and let go of one that is being dragged. */
  forget() {
    this.#chosen = this.#hinted = this.#drag = null;
  }

  #drawn(piece, name) {
    const { x, y, width, height } = boxOf(piece.kind, piece.cell);
    const isChosen = piece.cell === this.#chosen;
    const group = made("g", {
      tabindex: 0,
      role: "button",
      "data-cell": piece.cell,
      "aria-pressed": isChosen,
      "aria-label": `${name} ${square(piece.cell)}`,
      class: isChosen ? "piece chosen" : "piece",
    });
    group.append(made("rect", { class: CLASSES[piece.kind], x, y, width, height, rx: 0.12, "stroke-width": 0.04 }));
    const { lines, size } = linesOf(name, piece.kind);
    lines.forEach((line, at) => {
      const down = y + height / 2 + size * (at - lines.length / 2 + 0.85);
      const text = made("text", { class: "name", x: x + width / 2, y: down, "font-size": size, "text-anchor": "middle" });
      text.textContent = line;
      group.append(text);
    });
    return group;
  }

  #targets() {
    if (this.#chosen === null) return [];
    const { kind, cell } = this.#layout.pieceAt(this.#chosen);
    const stops = this.#hinted ? [this.#hinted.stop - this.#hinted.start + cell] : [...ways(this.#layout, { kind, cell }).keys()];
    return stops.map((stop) => {
      const { x, y, width, height } = boxOf(kind, stop);
      return made("rect", { class: "target", "data-stop": stop, x, y, width, height, rx: 0.12 });
    });
  }

  #down(event) {
    if (event.button !== 0) return;
    const cell = this.#cellAt(event);
    const piece = cell === null ? null : this.#layout.pieceAt(cell);
    this.#drag = { x: event.clientX, y: event.clientY, piece, cell };
    event.preventDefault();
  }

  #up(event) {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag) return;
    const side = this.#svg.getBoundingClientRect().width / (COLUMNS + 0.4);
    const right = Math.round((event.clientX - drag.x) / side);
    const down = Math.round((event.clientY - drag.y) / side);
    if (drag.piece && (right || down)) this.#dragged(drag.piece, right, down);
    else this.#pressed(drag.cell);
  }

  /** To where it was dropped; a short stroke in a direction is enough. */
  #dragged(piece, right, down) {
    const stops = [...ways(this.#layout, piece).keys()];
    const wanted = piece.cell + down * COLUMNS + right;
    const signs = [Math.sign(right), Math.sign(down)];
    const isThatWay = (stop) => {
      const moved = [(stop % COLUMNS) - (piece.cell % COLUMNS), Math.floor(stop / COLUMNS) - Math.floor(piece.cell / COLUMNS)];
      return Math.abs(right) >= Math.abs(down)
        ? moved[1] === 0 && Math.sign(moved[0]) === signs[0]
        : moved[0] === 0 && Math.sign(moved[1]) === signs[1];
    };
    const stop = stops.includes(wanted) ? wanted : stops.find(isThatWay);
    if (stop === undefined) this.#choose(piece);
    else this.#move(piece.cell, stop);
  }

  #pressed(cell) {
    if (cell === null) return;
    const piece = this.#layout.pieceAt(cell);
    if (piece) {
      if (piece.cell === this.#chosen) this.#choose(null);
      else this.#choose(piece);
      return;
    }
    if (this.#chosen === null) return;
    const chosen = this.#layout.pieceAt(this.#chosen);
    const stops = [...ways(this.#layout, chosen).keys()];
    const stop = stops.find((one) => cellsOf(chosen.kind, one).includes(cell));
    if (stop !== undefined) this.#move(chosen.cell, stop);
  }

  #choose(piece) {
    this.#chosen = piece?.cell ?? null;
    this.#hinted = null;
    const stops = piece ? [...ways(this.#layout, piece).keys()] : [];
    if (piece) this.#onChoose(piece, stops);
    // One way only is taken at once.
    if (stops.length === 1) this.#move(piece.cell, stops[0]);
    else this.show(this.#layout);
  }

  #move(start, stop) {
    this.forget();
    this.#onMove(start, stop);
  }

  /** Arrows move the piece that has the focus; Enter chooses it. */
  #key(event) {
    const cell = Number(event.target.dataset?.cell ?? NaN);
    if (Number.isNaN(cell) || event.ctrlKey || event.metaKey || event.altKey) return;
    const piece = this.#layout.pieceAt(cell);
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (direction) {
      event.preventDefault();
      const stop = piece.cell + direction[1] * COLUMNS + direction[0];
      if (ways(this.#layout, piece).has(stop)) {
        this.#move(piece.cell, stop);
        this.#focus(stop);
      } else this.#onChoose(piece, [...ways(this.#layout, piece).keys()]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(piece);
    }
  }

  #focus(cell) {
    this.#svg.querySelector(`[data-cell="${cell}"]`)?.focus();
  }

  #cellAt({ clientX, clientY }) {
    const { left, top, width } = this.#svg.getBoundingClientRect();
    const side = width / (COLUMNS + 0.4);
    const column = Math.floor((clientX - left) / side - 0.2);
    const row = Math.floor((clientY - top) / side - 0.2);
    return column >= 0 && column < COLUMNS && row >= 0 && row < ROWS ? row * COLUMNS + column : null;
  }
}

function boxOf(kind, cell) {
  const cells = cellsOf(kind, cell);
  const width = (cells.at(-1) % COLUMNS) - (cell % COLUMNS) + 1;
  const height = Math.floor(cells.at(-1) / COLUMNS) - Math.floor(cell / COLUMNS) + 1;
  return {
    x: (cell % COLUMNS) + GAP,
    y: Math.floor(cell / COLUMNS) + GAP,
    width: width - 2 * GAP,
    height: height - 2 * GAP,
  };
}

function made(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
