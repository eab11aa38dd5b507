// The board of Klotski: where the pieces stand, read from text, checked, turned, written again; moves, and what they
// come to. The twin of layout, moves, goals and replay in solvers/klotski; both are tested with the same cases.
//
// Cells are numbered row by row from 0; a piece is {kind, cell, name}, its cell the upper left one. Kinds are the
// letters C (2x2), H, V and o. A layout is a value: a move makes a new one.

import { PuzzleError, codePoints } from "../player/rules/errors.js";

export const ROWS = 5;
export const COLUMNS = 4;
export const CELLS = ROWS * COLUMNS;
export const EXIT = 13; // where the upper left cell of the 2x2 block must come to leave the board
const MAX_LAYOUT = 1_000;
const MAX_MOVES = 1 << 20;

const SIZES = { C: [2, 2], H: [1, 2], V: [2, 1], o: [1, 1] };
export const KINDS = Object.keys(SIZES);
const EMPTY = "."; // in layouts; texts may have others
const EMPTY_SIGNS = ".-_0空";
const SOLDIER_SIGNS = "oO兵卒";
const BETWEEN = /[\s|/,;]/;
export const MIRRORS = ["mirror", "upside-down", "rotated"]; // 镜影, 倒影, 反影

/** The cells that a piece covers, none where it would stand over the edge. */
export function cellsOf(kind, cell) {
  const [rows, columns] = SIZES[kind];
  if (Math.floor(cell / COLUMNS) + rows > ROWS || (cell % COLUMNS) + columns > COLUMNS) return [];
  return Array.from({ length: rows * columns }, (_, at) => cell + Math.floor(at / columns) * COLUMNS + (at % columns));
}

/** The same as bits. */
export const COVER = Object.fromEntries(
  KINDS.map((kind) => [kind, Array.from({ length: CELLS }, (_, cell) => bits(cellsOf(kind, cell)))]),
);

/** Where a cell comes to in a mirror image. */
export function imageOf(mirror, cell) {
  const row = Math.floor(cell / COLUMNS);
  const column = cell % COLUMNS;
  const imageRow = mirror === "mirror" ? row : ROWS - 1 - row;
  const imageColumn = mirror === "upside-down" ? column : COLUMNS - 1 - column;
  return imageRow * COLUMNS + imageColumn;
}

/** Twenty letters, row by row (`cells`), and the names of the pieces in the order of their first cells, or none. */
export class Layout {
  constructor(pieces) {
    this.pieces = [...pieces].sort((one, other) => one.cell - other.cell);
    const names = this.pieces.map(({ name }) => name);
    const areNames = names.every(Boolean) && new Set(names).size === names.length;
    if (!areNames) this.pieces = this.pieces.map(({ kind, cell }) => ({ kind, cell, name: "" }));
    this.names = areNames ? names : [];
    const cells = Array(CELLS).fill(EMPTY);
    for (const { kind, cell } of pieces) for (const covered of cellsOf(kind, cell)) cells[covered] = kind;
    this.cells = cells.join("");
    Object.freeze(this);
  }

  /**
   * Read a board by kinds (C, H, V, o and . for empty) or with a character of its own for every piece; rows on lines,
   * with blanks or one of |/,; between them, or all in one row of twenty.
   *
   * Throw a PuzzleError: too_long, wrong_rows, broken_piece or wrong_pieces.
   */
  static parse(text) {
    if (Array.from(text).length > MAX_LAYOUT) {
      throw new PuzzleError("too_long", { size: Array.from(text).length, limit: MAX_LAYOUT });
    }
    const signs = signsOf(text);
    const characters = signs.map(({ character }) => (EMPTY_SIGNS.includes(character) ? EMPTY : character));
    const isByKind = characters.every((character) => `CHV${EMPTY}${SOLDIER_SIGNS}`.includes(character));
    const pieces = [];
    let taken = 0;
    characters.forEach((character, cell) => {
      if (character === EMPTY || (taken >> cell) & 1) return;
      const kind = kindAt(characters, cell, isByKind);
      if (!kind || taken & COVER[kind][cell]) {
        throw new PuzzleError("broken_piece", { character, line: signs[cell].line, column: signs[cell].column });
      }
      taken |= COVER[kind][cell];
      pieces.push({ kind, cell, name: character });
    });
    checkNumbers(pieces);
    return new Layout(pieces);
  }

  /** The empty cells as bits. */
  get free() {
    return bits(Array.from(this.cells, (letter, cell) => (letter === EMPTY ? cell : -1)).filter((cell) => cell >= 0));
  }

  /** How many dominoes lie: 0 to 5. No move changes it. */
  get horizontals() {
    return this.pieces.filter(({ kind }) => kind === "H").length;
  }

  /** Whether the 2x2 block stands at the exit. */
  get isSolved() {
    return this.cells.indexOf("C") === EXIT;
  }

  /** The piece that covers a cell, if any. */
  pieceAt(cell) {
    return this.pieces.find((piece) => (COVER[piece.kind][piece.cell] >> cell) & 1) ?? null;
  }

