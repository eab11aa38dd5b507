// The board as it is looked at: turned and mirrored, while the moves stay those of the board as it was published.

import { LETTERS } from "../rules/game.js";
import { turnedBack } from "../rules/moves.js";

/** How a board of *width* times *height* looks after one of the eight symmetries, numbered as in `Level.transformed`. */
export class Turning {
  #columns;
  #rows;

  constructor({ width, height }, symmetry = 0) {
    this.symmetry = symmetry;
    this.isSideways = symmetry % 2 === 1;
    this.width = this.isSideways ? height : width;
    this.height = this.isSideways ? width : height;
    this.#columns = width;
    this.#rows = height;
    Object.freeze(this);
  }

  /** Where the board's *cell* is seen: [column, row]. */
  place(cell) {
    const column = cell % this.#columns;
    const row = Math.floor(cell / this.#columns);
    const [x, y] = [this.symmetry >= 4 ? this.#columns - 1 - column : column, row];
    const [right, bottom] = [this.#columns - 1, this.#rows - 1];
    return [
      [x, y],
      [bottom - y, x],
      [right - x, bottom - y],
      [y, right - x],
    ][this.symmetry % 4];
  }

  /** The cell seen at *column* and *row*, or null outside. */
  cell(column, row) {
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) return null;
    const [right, bottom] = [this.#columns - 1, this.#rows - 1];
    const [x, y] = [
      [column, row],
      [row, bottom - column],
      [right - column, bottom - row],
      [right - row, column],
    ][this.symmetry % 4];
    return y * this.#columns + (this.symmetry >= 4 ? right - x : x);
  }

  /** What a step in the *direction* seen is on the published board. */
  published(direction) {
    return LETTERS.indexOf(turnedBack(LETTERS[direction], this.symmetry));
  }

  /** How the *direction* of a step on the published board is seen. */
  seen(direction) {
    return [0, 1, 2, 3].find((one) => this.published(one) === direction);
  }

  /** The same look turned once more clockwise. */
  turned() {
    return (this.symmetry & 4) | ((this.symmetry + 1) & 3);
  }

  /** The same look with left and right swapped as they are seen. */
  mirrored() {
    return ((this.symmetry & 4) ^ 4) | (-this.symmetry & 3);
  }
}
