// The page on which levels are drawn: introduces the drawing, the board and the hands to each other.

import { BOX, Level, PLAYER } from "../player/rules/level.js";
import { PuzzleError } from "../player/rules/errors.js";
import { CRATE } from "../player/rules/game.js";
import { CURSOR, WRONG } from "../player/view/marks.js";
import { BoardView } from "../player/view/view.js";
import { squareName } from "../player/rules/squares.js";
import { filled, speaker } from "../player/view/words.js";
import { storage } from "../player/keep/settings.js";
import { Strokes, TOOL_NAMES, cropped, fits, has, images, painted, resized, room } from "./drawing.js";
import { faults } from "./gate.js";
import { fragmentOf, levelOf } from "./link.js";

const KEPT = "leitai.editor";
const SHARE_OF_SCREEN = 0.7;
const MOST_NAMED = 6; // cells of one problem
const ARROWS = { ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1] };
const SIDES = ["left", "top", "right", "bottom"];
const TOOL_KEYS = { KeyW: "wall", KeyF: "floor", KeyG: "goal", KeyB: "box", KeyM: "man" };
const FIRST_ROOM = [11, 9];

class Editor {
  constructor(form) {
    this.form = form;
    this.words = speaker(form.querySelector("[data-words]").dataset);
    this.problems = JSON.parse(form.querySelector("[data-words]").dataset.problems);
    this.text = form.elements.pasted;
    this.storage = storage();
    this.tool = "wall";
    this.symmetry = "none";
    this.cursor = null;
    this.stroke = null; // while a pointer paints: {from, isTaking, tool, last}
  }

  start() {
    for (const part of this.form.querySelectorAll("[data-scripted]")) part.hidden = false;
    for (const part of this.form.querySelectorAll("[data-unscripted]")) part.hidden = true;
    this.strokes = new Strokes(this.#first());
    this.#openLink();
    this.#listen();
    this.#show();
  }

  /** What the page brought, else what this browser kept, else an empty room. */
  #first() {
    for (const text of [this.text.value, this.storage.getItem(KEPT) ?? ""]) {
      try {
        if (text.trim()) return Level.parse(text);
      } catch {
        // Not a board any more: the next may be one.
      }
    }
    return room(...FIRST_ROOM);
  }