  /** The mirror image; names go with their pieces. */
  mirrored(mirror) {
    const image = ({ kind, cell }) => Math.min(...cellsOf(kind, cell).map((covered) => imageOf(mirror, covered)));
    return new Layout(this.pieces.map((piece) => ({ ...piece, cell: image(piece) })));
  }

  /** The same board with its pieces named, if they are not: C, dominoes a to e, soldiers 1 to 4. */
  named() {
    if (this.names.length) return this;
    const left = { C: ["C"], o: [..."1234"], H: [..."abcde"] };
    left.V = left.H;
    return new Layout(this.pieces.map((piece) => ({ ...piece, name: left[piece.kind].shift() })));
  }

  /** Five lines with the first character of each piece's name on its cells. */
  get namedText() {
    const characters = Array(CELLS).fill(EMPTY);
    for (const { kind, cell, name } of this.named().pieces) {
      for (const covered of cellsOf(kind, cell)) characters[covered] = Array.from(name)[0];
    }
    return lines(characters);
  }

  toString() {
    return lines([...this.cells]);
  }
}

/** The twenty characters of a text, each with its place. */
function signsOf(text) {
  const rows = [];
  text.split(/\r\n|\r|\n/).forEach((line, number) => {
    let row = null;
    Array.from(line).forEach((character, at) => {
      if (BETWEEN.test(character)) {
        row = null;
        return;
      }
      if (!row) rows.push((row = []));
      row.push({ character, line: number + 1, column: at + 1 });
    });
  });
  const lengths = rows.map((row) => row.length);
  const isBoard = String(lengths) === String(Array(ROWS).fill(COLUMNS)) || String(lengths) === String(CELLS);
  if (!isBoard) {
    const wrong = rows.find((row) => row.length !== COLUMNS) ?? rows[Math.min(rows.length - 1, ROWS)];
    const found = lengths.slice(0, 8).join(", ") + (lengths.length > 8 ? " ..." : "");
    throw new PuzzleError("wrong_rows", { found: found || "0", line: wrong?.[0].line, column: wrong?.[0].column });
  }
  return rows.flat();
}

/** The kind of the piece whose first cell this is, or null where its cells do not make one. */
function kindAt(characters, cell, isByKind) {
  const character = characters[cell];
  let kind;
  if (isByKind || "兵卒".includes(character)) {
    kind = SOLDIER_SIGNS.includes(character) ? "o" : character;
  } else {
    const cells = [...characters.keys()].filter((at) => characters[at] === character);
    const rows = Math.floor(cells.at(-1) / COLUMNS) - Math.floor(cell / COLUMNS) + 1;
    const columns = Math.max(...cells.map((at) => at % COLUMNS)) - (cell % COLUMNS) + 1;
    kind = KINDS.find((one) => String(SIZES[one]) === String([rows, columns]));
    if (!kind || cells.length !== rows * columns) return null;
  }
  const covered = cellsOf(kind, cell);
  return covered.length && covered.every((at) => characters[at] === character) ? kind : null;
}

function checkNumbers(pieces) {
  const count = (...kinds) => pieces.filter(({ kind }) => kinds.includes(kind)).length;
  const [blocks, dominoes, soldiers] = [count("C"), count("H", "V"), count("o")];
  if (blocks !== 1 || dominoes !== 5 || soldiers !== 4) {
    const empty = CELLS - 4 * blocks - 2 * dominoes - soldiers;
    throw new PuzzleError("wrong_pieces", { blocks, dominoes, soldiers, empty });
  }
}

function lines(characters) {
  const line = (row) => characters.slice(row * COLUMNS, (row + 1) * COLUMNS).join("");
  return Array.from({ length: ROWS }, (_, row) => line(row)).join("\n");
}

function bits(cells) {
  return cells.reduce((found, cell) => found | (1 << cell), 0);
}

// Moves

const STEPS = { l: [0, -1], u: [-1, 0], r: [0, 1], d: [1, 0] };
const CHINESE = { 左: "l", 上: "u", 右: "r", 下: "d" };
const WORD = /^([a-d])([1-5])(?:([lurd]+)|-([a-d])([1-5]))$/;

/** The cell one step from *cell*, -1 over the edge. */
export function neighbour(cell, letter) {
  const row = Math.floor(cell / COLUMNS) + STEPS[letter][0];
  const column = (cell % COLUMNS) + STEPS[letter][1];
  return row >= 0 && row < ROWS && column >= 0 && column < COLUMNS ? row * COLUMNS + column : -1;
}

/** The name of a cell: columns A to D, rows 1 to 5 from the top. */
export function square(cell) {
  return "ABCD"[cell % COLUMNS] + (Math.floor(cell / COLUMNS) + 1);
}

/** A move as text: B4dr, or B4-C5 where it has no path. */
export function moveText({ start, path, stop }) {
  return square(start) + (path || `-${square(stop)}`);
}

/**
 * Read moves with blanks, commas, semicolons or arrows between them: {start, path, stop, index}. Numbers in front of
 * moves are skipped. Throw too_long, or unreadable_move with its index.
 */
