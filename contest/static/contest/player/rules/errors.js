// Every way a text can be wrong: a code, a place and the numbers its words need. The codes, the places and the values
// are those of solvers/errors.py; the words belong to the page, which may speak another language.
//
// Positions count from 0 in code points (`index`) and from 1 for `line` and `column`.

export class PuzzleError extends Error {
  constructor(code, { index = null, line = null, column = null, ...values } = {}) {
    super(code);
    this.name = "PuzzleError";
    this.code = code;
    this.index = index;
    this.line = line;
    this.column = column;
    this.values = values;
  }

  /** The same error at another place: for a reader that hands a part of its text to another one. */
  at(place) {
    return new PuzzleError(this.code, { ...this.values, ...place });
  }
}

/** Say that the character at *offset* (in UTF-16 units) of *text* does not belong there. */
export function foreignCharacter(text, offset) {
  return new PuzzleError("foreign_character", {
    index: codePoints(text, offset),
    character: String.fromCodePoint(text.codePointAt(offset)),
  });
}

/** How many code points stand before *offset* (in UTF-16 units) in *text*. */
export function codePoints(text, offset) {
  let count = offset;
  for (let at = 0; at < offset; at++) {
    if (text.codePointAt(at) > 0xffff) {
      count--;
      at++;
    }
  }
  return count;
}
