// The ground of the board: walls, floor, goals, dead squares and the ruler.

import { GOAL, WALL } from "../rules/letters.js";
import { columnName } from "../rules/squares.js";
import { SMALL, cross, diamond } from "./shapes.js";
import { AIM, DEAD, FLOOR, INNER, ODD } from "./skin.js";

const RULER_FROM = 11; // CSS pixels a cell, below which the ruler leaves lines out
const RULER_GAP = 18; // CSS pixels that it then leaves for each name
const ROUND = 0.2; // of a cell, the corners of walls
const SIDES = [[0, -1], [1, 0], [0, 1], [-1, 0]];
const DIAGONALS = [[1, -1], [1, 1], [-1, 1], [-1, -1]];

/** Draws the ground of *level* as it lies in *placing*, of the sprites of a *sheet*; without one, with *colours* by name. */
export class Ground {
  #level;
  #placing;
  #colours;
  #options;
  #isGoal;
  #cell;
  #sheet;

  /** *options* are those of `BoardView.set`; *isGoal* tells of a cell whether it is drawn as a goal. */
  constructor(level, placing, { colours, sheet = null }, { options, isGoal }) {
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
    const level = this.#level;
    const cell = this.#turning.cell(column, row);
    const side = this.#cell;
    const { x, y } = this.#placing.corner(column, row);
    if (this.#sheet) {
      this.#copySprites(pen, column, row, { cell, x, y });
      return;
    }
    if (level.cells[cell] & WALL) {
      this.#drawWall(pen, column, row, x, y);
      return;
    }
    if (!this.#isFloor(cell)) return;
    pen.fillStyle = this.#colours.floor;
    pen.fillRect(x, y, side, side);
    const isOdd = (Math.floor(cell / level.width) + (cell % level.width)) % 2;
    if (this.#options.parity && isOdd) this.#shade(pen, x, y, side, 0.14);
    if (!this.#options.parity && side >= 10) {
      pen.strokeStyle = this.#colours.edge;
      pen.globalAlpha = 0.07;
      pen.lineWidth = 1;
      pen.strokeRect(x + 0.5, y + 0.5, side, side);
      pen.globalAlpha = 1;
    }
    if (side >= SMALL) this.#roundFloor(pen, column, row, x, y);
    if (this.#options.dead?.has(cell)) this.#drawDead(pen, x, y, side);
    if (this.#isGoal(cell)) this.#drawGoal(pen, x, y, side);
  }

  #copySprites(pen, column, row, { cell, x, y }) {
    const draw = (sprite, part) => this.#sheet.draw(pen, sprite, x, y, part);
    if (this.#level.cells[cell] & WALL) {
      for (const part of this.#bareCorners(column, row)) draw(FLOOR, part);
      draw(SIDES.reduce((bits, [right, down], side) => bits | (this.#isWall(column + right, row + down) << side), 0));
      for (const [corner, [right, down]] of DIAGONALS.entries()) {
        if (!this.#isWall(column + right, row) || !this.#isWall(column, row + down)) continue;
        if (!this.#isWall(column + right, row + down)) draw(INNER + corner);
      }
      return;
    }
    if (!this.#isFloor(cell)) return;
    const isOdd = (Math.floor(cell / this.#level.width) + (cell % this.#level.width)) % 2;
    draw(this.#options.parity && isOdd ? ODD : FLOOR);
    if (this.#isGoal(cell)) draw(AIM);
    if (this.#options.dead?.has(cell)) draw(DEAD);
  }

  /** What a round corner of a wall lays bare of the floor that it touches there. */
  #bareCorners(column, row) {
    const round = Math.ceil(this.#cell * ROUND);
    const other = this.#cell - round;
    return DIAGONALS.filter(([right, down]) => {
      if (this.#isWall(column + right, row) || this.#isWall(column, row + down)) return false;
      return this.#level.reach.has(this.#turning.cell(column + right, row + down));
    }).map(([right, down]) => ({ left: right > 0 ? other : 0, top: down > 0 ? other : 0, width: round, height: round }));
  }

  #isFloor(cell) {
    return this.#level.reach.has(cell) || this.#isGoal(cell);
  }

  #shade(pen, x, y, side, strength) {
    pen.globalAlpha = strength;
    pen.fillStyle = this.#colours.ink;
    pen.fillRect(x, y, side, side);
    pen.globalAlpha = 1;
  }

  /** A part of one seamless body, round where it ends, with a darker lower side. */
  #drawWall(pen, column, row, x, y) {
    const side = this.#cell;
    pen.fillStyle = this.#colours.wall;
    if (side < SMALL) {
      pen.fillRect(x, y, side, side);
      return;
    }
    const round = side * ROUND;
    const above = this.#isWall(column, row - 1);
    const below = this.#isWall(column, row + 1);
    const before = this.#isWall(column - 1, row);
    const after = this.#isWall(column + 1, row);
    const corners = [
      [-1, -1, above || before],
      [1, -1, above || after],
      [1, 1, below || after],
      [-1, 1, below || before],
    ];
    // What a round corner lays bare is floor, where the floor is.
    pen.fillStyle = this.#colours.floor;
    for (const [right, down, isInside] of corners) {
      if (isInside || !this.#level.reach.has(this.#turning.cell(column + right, row + down))) continue;
      pen.fillRect(x + (right > 0 ? side - round : 0), y + (down > 0 ? side - round : 0), round, round);
    }
    pen.beginPath();
    pen.roundRect(x, y, side, side, corners.map(([, , isInside]) => (isInside ? 0 : round)));
    pen.fillStyle = this.#colours.wall;
    pen.fill();
    if (below) return;
    pen.save();
    pen.clip();
    const line = Math.max(1, Math.round(side * 0.14));
    pen.fillStyle = this.#colours.shade;
    pen.fillRect(x, y + side - line, side, line);
    pen.restore();
  }

  /** The walls around a cell of the floor run into each other in a curve. */
  #roundFloor(pen, column, row, x, y) {
    const side = this.#cell;
    const round = side * ROUND;
    pen.fillStyle = this.#colours.wall;
    for (const [right, down] of DIAGONALS) {
      if (!this.#isWall(column + right, row) || !this.#isWall(column, row + down)) continue;
      if (!this.#isWall(column + right, row + down)) continue;
      const cornerX = right > 0 ? x + side : x;
      const cornerY = down > 0 ? y + side : y;
      pen.beginPath();
      pen.moveTo(cornerX, cornerY);
      pen.lineTo(cornerX - right * round, cornerY);
      pen.quadraticCurveTo(cornerX, cornerY, cornerX, cornerY - down * round);
      pen.fill();
    }
  }

  #isWall(column, row) {
    const cell = this.#turning.cell(column, row);
    return cell !== null && Boolean(this.#level.cells[cell] & WALL);
  }

  #drawGoal(pen, x, y, side) {
    pen.fillStyle = this.#colours.goal;
    if (side < SMALL) {
      pen.fillRect(x, y, side - 1, side - 1);
      return;
    }
    diamond(pen, x + side / 2, y + side / 2, side * 0.24);
    if (side < 14) return;
    pen.fillStyle = this.#colours.floor;
    diamond(pen, x + side / 2, y + side / 2, side * 0.11);
  }

  #drawDead(pen, x, y, side) {
    pen.strokeStyle = this.#colours.bad;
    pen.globalAlpha = 0.55;
    pen.lineWidth = Math.max(1, side / 16);
    cross(pen, x + side / 2, y + side / 2, side * 0.14);
    pen.globalAlpha = 1;
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
