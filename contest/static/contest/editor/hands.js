// Mouse, fingers and keys on the board that is drawn on.

import { BOX, PLAYER } from "../player/rules/letters.js";
import { squareName } from "../player/rules/squares.js";
import { TOOL_NAMES, has, moved } from "./drawing.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1] };
const TOOL_KEYS = { KeyW: "wall", KeyF: "floor", KeyG: "goal", KeyB: "box", KeyM: "man" };

export class Hands {
  #sheet;
  #board;

  constructor(sheet, board) {
    this.#sheet = sheet;
    this.#board = board;
    const table = sheet.find("[data-table]");
    table.addEventListener("pointerdown", (event) => this.#down(event));
    table.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) table.addEventListener(end, () => sheet.isPainting && sheet.end());
    table.addEventListener("contextmenu", (event) => event.preventDefault());
    table.addEventListener("keydown", (event) => this.#key(event));
    table.addEventListener("focusout", () => board.setCursor(null));
  }

  #down(event) {
    const { frame } = this.#board;
    if (!frame.contains(event.target) || this.#sheet.isPainting) return;
    const cell = this.#board.cellAt(event.clientX, event.clientY);
    if (cell === null) return;
    event.preventDefault();
    frame.setPointerCapture(event.pointerId);
    frame.focus({ preventScroll: true });
    this.#sheet.begin(cell, event.button === 2 ? "floor" : this.#sheet.tool);
  }

  #move(event) {
    if (!this.#sheet.isPainting) return;
    const cell = this.#board.cellAt(event.clientX, event.clientY);
    if (cell !== null) this.#sheet.paint(cell);
  }

  #key(event) {
    const sheet = this.#sheet;
    if (event.isComposing || event.target !== this.#board.frame) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.code === "KeyZ") sheet.step(event.shiftKey ? "redo" : "undo");
    else if (isCommand && event.code === "KeyY") sheet.step("redo");
    else if (event.altKey && !isCommand && event.key in ARROWS) sheet.make(moved(sheet.drawing, ...ARROWS[event.key]));
    else if (isCommand || event.altKey) return;
    else if (event.key in ARROWS) this.#walk(ARROWS[event.key], event.shiftKey);
    else if (event.key === "Enter" || event.key === " ") this.#press(sheet.tool);
    else if (event.key === "Delete" || event.key === "Backspace") this.#press("floor");
    else if (/^[1-5]$/.test(event.key)) sheet.take(TOOL_NAMES[event.key - 1]);
    else if (event.code in TOOL_KEYS) sheet.take(TOOL_KEYS[event.code]);
    else if (event.key === "Escape") this.#board.setCursor(null);
    else return;
    event.preventDefault();
  }

  /** Move the cursor; with Shift what it walks over is painted. */
  #walk([x, y], isPainting) {
    const { drawing, tool } = this.#sheet;
    const { width, height } = drawing;
    const { cursor } = this.#board;
    const from = cursor ?? 0;
    const column = Math.min(Math.max((from % width) + (cursor === null ? 0 : x), 0), width - 1);
    const row = Math.min(Math.max(Math.floor(from / width) + (cursor === null ? 0 : y), 0), height - 1);
    const cell = row * width + column;
    this.#board.setCursor(cell);
    if (isPainting && !has(drawing, cell, tool)) this.#press(tool);
    else this.#tell(cell);
  }

  #press(tool) {
    const cell = this.#board.cursor ?? 0;
    this.#sheet.begin(cell, tool);
    this.#sheet.end();
    this.#board.setCursor(cell);
    this.#tell(cell);
  }

  #tell(cell) {
    const { drawing, words } = this.#sheet;
    this.#sheet.say("cursorAt", { square: squareName(drawing, cell), what: words(whatIsOn(drawing, cell)) });
  }
}

function whatIsOn({ cells }, cell) {
  const content = cells[cell];
  if (content & BOX) return has({ cells }, cell, "goal") ? "boxOnGoal" : "box";
  if (content & PLAYER) return has({ cells }, cell, "goal") ? "manOnGoal" : "man";
  return has({ cells }, cell, "wall") ? "wall" : has({ cells }, cell, "goal") ? "goal" : "floor";
}
