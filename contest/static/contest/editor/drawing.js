// A board while it is drawn: painting, symmetry, size. Knows no page. A drawing is a Level that may have empty edges;
// every change makes a new one, and undo is the one before.

import { BOX, FLOOR, GOAL, PLAYER, WALL } from "../player/rules/letters.js";
import { Level } from "../player/rules/level.js";

export const LEAST = 3;
export const MOST = 100; // a side: what a contest takes
const MOST_KEPT = 500;

/** What a tool puts on a cell, and how it is seen that it is there already. */
const TOOLS = {
  wall: { has: (content) => content & WALL, put: () => WALL, take: () => FLOOR },
  floor: { has: () => false, put: () => FLOOR, take: () => FLOOR },
  goal: { has: (content) => content & GOAL, put: (content) => (content & ~WALL) | GOAL, take: (content) => content & ~GOAL },
  box: {
    has: (content) => content & BOX,
    put: (content) => (content & GOAL) | BOX,
    take: (content) => content & ~BOX,
  },
  man: {
    has: (content) => content & PLAYER,
    put: (content) => (content & GOAL) | PLAYER,
    take: (content) => content & ~PLAYER,
  },
};
export const TOOL_NAMES = Object.keys(TOOLS);

/** For each symmetry of the brush, what else a place [column, row] of a board stands for. */
const BRUSHES = {
  none: () => [],
  sides: ([x, y], right) => [[right - x, y]],
  heights: ([x, y], _right, bottom) => [[x, bottom - y]],
  both: ([x, y], right, bottom) => [[right - x, y], [x, bottom - y], [right - x, bottom - y]],
  half: ([x, y], right, bottom) => [[right - x, bottom - y]],
  quarters: ([x, y], right) => [[right - y, x], [right - x, right - y], [y, right - x]],
  all: ([x, y], right) => [
    [right - y, x], [right - x, right - y], [y, right - x],
    [right - x, y], [x, right - y], [y, x], [right - y, right - x],
  ],
};
const SQUARE_ONLY = ["quarters", "all"];

/** Whether a brush of this symmetry fits the board: quarter turns need a square. */
export function fits(symmetry, { width, height }) {
  return width === height || !SQUARE_ONLY.includes(symmetry);
}

/** A room: walls around floor. */
export function room(width, height) {
  const cells = new Uint8Array(width * height);
  for (let cell = 0; cell < cells.length; cell++) {
    const column = cell % width;
    const row = Math.floor(cell / width);
    if (column === 0 || row === 0 || column === width - 1 || row === height - 1) cells[cell] = WALL;
  }
  return new Level(width, height, cells);
}

/** *cell* and what the brush paints with it. */
export function images(drawing, cell, symmetry) {
  const { width, height } = drawing;
  if (!fits(symmetry, drawing)) return [cell];
  const place = [cell % width, Math.floor(cell / width)];
  const places = [place, ...BRUSHES[symmetry](place, width - 1, height - 1)];
  return [...new Set(places.map(([column, row]) => row * width + column))];
}

export function has(drawing, cell, tool) {
  return Boolean(TOOLS[tool].has(drawing.cells[cell]));
}

/** The drawing with *tool* put on *cells*, or taken from them. There is one man: where he is put, he leaves his place. */
export function painted(drawing, cells, tool, { isTaking = false } = {}) {
  const changed = Uint8Array.from(drawing.cells);
  if (tool === "man") {
    cells = cells.slice(0, 1);
    if (!isTaking) for (const man of drawing.players) changed[man] &= ~PLAYER;
  }
  for (const cell of cells) changed[cell] = TOOLS[tool][isTaking ? "take" : "put"](changed[cell]);
  return new Level(drawing.width, drawing.height, changed);
}

/** The drawing with so many lines more on each side, or fewer; null where it would be too small or too large. */
export function resized(drawing, { left = 0, top = 0, right = 0, bottom = 0 }) {
  const width = drawing.width + left + right;
  const height = drawing.height + top + bottom;
  if (Math.min(width, height) < LEAST || Math.max(width, height) > MOST) return null;
  const cells = new Uint8Array(width * height);
  for (let cell = 0; cell < cells.length; cell++) {
    const column = (cell % width) - left;
    const row = Math.floor(cell / width) - top;
    const isInside = column >= 0 && row >= 0 && column < drawing.width && row < drawing.height;
    if (isInside) cells[cell] = drawing.cells[row * drawing.width + column];
  }
  return new Level(width, height, cells);
}

/** The drawing moved by so many columns and rows; what leaves at one side comes in at the other. */
export function moved({ width, height, cells }, right, down) {
  const changed = new Uint8Array(cells.length);
  cells.forEach((content, cell) => {
    const column = ((cell % width) + right + width) % width;
    const row = (Math.floor(cell / width) + down + height) % height;
    changed[row * width + column] = content;
  });
  return new Level(width, height, changed);
}

/** The level in the drawing, without empty edges, and where it begins: {level, left, top}; null where nothing is drawn. */
export function cropped(drawing) {
  const filled = [...drawing.cells.keys()].filter((cell) => drawing.cells[cell] !== FLOOR);
  if (!filled.length) return null;
  const columns = filled.map((cell) => cell % drawing.width);
  const rows = filled.map((cell) => Math.floor(cell / drawing.width));
  const left = columns.reduce((least, column) => Math.min(least, column));
  const top = rows.reduce((least, row) => Math.min(least, row));
  const lines = Array.from({ length: drawing.height }, (_, row) =>
    Array.from(drawing.cells.subarray(row * drawing.width, (row + 1) * drawing.width)),
  );
  return { level: Level.fromRows(lines), left, top };
}

/** The drawings made so far, and where among them we are. */
export class Strokes {
  #past = [];
  #future = [];

  constructor(drawing) {
    this.now = drawing;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Go on with *drawing*; undo leads back to *from*, which is the present one except behind a stroke of many cells. */
  make(drawing, from = this.now) {
    if (isSame(drawing, from)) {
      this.now = drawing;
      return;
    }
    this.#past.push(from);
    if (this.#past.length > MOST_KEPT) this.#past.shift();
    this.#future = [];
    this.now = drawing;
  }

  undo() {
    if (!this.canUndo) return;
    this.#future.push(this.now);
    this.now = this.#past.pop();
  }

  redo() {
    if (!this.canRedo) return;
    this.#past.push(this.now);
    this.now = this.#future.pop();
  }
}

export function isSame(one, other) {
  return one.width === other.width && one.height === other.height && one.cells.every((content, cell) => content === other.cells[cell]);
}
