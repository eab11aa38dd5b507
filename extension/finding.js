// What a selected text holds: a level, moves, or both. Read by the site's own modules, which the build lays beside this.

import { PuzzleError } from "./rules/errors.js";
import { levelOf } from "./rules/finding.js";
import { candidates } from "./rules/reading.js";

const BOARD_LINE = /^[>\s]*[#@+$*.\-_ |0-9()Haxb]+$/;
const WALL = /[#H]/;
const LINK = /[?&]lvl=/;

/** {level, moves, trouble}: null where the text has none; *trouble* is the reader's error where it has neither. */
export function found(text) {
  const { level, trouble } = levelIn(text);
  const moves = movesIn(text, level);
  return { level, moves, trouble: level || moves ? null : trouble };
}

function levelIn(text) {
  let trouble = null;
  for (const part of LINK.test(text) ? [text] : boardsIn(text)) {
    try {
      return { level: levelOf(part), trouble: null };
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      trouble ??= error;
    }
  }
  return { level: null, trouble };
}

/** The runs of lines that look like a board, longest first. */
function boardsIn(text) {
  const runs = [[]];
  for (const line of text.split(/\r?\n/)) {
    if (BOARD_LINE.test(line) && WALL.test(line)) runs.at(-1).push(line.replace(/^[>\s]*>/, ""));
    else if (runs.at(-1).length) runs.push([]);
  }
  return runs
    .filter((run) => run.length)
    .sort((one, other) => other.length - one.length)
    .map((run) => run.join("\n"));
}

/** The longest moves of a text, which need not solve anything, or null. */
function movesIn(text, level) {
  const read = candidates(text).candidates.filter(({ moves }) => moves?.steps.length > (level ? 0 : 1));
  if (!read.length) return null;
  return read.reduce((best, next) => (next.moves.steps.length > best.moves.steps.length ? next : best)).moves.steps;
}