export function parseMoves(text) {
  const size = codePoints(text, text.length);
  if (size > MAX_MOVES) throw new PuzzleError("too_long", { size, limit: MAX_MOVES });
  const words = [...text.matchAll(/[^\s,;→>，；、]+/g)].filter(([word]) => !/^[0-9]+[.):]?$/.test(word));
  const indexOf = (offset) => (size === text.length ? offset : codePoints(text, offset));
  return words.map((word) => ({ ...parseMove(word[0], indexOf(word.index)), index: indexOf(word.index) }));
}

function parseMove(word, index) {
  const unreadable = () => new PuzzleError("unreadable_move", { word: Array.from(word).slice(0, 20).join(""), index });
  const found = WORD.exec(word.toLowerCase().replace(/[左上右下]/g, (letter) => CHINESE[letter]));
  if (!found) throw unreadable();
  const cell = (column, row) => (row - 1) * COLUMNS + "abcd".indexOf(column);
  const start = cell(found[1], found[2]);
  if (found[4]) return { start, path: "", stop: cell(found[4], found[5]) };
  let stop = start;
  for (const letter of found[3]) {
    stop = neighbour(stop, letter);
    if (stop < 0) throw unreadable();
  }
  return { start, path: found[3], stop };
}

/** For each cell that a piece can come to, but its own, a shortest path there: a map. */
export function ways(layout, { kind, cell }) {
  const covers = COVER[kind];
  const room = layout.free | covers[cell];
  const found = new Map([[cell, ""]]);
  for (const [at, path] of found) {
    for (const letter of "lurd") {
      const there = neighbour(at, letter);
      if (there >= 0 && !found.has(there) && covers[there] && !(covers[there] & ~room)) found.set(there, path + letter);
    }
  }
  found.delete(cell);
  return found;
}

/** Every move of a layout once, each by a shortest path, pieces in the order of their first cells. */
export function legalMoves(layout) {
  return layout.pieces.flatMap((piece) =>
    [...ways(layout, piece)].map(([stop, path]) => ({ start: piece.cell, path, stop })),
  );
}

/** What makes a move impossible, "no_piece" or "blocked", else null. */
export function whyNot(layout, { start, path, stop }) {
  const piece = layout.pieceAt(start);
  if (!piece) return "no_piece";
  if (!ways(layout, piece).has(piece.cell + stop - start)) return "blocked";
  const covers = COVER[piece.kind];
  const room = layout.free | covers[piece.cell];
  let cell = piece.cell;
  for (const letter of path) {
    cell = neighbour(cell, letter);
    if (cell < 0 || !covers[cell] || covers[cell] & ~room) return "blocked";
  }
  return null;
}

/** The layout after a legal move; names go with their pieces. */
export function layoutAfter(layout, { start, stop }) {
  const moving = layout.pieceAt(start);
  const moved = (piece) => (piece === moving ? { ...piece, cell: piece.cell + stop - start } : piece);
  return new Layout(layout.pieces.map(moved));
}

/**
 * Ask to bring a layout to a goal: "exit", one of MIRRORS, or another layout. Where *isStrict* every piece must come to
 * its own place; a layout without names gets some. Throw without_names where two layouts do not name the same pieces.
 */
export function question(layout, goal = "exit", { isStrict = false } = {}) {
  if (goal === "exit") return { start: layout, target: null, isStrict: false };
  if (goal instanceof Layout) {
    const haveNames = layout.names.length > 0 && namedKinds(layout) === namedKinds(goal);
    if (isStrict && !haveNames) throw new PuzzleError("without_names");
    return { start: layout, target: goal, isStrict };
  }
  const start = isStrict ? layout.named() : layout;
  return { start, target: start.mirrored(goal), isStrict };
}

function namedKinds(layout) {
  return JSON.stringify(layout.pieces.map(({ name, kind }) => [name, kind]).sort());
}

/** Whether a layout is where the question asks to come. */
export function isAnswered({ target, isStrict }, layout) {
  if (!target) return layout.isSolved;
  return layout.cells === target.cells && (!isStrict || String(layout.names) === String(target.names));
}

/**
 * Play written moves until the question is answered, a move is impossible, or none is left. Returns {verdict, moves,
 * cut, step, index, why, layouts}: verdict is solved, unsolved or illegal, the rest as in solvers/klotski/replay.py.
 */
export function replay(asked, text) {
  const found = parseMoves(text);
  const layouts = [asked.start];
  for (const [at, move] of found.entries()) {
    const here = layouts.at(-1);
    if (isAnswered(asked, here)) break;
    const why = whyNot(here, move);
    if (why) return { verdict: "illegal", moves: at, cut: 0, step: at + 1, index: move.index, why, layouts };
    layouts.push(layoutAfter(here, move));
  }
  const moves = layouts.length - 1;
  const verdict = isAnswered(asked, layouts.at(-1)) ? "solved" : "unsolved";
  return { verdict, moves, cut: found.length - moves, step: null, index: null, why: null, layouts };
}
