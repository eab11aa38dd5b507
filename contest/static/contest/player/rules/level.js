// A Sokoban level: parse and write one board, and say what is true of it before anybody moves.
// The twin of solvers/sokoban/level.py; both are tested with the same cases.
//
// Rows and columns count from 0 at the top left. A cell's number is `row * width + column`.

import { PuzzleError, foreignCharacter } from "./errors.js";
import {
  BOX,
  COMPACT,
  COMPACT_GLYPHS,
  FLOOR,
  GOAL,
  MAX_SIDE,
  MAX_SYMBOLS,
  MF8,
  MF8_GLYPHS,
  PLAYER,
  SOKOPLAYER,
  WALL,
  XSB,
  XSB_GLYPHS,
  lines,
} from "./letters.js";
import { decode, encode } from "./runlength.js";

const SYMMETRIES = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * A board of *width* times *height* cells, row by row in *cells*, each a sum of WALL, GOAL, BOX and PLAYER.
 * Outside the rectangle there is nothing: no cell, nothing can go there.
 */
export class Level {
  #known = new Map();

  constructor(width, height, cells) {
    this.width = width;
    this.height = height;
    this.cells = cells;
    Object.freeze(this);
  }

  /**
   * Read one board: rows separated by line ends or `|`, run-length groups allowed.
   *
   * Rows and columns at the edge that hold nothing are cropped; short rows are floor up to the width. The level may be
   * one nobody can play: see `problems`. Throw a PuzzleError, with its line and column, where the text is no board or
   * too large.
   */
  static parse(text) {
    return Level.#read(text, XSB);
  }

  /** Read one board in the letters of MF8 and of SokoPlayer: `H` wall, `_` floor, `a` player, `x` player on a goal. */
  static parseMf8(text) {
    return Level.#read(text, MF8);
  }

