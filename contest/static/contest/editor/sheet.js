// What all parts of the editor's page share: the drawing, what is painted with, the words, and that something changed.

import { has, images, isSame, painted, resized } from "./drawing.js";

const SIDES = ["left", "top", "right", "bottom"];

export class Sheet {
  tool = "wall";
  symmetry = "none";
  #heard = [];
  #stroke = null; // while something is painted: {from, isTaking, tool, last}
  #brought = null; // the drawing that came from elsewhere and may come again, better

  /** Share *form*, the element, *words*, a speaker, and *strokes*, the drawings made so far. */
  constructor({ form, words, strokes }) {
    this.form = form;
    this.words = words;
    this.strokes = strokes;
  }

  get drawing() {
    return this.strokes.now;
  }

  find(selector) {
    return this.form.querySelector(selector);
  }

  say(key, values) {
    this.find("[data-says]").textContent = this.words(key, values);
  }

  /** Call *heard* with {isTyped, isPainting} whenever the drawing, or what it is painted with, may be another. */
  onChange(heard) {
    this.#heard.push(heard);
  }

  refresh({ isTyped = false, isPainting = false } = {}) {
    for (const heard of this.#heard) heard({ isTyped, isPainting });
  }

  take(tool) {
    this.tool = tool;
    this.refresh();
  }

  // Changes

  /** Go on with *drawing*, or say that there is no room for it; undo leads back to *from*. */
  make(drawing, { from, isTyped } = {}) {
    if (!drawing) {
      this.say("noMoreRoom");
      return;
    }
    this.strokes.make(drawing, from);
    this.refresh({ isTyped });
  }

  /** Go on with *drawing* in the place of the one that was brought last, so that undo leads back to what was before both. */
  bring(drawing) {
    if (this.drawing === this.#brought) this.strokes.undo();
    this.#brought = isSame(drawing, this.drawing) ? null : drawing;
    this.make(drawing);
  }

  resize(side, by) {
    this.make(SIDES.includes(side) ? resized(this.drawing, { [side]: by }) : null);
  }

  step(way) {
    this.strokes[way]();
    this.refresh();
  }

  // Painting

  get isPainting() {
    return this.#stroke !== null;
  }

  /** Press *tool* on *cell*: what has it already loses it, all along the stroke. */
  begin(cell, tool = this.tool) {
    const { drawing } = this;
    this.#stroke = { from: drawing, tool, isTaking: has(drawing, cell, tool), last: null };
    this.paint(cell);
  }

  /** Paint on to *cell*. */
  paint(cell) {
    const stroke = this.#stroke;
    if (cell === stroke.last) return;
    for (const passed of lineOf(this.drawing.width, stroke.last, cell)) {
      const cells = images(this.drawing, passed, this.symmetry);
      this.strokes.now = painted(this.drawing, cells, stroke.tool, stroke);
    }
    stroke.last = cell;
    this.refresh({ isPainting: true });
  }

  /** The stroke is one thing to undo. */
  end() {
    const { from } = this.#stroke;
    this.#stroke = null;
    this.make(this.drawing, { from });
  }
}

/** The cells on the straight way from *from*, which is left out, to *to*: a fast hand skips some. */
function lineOf(width, from, to) {
  if (from === null) return [to];
  const [x0, y0, x1, y1] = [from % width, Math.floor(from / width), to % width, Math.floor(to / width)];
  const count = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
  return Array.from({ length: count }, (_, step) => {
    const part = (step + 1) / count;
    return Math.round(y0 + (y1 - y0) * part) * width + Math.round(x0 + (x1 - x0) * part);
  });
}
