// The ground of the board: walls, floor, goals, dead squares and the ruler.

import { GOAL, WALL } from "../rules/letters.js";
import { columnName } from "../rules/squares.js";
import { AIM, DEAD, FLOOR, ODD, wallSprites } from "./sprites.js";

const RULER_FROM = 11; // CSS pixels a cell, below which the ruler leaves lines out
const RULER_GAP = 18; // CSS pixels that it then leaves for each name

/** Draws the ground of *level* as it lies in *placing*, of the sprites of a *sheet*. */
export class Ground {
  #level;
  #placing;
  #colours;
  #options;
  #isGoal;
  #cell;
  #sheet;

  /** *options* are those of `BoardView.set`; *isGoal* tells of a cell whether it is drawn as a goal. */
  constructor(level, placing, { colours, sheet }, { options, isGoal }) {
    this.#level = level;
    this.#placing = placing;
    this.#colours = colours;
    this.#options = options;
    this.#isGoal = isGoal;
    this.#cell = placing.cell;
    this.#sheet = sheet;
  }

  get #turning() {
    return this.#placing.turning;
  }

  /** Draw what the window shows on a canvas of *width* times *height* pixels. */
  draw(pen, { width, height }) {
    pen.clearRect(0, 0, width, height);
    const { first, last, top, bottom } = this.#placing.part;
    for (let row = top; row <= bottom; row++) {
      for (let column = first; column <= last; column++) this.#drawSquare(pen, column, row);
    }
    if (this.#placing.ruler) this.#drawRuler(pen, { width, height });
  }

  #drawSquare(pen, column, row) {
    const { x, y } = this.#placing.corner(column, row);
    for (const sprite of this.#spritesOf(column, row)) this.#sheet.draw(pen, sprite, x, y);
  }

  /** Which sprites a cell is drawn of, one over the other; the twin of `ground` in solvers/sokoban/drawing/sprites.py. */
  #spritesOf(column, row) {
    const level = this.#level;
    const cell = this.#turning.cell(column, row);
    if (level.cells[cell] & WALL) return wallSprites(
      (right, down) => this.#isWall(column + right, row + down),
      (right, down) => level.reach.has(this.#turning.cell(column + right, row + down)),
    );
    const isAim = this.#isGoal(cell);
    if (!level.reach.has(cell) && !isAim) return [];
    const isOdd = (Math.floor(cell / level.width) + (cell % level.width)) % 2;
    const floor = this.#options.parity && isOdd ? ODD : FLOOR;
    return [floor, isAim && AIM, this.#options.dead?.has(cell) && DEAD].filter(Boolean);
  }

  #isWall(column, row) {
    const cell = this.#turning.cell(column, row);
    return cell !== null && Boolean(this.#level.cells[cell] & WALL);
  }

  /** Names along the edges; they stay in sight when the board is moved, and name the published board's lines. */
  #drawRuler(pen, { width, height }) {
    const { ratio, ruler, part, left, top: above } = this.#placing;
    const { first, last, top, bottom } = part;
    const cell = this.#cell / ratio;
    const size = Math.max(9 * ratio, Math.min(this.#cell * 0.42, 12 * ratio));
    pen.clearRect(0, 0, width, ruler);
    pen.clearRect(0, 0, ruler, height);
    pen.font = `${size}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = this.#colours.soft;
    const columns = [];
    for (let column = first; column <= last; column++) {
      columns.push(this.#lineOf(this.#turning.cell(column, 0), !this.#turning.isSideways));
    }
    const widest = Math.max(0, ...columns.map((line) => pen.measureText(line.name).width)) / ratio;
    const everyColumn = rulerStep(cell, widest), every = rulerStep(cell, 0);
    for (const [index, line] of columns.entries()) {
      const column = first + index;
      const x = left + (column + 0.5) * this.#cell;
      const y = Math.max(above - ruler / 2, ruler / 2);
      if (line.number % everyColumn === 0 && x > ruler) pen.fillText(line.name, x, y);
    }
    for (let row = top; row <= bottom; row++) {
      const line = this.#lineOf(this.#turning.cell(0, row), this.#turning.isSideways);
      const x = Math.max(left - ruler / 2, ruler / 2);
      const y = above + (row + 0.5) * this.#cell;
      if (line.number % every === 0 && y > ruler) pen.fillText(line.name, x, y);
    }
  }

  /** The number and name of the column or row of the published board on which *cell* lies. */
  #lineOf(cell, isColumn) {
    const { width } = this.#level;
    const number = isColumn ? cell % width : Math.floor(cell / width);
    return { number, name: isColumn ? columnName(number) : String(number + 1) };
  }
}

/** Every how many lines the ruler names one, for cells of *cell* CSS pixels and names up to *widest* wide. */
export function rulerStep(cell, widest) {
  if (cell >= Math.max(RULER_FROM, widest + 3)) return 1;
  return [5, 10].find((lines) => lines * cell >= Math.max(RULER_GAP, widest + 3)) ?? 20;
}