  static #read(text, alphabet) {
    const rows = lines(text, Object.keys(alphabet).join("") + "|").flatMap((line) => line.split("|"));
    return Level.fromRows(rows.map((row) => Array.from(row, (glyph) => alphabet[glyph])));
  }

  /** Read the compact code of our own links: letters `A` to `G` with counts in front (no groups), `H` ends a row. */
  static parseCompact(text) {
    const foreign = text.search(/[^A-H0-9]/);
    if (foreign !== -1) throw foreignCharacter(text, foreign);
    const rows = decode(text, "ABCDEFGH", MAX_SYMBOLS).split("H");
    return Level.fromRows(rows.map((row) => Array.from(row, (glyph) => COMPACT[glyph])));
  }

  /** Read the query of a SokoPlayer link, `w=6&h=7&lvl=HHHH__|…`. What the rows say counts, not `w` and `h`. */
  static parseSokoPlayer(query) {
    const rows = new URLSearchParams(query).get("lvl") ?? "";
    return Level.#read(rows, rows.includes("H") ? SOKOPLAYER : XSB);
  }

  /** Make a level of rows of cells, cropped and filled with floor. */
  static fromRows(rows) {
    const isFilled = (row) => row.some((cell) => cell !== FLOOR);
    const top = rows.findIndex(isFilled);
    if (top === -1) throw new PuzzleError("no_board");
    const height = rows.findLastIndex(isFilled) - top + 1;
    let left = Infinity;
    let right = 0;
    for (const row of rows) {
      const first = row.findIndex((cell) => cell !== FLOOR);
      if (first === -1) continue;
      left = Math.min(left, first);
      right = Math.max(right, row.findLastIndex((cell) => cell !== FLOOR));
    }
    const width = right - left + 1;
    if (Math.max(width, height) > MAX_SIDE) throw new PuzzleError("too_large", { width, height, limit: MAX_SIDE });
    const cells = new Uint8Array(width * height);
    for (let row = 0; row < height; row++) cells.set(rows[top + row].slice(left, right + 1), row * width);
    return new Level(width, height, cells);
  }

  // Writing

  /** XSB rows for people to copy: floor is `-`, because blanks collapse in forums and HTML. */
  toString() {
    return this.rows().join("\n");
  }

  /** The rows, padded to the width, in XSB or with other *glyphs*. */
  rows(glyphs = XSB_GLYPHS) {
    return Array.from({ length: this.height }, (_, row) =>
      Array.from(this.cells.subarray(row * this.width, (row + 1) * this.width), (cell) => glyphs[cell]).join(""),
    );
  }

  /** The exact level on one line: floor `-`, rows joined by `|`. */
  get publishedText() {
    return this.rows().join("|");
  }

  /** Run-length text on one line: floor at the end of a row is dropped, an empty row is one `-`. */
  get runLengthText() {
    return encode(this.rows().map((row) => row.replace(/-+$/, "") || "-").join("|"));
  }

  /** MF8 text, which is also the `lvl` of a SokoPlayer link. */
  get mf8Text() {
    return this.rows(MF8_GLYPHS).join("|");
  }

  get compactText() {
    return encode(this.rows(COMPACT_GLYPHS).map((row) => row.replace(/G+$/, "")).join("H"), 2);
  }

  /** The query of a SokoPlayer link. */
  get sokoPlayerQuery() {
    return `w=${this.width}&h=${this.height}&lvl=${this.mf8Text}`;
  }

  // Facts about the start

  get players() {
    return this.#once("players", () => this.#where(PLAYER));
  }

  get boxes() {
    return this.#once("boxes", () => this.#where(BOX));
  }

  get goals() {
    return this.#once("goals", () => this.#where(GOAL));
  }

  /** The player's cell. Only for a level with exactly one. */
  get player() {
    return this.players[0];
  }

  /** Cells connected to the players through neighbours that are no walls; boxes do not block. */
  get reach() {
    return this.#once("reach", () => this.#flood(WALL));
  }

  /** Cells the player can walk to without a push. */
  get region() {
    return this.#once("region", () => this.#flood(WALL | BOX));
  }

  #where(flag) {
    const found = [];
    this.cells.forEach((content, cell) => {
      if (content & flag) found.push(cell);
    });
    return found;
  }

  #flood(stops) {
    const seen = new Set(this.players);
    for (const cell of seen) {
      for (const neighbour of this.neighbours(cell)) {
        if (!(this.cells[neighbour] & stops)) seen.add(neighbour); // and the loop will come to it
      }
    }
    return seen;
  }

  /** The cells above, below, left and right that lie in the rectangle. */
  neighbours(cell) {
    const column = cell % this.width;
    const found = [];
    if (cell >= this.width) found.push(cell - this.width);
    if (cell + this.width < this.cells.length) found.push(cell + this.width);
    if (column > 0) found.push(cell - 1);
    if (column < this.width - 1) found.push(cell + 1);
    return found;
  }

  #isOnEdge(cell) {
    const row = Math.floor(cell / this.width);
    const column = cell % this.width;
    return row === 0 || row === this.height - 1 || column === 0 || column === this.width - 1;
  }

  /** Whether the players' reach stays away from the edge of the rectangle. */
  get isClosed() {
    for (const cell of this.reach) if (this.#isOnEdge(cell)) return false;
    return true;
  }

  /**
   * Everything odd about the level, in a fixed order: {code, values, cells}. Empty for an ordinary one.
   * Parsing never judges: callers decide which of these they refuse.
   */
  get problems() {
    return this.#once("problems", () => this.#findProblems());
  }

  #findProblems() {
    const { players, boxes, goals, reach } = this;
    const found = [];
    const report = (code, values = {}, cells = []) => found.push({ code, values, cells });
    if (players.length !== 1) report("players", { players: players.length }, players);
    if (!boxes.length) report("no_boxes");
    if (boxes.length !== goals.length) report("boxes_goals", { boxes: boxes.length, goals: goals.length });
    if (!this.isClosed) report("open", {}, [...reach].filter((cell) => this.#isOnEdge(cell)).sort((a, b) => a - b));
    if (players.length === 1) {
      const lostBoxes = boxes.filter((box) => !reach.has(box));
      const lostGoals = goals.filter((goal) => !reach.has(goal));
      if (lostBoxes.length) report("unreachable_box", {}, lostBoxes);
      if (lostGoals.length) report("unreachable_goal", {}, lostGoals);
    }
    if (boxes.length && this.cells.every((cell) => !(cell & BOX) === !(cell & GOAL))) report("solved_at_start");
    return found;
  }

  /** Why no replay can judge this level, or null. */
  get unjudgeable() {
    return this.problems.find(({ code }) => ["players", "no_boxes", "boxes_goals"].includes(code)) ?? null;
  }

  // Symmetry

  /** The level after one of the eight symmetries: left and right exchanged from 4 on, then turned clockwise. */
  transformed(symmetry) {
    let rows = Array.from({ length: this.height }, (_, row) =>
      Array.from(this.cells.subarray(row * this.width, (row + 1) * this.width)),
    );
    if (symmetry >= 4) rows = rows.map((row) => row.reverse());
    for (let turn = 0; turn < symmetry % 4; turn++) {
      rows = rows[0].map((_, column) => rows.map((row) => row[column]).reverse());
    }
    return new Level(rows[0].length, rows.length, Uint8Array.from(rows.flat()));
  }

  /**
   * The same text for all levels that differ only in what the player never notices: turning, reflecting, walls and
   * decoration out of reach, and where in the walking region the player starts.
   */
  get canonicalForm() {
    return this.#once("canonicalForm", () => {
      if (this.players.length !== 1) throw badLevel(this.problems[0]);
      const part = this.#reachedPart();
      const texts = SYMMETRIES.map((symmetry) => part.transformed(symmetry).#textWithFirstPlayer());
      return texts.reduce((least, text) => (text < least ? text : least));
    });
  }

  /** The reach alone, in walls; an edge it touches gets one more wall. */
  #reachedPart() {
    const places = [...this.reach].map((cell) => [Math.floor(cell / this.width), cell % this.width, this.cells[cell]]);
    const [top, bottom] = extremes(places.map(([row]) => row));
    const [left, right] = extremes(places.map(([, column]) => column));
    const width = right - left + 3;
    const height = bottom - top + 3;
    const cells = new Uint8Array(width * height).fill(WALL);
    for (const [row, column, content] of places) cells[(row - top + 1) * width + column - left + 1] = content;
    return new Level(width, height, cells);
  }

  #textWithFirstPlayer() {
    const cells = Uint8Array.from(this.cells);
    cells[this.player] &= ~PLAYER;
    cells[extremes([...this.region])[0]] |= PLAYER;
    return new Level(this.width, this.height, cells).publishedText;
  }

  #once(name, work) {
    if (!this.#known.has(name)) this.#known.set(name, work());
    return this.#known.get(name);
  }
}

/** The error of a level that cannot be judged; `values.problem` says why. */
export function badLevel(problem) {
  return new PuzzleError("bad_level", { problem });
}

function extremes(numbers) {
  return numbers.reduce(([least, most], number) => [Math.min(least, number), Math.max(most, number)], [Infinity, -Infinity]);
}
