// What a selected text holds: a level, moves, or both. Read by the site's own modules, which the build lays beside this.

import { candidates } from "./rules/reading.js";
import { levelsIn, readOne } from "./rules/single.js";
import { PuzzleError } from "./rules/errors.js";

const LEAST_BETWEEN_WORDS = 8; // steps

/** {level, moves, trouble}: null where the text has none; *trouble* is the reader's error where it has neither. */
export function found(text) {
  const { level, trouble } = levelIn(text);
  const moves = movesIn(text, level);
  return { level, moves, trouble: level || moves ? null : trouble };
}

/** The largest level of the text. */
function levelIn(text) {
  try {
    return { level: readOne(text), trouble: null };
  } catch (error) {
    if (!(error instanceof PuzzleError)) throw error;
    const [largest = null] = levelsIn(text).sort((one, other) => other.cells.length - one.cells.length);
    return { level: largest, trouble: largest || !/[#H]/.test(text) ? null : error };
  }
}

/** Of words between others, a few letters are no moves but words, such as "u" or "du". */
function leastOf(reading, level) {
  if (reading === "words") return LEAST_BETWEEN_WORDS;
  return level ? 1 : 2;
}

/** The longest moves of a text, which need not solve anything, or null. */
function movesIn(text, level) {
  const read = candidates(text).filter(({ moves, reading }) => moves?.steps.length >= leastOf(reading, level));
  if (!read.length) return null;
  return read.reduce((best, next) => (next.moves.steps.length > best.moves.steps.length ? next : best)).moves.steps;
}
