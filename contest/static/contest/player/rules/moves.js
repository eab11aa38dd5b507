// Moves text in LURD letters: read it strictly, count its steps, point at its characters.
// The twin of solvers/sokoban/moves.py; both are tested with the same cases.
//
// l u r d are steps left, up, right and down; letter case is never required.

import { PuzzleError, foreignCharacter } from "./errors.js";
import { decode, encode, sourceIndex, tooLong } from "./runlength.js";

const LETTERS = "lurdLURD";
const MAX_STEPS = 2_000_000;

const PLAIN = /^[lurdLURD \t\r\n]*$/;
const FOREIGN = /[^lurdLURD \t\r\n]/;
const WHITE_SPACE = /[ \t\r\n]+/g;

/**
 * For the eight symmetries of a board: what the letters l u r d of a text that solves the transformed board become so
 * that the text solves the board as published. Ordered as `Level.transformed` numbers them.
 */
const TURNED_BACK = ["lurd", "dlur", "rdlu", "urdl", "ruld", "drul", "ldru", "uldr"];

/** Steps as the letters stood in the text (*steps*), and the text itself (*text*), in which `indexOf` points. */
export class Moves {
  constructor(text, steps) {
    this.text = text;
    this.steps = steps;
    Object.freeze(this);
  }

  /**
   * Read steps; blanks, tabs and line ends between them are ignored, counts and groups decoded.
   *
   *     Moves.parse("2(3(dr)R)").steps  →  "drdrdrRdrdrdrR"
   *
   * Text without a step is no error: `steps` is empty. Throw a PuzzleError: foreign_character, dangling_count,
   * unbalanced_bracket or nested_too_deep with the index in the text, too_long with the size it would decode to.
   */
  static parse(text, { runLength = true, limit = MAX_STEPS } = {}) {
    const squeezed = text.replace(WHITE_SPACE, ""); // before decoding: a count may be broken over lines
    if (PLAIN.test(text)) {
      if (squeezed.length > limit) throw tooLong(squeezed.length, limit);
      return new Moves(text, squeezed);
    }
    if (!runLength) throw foreignCharacter(text, text.search(FOREIGN));
    try {
      return new Moves(text, decode(squeezed, LETTERS, limit));
    } catch (error) {
      if (!(error instanceof PuzzleError) || error.index === null) throw error;
      throw error.at({ index: indexIn(text, error.index) });
    }
  }

  /** The index in the text of the character that step number *step* (from 0) came from. */
  indexOf(step) {
    const squeezed = this.text.replace(WHITE_SPACE, "");
    return indexIn(this.text, squeezed === this.steps ? step : sourceIndex(squeezed, LETTERS, step));
  }
}

/** Replace the letters of a text that solves the board after *symmetry* so that it solves the published one. */
export function turnedBack(steps, symmetry) {
  const letters = TURNED_BACK[symmetry] + TURNED_BACK[symmetry].toUpperCase();
  return steps.replace(/[lurd]/gi, (letter) => letters[LETTERS.indexOf(letter)]);
}

/** Steps with runs of three and more as counts: "rrrUU" → "3rUU". */
export function runLengthText(steps) {
  return encode(steps);
}

/** The index in *text* of the character at *squeezedIndex* once white space is left out. All before it is ASCII. */
function indexIn(text, squeezedIndex) {
  let left = squeezedIndex;
  for (let at = 0; ; at++) {
    if (!" \t\r\n".includes(text[at]) && left-- === 0) return at;
  }
}