  /** The level behind the # of the address; what was drawn before is one undo away. */
  #openLink() {
    try {
      const level = levelOf(location.hash);
      if (level) this.strokes.make(level);
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      this.#say("badLink");
    }
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  }

  // Showing

  get drawing() {
    return this.strokes.now;
  }

  /** Show the present drawing everywhere: on the board, as text, in the list of problems. */
  #show({ isTyped = false } = {}) {
    const { drawing } = this;
    const found = cropped(drawing);
    this.#showBoard();
    if (!isTyped) this.text.value = found ? found.level.toString() : "";
    this.text.removeAttribute("aria-invalid");
    this.#showProblems(found);
    this.#showCounts(found);
    this.#showCode(found?.level);
    this.#enable();
    this.#keep(found ? found.level.publishedText : "");
  }

  /** Say once that nothing is kept any more: the browser's storage may be full of games. */
  #keep(text) {
    try {
      this.storage.setItem(KEPT, text);
    } catch {
      if (!this.isLost) this.#say("notKept");
      this.isLost = true;
    }
  }

  #showBoard() {
    const { drawing } = this;
    const seen = seenOf(drawing);
    if (this.view?.level.width !== drawing.width || this.view.level.height !== drawing.height) this.#newBoard(seen);
    this.view.level = seen;
    this.view.show(positionOf(drawing));
    this.view.repaint();
    this.#markCursor();
  }

  /** A board of another size is another board: the old one stays with the frame that is taken away. */
  #newBoard(seen) {
    const old = this.form.querySelector("[data-board]");
    const hadFocus = document.activeElement === old;
    this.frame = old.cloneNode(true);
    old.replaceWith(this.frame);
    this.view = new BoardView(this.frame, seen);
    this.#size();
    this.cursor = null;
    if (hadFocus) this.frame.focus({ preventScroll: true });
  }

  #size() {
    const height = this.view.heightFor(this.frame.clientWidth, window.innerHeight * SHARE_OF_SCREEN);
    this.frame.style.height = `${height}px`;
    this.view.fit();
  }

  #showProblems(found) {
    const list = this.form.querySelector("[data-problem-list]");
    const problems = found ? faults(found.level) : [];
    const onBoard = (cell) =>
      (Math.floor(cell / found.level.width) + found.top) * this.drawing.width + (cell % found.level.width) + found.left;
    list.replaceChildren(...problems.map((problem) => this.#item(problem, found.level)));
    this.view.mark(WRONG, problems.flatMap(({ cells }) => cells.map(onBoard)));
    const errors = problems.filter(({ isWarning }) => !isWarning).length;
    const sound = !found ? "nothingDrawn" : errors ? "hasErrors" : problems.length ? "hasWarnings" : "isSound";
    const verdict = this.form.querySelector("[data-verdict]");
    verdict.textContent = this.words(sound, { count: errors || problems.length });
    verdict.className = sound === "isSound" ? "sound" : "";
  }

  #item({ code, values, cells, isWarning }, level) {
    const item = document.createElement("li");
    const names = cells.slice(0, MOST_NAMED).map((cell) => squareName(level, cell)).join(", ");
    const more = cells.length > MOST_NAMED ? " …" : "";
    item.textContent = filled(this.problems[code] ?? code, values) + (names ? ` (${names}${more})` : "");
    item.className = isWarning ? "warning" : "error";
    return item;
  }

  #showCounts(found) {
    const level = found?.level;
    const shown = { width: level?.width ?? 0, height: level?.height ?? 0, boxes: level?.boxes.length ?? 0, goals: level?.goals.length ?? 0 };
    this.form.querySelector("[data-size]").textContent = this.words("counts", shown);
  }

  #showCode(level) {
    const codes = {
      xsb: () => level.toString(),
      rle: () => level.runLengthText,
      mf8: () => level.mf8Text,
      sokoplayer: () => `${location.origin}/sokoplayer/?${level.sokoPlayerQuery}`,
      link: () => location.origin + location.pathname + fragmentOf(level),
    };
    const format = this.form.querySelector("[data-format]").value;
    const code = this.form.querySelector("[data-code]");
    code.dataset.code = format;
    code.value = level ? codes[format]() : "";
  }

  #enable() {
    const { strokes, drawing } = this;
    this.form.querySelector('[data-act="undo"]').disabled = !strokes.canUndo;
    this.form.querySelector('[data-act="redo"]').disabled = !strokes.canRedo;
    for (const option of this.form.querySelectorAll("[data-symmetry] option")) option.disabled = !fits(option.value, drawing);
    for (const button of this.form.querySelectorAll("[data-tool]")) {
      button.setAttribute("aria-pressed", String(button.dataset.tool === this.tool));
    }
  }

  #say(key, values) {
    this.form.querySelector("[data-says]").textContent = this.words(key, values);
  }

  // Painting

  /** Press *tool* on *cell*: what has it already loses it, all along the stroke. */
  #begin(cell, tool) {
    const { drawing } = this;
    this.stroke = { from: drawing, tool, isTaking: has(drawing, cell, tool), last: null };
    this.#paint(cell);
  }

  #paint(cell) {
    const { stroke } = this;
    for (const passed of lineOf(this.drawing.width, stroke.last, cell)) {
      const cells = images(this.drawing, passed, this.symmetry);
      this.strokes.now = painted(this.drawing, cells, stroke.tool, stroke);
    }
    stroke.last = cell;
    this.#showBoard();
  }

  /** The stroke is one thing to undo. */
  #end() {
    const { from } = this.stroke;
    this.stroke = null;
    this.#make(this.drawing, from);
  }

  #make(drawing, from) {
    if (!drawing) {
      this.#say("noMoreRoom");
      return;
    }
    this.strokes.make(drawing, from);
    this.#show();
  }

  #acts = {
    undo: () => this.#step("undo"),
    redo: () => this.#step("redo"),
    crop: () => this.#make(cropped(this.drawing)?.level),
    turn: () => this.#make(this.drawing.transformed(1)),
    mirror: () => this.#make(this.drawing.transformed(4)),
    clear: () => this.#make(room(this.drawing.width, this.drawing.height)),
    save: () => this.#download(),
  };

  act(name) {
    const [way, side] = name.split("-");
    if (SIDES.includes(side)) this.#make(resized(this.drawing, { [side]: way === "more" ? 1 : -1 }));
    else this.#acts[name]();
  }

  #step(way) {
    this.strokes[way]();
    this.#show();
  }

  #download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${this.text.value}\n`], { type: "text/plain" }));
    link.download = "level.xsb";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // Hands

  #listen() {
    const { form } = this;
    const table = form.querySelector("[data-table]");
    form.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-act], [data-tool]");
      if (button?.dataset.tool) this.#take(button.dataset.tool);
      else if (button) this.act(button.dataset.act);
    });
    form.querySelector("[data-symmetry]").addEventListener("change", ({ target }) => {
      this.symmetry = target.value;
    });
    form.querySelector("[data-format]").addEventListener("change", () => this.#showCode(cropped(this.drawing)?.level));
    this.text.addEventListener("input", () => this.#type());
    table.addEventListener("pointerdown", (event) => this.#down(event));
    table.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) table.addEventListener(end, () => this.stroke && this.#end());
    table.addEventListener("contextmenu", (event) => event.preventDefault());
    table.addEventListener("keydown", (event) => this.#key(event));
    table.addEventListener("focusout", () => this.#setCursor(null));
    window.addEventListener("resize", () => this.#size());
    window.addEventListener("hashchange", () => {
      this.#openLink();
      this.#show();
    });
  }

  #take(tool) {
    this.tool = tool;
    this.#enable();
  }

  #down(event) {
    if (!this.frame.contains(event.target) || this.stroke) return;
    const cell = this.view.cellAt(event.clientX, event.clientY);
    if (cell === null) return;
    event.preventDefault();
    this.frame.setPointerCapture(event.pointerId);
    this.frame.focus({ preventScroll: true });
    this.#begin(cell, event.button === 2 ? "floor" : this.tool);
  }

  #move(event) {
    if (!this.stroke) return;
    const cell = this.view.cellAt(event.clientX, event.clientY);
    if (cell !== null && cell !== this.stroke.last) this.#paint(cell);
  }

  #key(event) {
    if (event.isComposing || event.target !== this.frame) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.code === "KeyZ") this.act(event.shiftKey ? "redo" : "undo");
    else if (isCommand && event.code === "KeyY") this.act("redo");
    else if (isCommand || event.altKey) return;
    else if (event.key in ARROWS) this.#walk(ARROWS[event.key], event.shiftKey);
    else if (event.key === "Enter" || event.key === " ") this.#press(this.tool);
    else if (event.key === "Delete" || event.key === "Backspace") this.#press("floor");
    else if (/^[1-5]$/.test(event.key)) this.#take(TOOL_NAMES[event.key - 1]);
    else if (event.code in TOOL_KEYS) this.#take(TOOL_KEYS[event.code]);
    else if (event.key === "Escape") this.#setCursor(null);
    else return;
    event.preventDefault();
  }

  /** Move the cursor; with Shift what it walks over is painted. */
  #walk([x, y], isPainting) {
    const { width, height } = this.drawing;
    const from = this.cursor ?? 0;
    const column = Math.min(Math.max((from % width) + (this.cursor === null ? 0 : x), 0), width - 1);
    const row = Math.min(Math.max(Math.floor(from / width) + (this.cursor === null ? 0 : y), 0), height - 1);
    this.#setCursor(row * width + column);
    if (isPainting && !has(this.drawing, this.cursor, this.tool)) this.#press(this.tool);
    else this.#say("cursorAt", { square: squareName(this.drawing, this.cursor), what: this.words(whatIsOn(this.drawing, this.cursor)) });
  }

  #press(tool) {
    const cell = this.cursor ?? 0;
    this.#begin(cell, tool);
    this.#end();
    this.#setCursor(cell);
    this.#say("cursorAt", { square: squareName(this.drawing, cell), what: this.words(whatIsOn(this.drawing, cell)) });
  }

  #setCursor(cell) {
    this.cursor = cell;
    this.#markCursor();
  }

  #markCursor() {
    this.view.mark(CURSOR, this.cursor === null ? [] : [this.cursor]);
  }

  /** The text was changed by hand: draw it, or say why it is no board. */
  #type() {
    try {
      this.strokes.make(Level.parse(this.text.value));
      this.#show({ isTyped: true });
      this.#say("nothing");
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      this.text.setAttribute("aria-invalid", "true");
      this.#say(error.line === null ? "unreadable" : "unreadableAt", { line: error.line, column: error.column ?? 1 });
    }
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
  return { squares, arena: { stride }, man: drawing.players.length ? square(drawing.players[0]) : -1 };
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

function whatIsOn({ cells }, cell) {
  const content = cells[cell];
  if (content & BOX) return has({ cells }, cell, "goal") ? "boxOnGoal" : "box";
  if (content & PLAYER) return has({ cells }, cell, "goal") ? "manOnGoal" : "man";
  return has({ cells }, cell, "wall") ? "wall" : has({ cells }, cell, "goal") ? "goal" : "floor";
}

const form = document.querySelector("form[data-editor]");
if (form) new Editor(form).start();
