// What a selected text holds: a level, moves, or both. Read by the site's own modules, which the build lays beside this.

import { candidates } from "./rules/reading.js";
import { levelsIn, readOne } from "./rules/single.js";
import { PuzzleError } from "./rules/errors.js";

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

/** The longest moves of a text, which need not solve anything, or null. */
function movesIn(text, level) {
  const read = candidates(text).candidates.filter(({ moves }) => moves?.steps.length > (level ? 0 : 1));
  if (!read.length) return null;
  return read.reduce((best, next) => (next.moves.steps.length > best.moves.steps.length ? next : best)).moves.steps;
}
