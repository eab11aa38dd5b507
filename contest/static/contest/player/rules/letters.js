// The letters that boards are written in, and the lines of a board with tabs and run-lengths expanded.
// The twin of the same in solvers/sokoban/level.py.

import { PuzzleError, codePoints } from "./errors.js";
import { decode, tooLong } from "./runlength.js";

export const FLOOR = 0;
export const WALL = 1;
export const GOAL = 2;
export const BOX = 4;
export const PLAYER = 8;

export const MAX_SIDE = 200;
const MAX_CELLS = 40_000;
export const MAX_SYMBOLS = MAX_CELLS + MAX_SIDE; // on one line the ends of the rows count too

export const XSB = {
  "#": WALL,
  " ": FLOOR,
  "-": FLOOR,
  _: FLOOR,
  ".": GOAL,
  $: BOX,
  b: BOX,
  "*": BOX | GOAL,
  B: BOX | GOAL,
  "@": PLAYER,
  p: PLAYER,
  "+": PLAYER | GOAL,
  P: PLAYER | GOAL,
};
export const XSB_GLYPHS = {
  [FLOOR]: "-",
  [WALL]: "#",
  [GOAL]: ".",
  [BOX]: "$",
  [BOX | GOAL]: "*",
  [PLAYER]: "@",
  [PLAYER | GOAL]: "+",
};
export const MF8_GLYPHS = { ...XSB_GLYPHS, [FLOOR]: "_", [WALL]: "H", [PLAYER]: "a", [PLAYER | GOAL]: "x" };
export const MF8 = { ...inverse(MF8_GLYPHS), "-": FLOOR, " ": FLOOR, X: PLAYER | GOAL };
export const SOKOPLAYER = { ...MF8, "#": WALL, "@": PLAYER };
export const COMPACT_GLYPHS = {
  [FLOOR]: "G",
  [WALL]: "A",
  [GOAL]: "F",
  [BOX]: "D",
  [BOX | GOAL]: "E",
  [PLAYER]: "B",
  [PLAYER | GOAL]: "C",
};
export const COMPACT = inverse(COMPACT_GLYPHS);

const LINE_END = /\r\n|\n\r|\n|\r/;

function inverse(glyphs) {
  return Object.fromEntries(Object.entries(glyphs).map(([cell, glyph]) => [glyph, Number(cell)]));
}

/** The lines of one board with tabs and run-lengths expanded; each error has its line and column. */
export function lines(text, symbols) {
  const found = [];
  const all = text.split(LINE_END);
  const isFilled = (line) => /[^ \t]/.test(line);
  const last = all.findLastIndex(isFilled);
  let decoded = 0;
  all.forEach((line, number) => {
    if (!isFilled(line)) {
      if (found.length && number < last) {
        throw new PuzzleError("blank_line", { line: number + 1, column: 1, line_number: number + 1 });
      }
      return;
    }
    const row = expanded(line, number + 1, symbols);
    decoded += row.length;
    if (decoded > MAX_SYMBOLS) throw tooLong(decoded, MAX_SYMBOLS);
    found.push(row);
  });
  return found;
}

function expanded(line, number, symbols) {
  const [indent] = line.match(/^[ \t]*/);
  const content = line.slice(indent.length).replace(/[ \t]+$/, "");
  const tab = content.indexOf("\t");
  if (tab !== -1) {
    throw new PuzzleError("tab_inside", { line: number, column: codePoints(line, indent.length + tab) + 1 });
  }
  const blanks = withoutTabs(indent);
  if (blanks.length > MAX_SYMBOLS) throw tooLong(blanks.length, MAX_SYMBOLS).at({ line: number, column: 1 });
  try {
    return decode(blanks + content, symbols, MAX_SYMBOLS);
  } catch (error) {
    if (!(error instanceof PuzzleError)) throw error;
    const widened = blanks.length - indent.length;
    throw error.at({ line: number, column: error.index === null ? 1 : error.index - widened + 1 });
  }
}

/** An indent with its tabs expanded to stops of 8. */
function withoutTabs(indent) {
  let width = 0;
  for (const blank of indent) width = blank === "\t" ? width + 8 - (width % 8) : width + 1;
  return " ".repeat(width);
}
