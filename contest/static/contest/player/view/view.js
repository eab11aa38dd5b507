// The board on two canvases: the ground (walls, floor, goals, ruler), drawn again only when the look changes, and what
// stands and is marked on it, of which only the cells that changed are drawn again. Knows no rules.

import { CRATE } from "../rules/game.js";
import { GOAL, WALL } from "../rules/level.js";
import { columnName } from "../rules/squares.js";
import { Turning } from "./turning.js";

const MAX_CELL = 112; // CSS pixels, when the whole board is shown
const MIN_CELL = 2; // device pixels: the whole of the largest board fits a phone
const LARGEST_CELL = 128;
const RULER_FROM = 11; // CSS pixels a cell, below which the ruler leaves lines out
const RULER_GAP = 18; // CSS pixels that it then leaves for each name
const SMALL = 8; // device pixels a cell, below which everything is a plain square

// What can be seen on a cell: a thing, whether it is on a goal, and marks.
const NOTHING = 0;
const MAN = 1;
const CRATE_HERE = 2;
const THING = 3;
const ON_GOAL = 4;
export const REACH = 8;
export const SELECTED = 16;
export const CURSOR = 32;
export const WRONG = 64;
export const LOST = 128;
export const UNVISITED = 256;
const NUMBERED = 512; // and above: the number of a box

const COLOURS = ["paper", "floor", "wall", "shade", "goal", "box", "home", "player", "edge", "soft", "accent", "bad", "ink", "reach"];

/** Does something so many times a second, as far as the screen can show it, and stops when nobody looks. */
export class Ticker {
  #frame = 0;

  get isRunning() {
    return this.#frame !== 0;
  }

  /** Call *tick* with how many times are due, until it returns false. */
  start(perSecond, tick) {
    this.stop();
    let begin = null;
    let done = 0;
    const frame = (time) => {
      begin ??= time;
      const due = Math.floor(((time - begin) * perSecond) / 1000) + 1;
      const goesOn = due === done || tick(due - done);
      done = due;
      this.#frame = goesOn ? requestAnimationFrame(frame) : 0;
    };
    this.#frame = requestAnimationFrame(frame);
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }
}

export class BoardView {
  #frame;
  #ground;
  #things;
  #turning;
  #marks = new Map();
  #numbers = new Map();
  #shown; // for each cell what is drawn there, or -1
  #position;
  #sprites = new Map();
  #colours = {};
  #ratio = 1;
  #cell = 0; // device pixels
  #wish = 0; // the same before it is snapped to whole ones
  #fit = 0;
  #left = 0; // where the board's corner is, in device pixels
  #top = 0;
  #ruler = 0;
  #ticker = new Ticker();
  #isPainting = false;

  /**
   * Show *level* in *frame*, an element with two canvases that fills what room it is given. *onPaint* is called when
   * everything was drawn again, for whoever draws on canvases of their own above these.
   */
  constructor(frame, level, { onZoom = () => {}, onPaint = () => {} } = {}) {
    this.level = level;
    this.options = { ruler: true, parity: false, dead: null };
    this.onZoom = onZoom;
    this.onPaint = onPaint;
    this.#frame = frame;
    [this.#ground, this.#things] = frame.querySelectorAll("canvas");
    this.#turning = new Turning(level);
    this.#shown = new Int32Array(level.cells.length).fill(-1);
    new ResizeObserver(() => this.fit()).observe(frame);
    for (const wish of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"]) {
      matchMedia(wish).addEventListener("change", () => this.repaint());
    }
    new MutationObserver(() => this.repaint()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  // What is shown

  get turning() {
    return this.#turning;
  }

  /** Show the board after one of the eight symmetries. */
  turn(symmetry) {
    this.#turning = new Turning(this.level, symmetry);
    this.fit();
  }

  /** Change how the ground looks: *ruler*, *parity*, *dead* (a set of cells). */
  set(options) {
    Object.assign(this.options, options);
    this.#place();
    this.repaint();
  }

  /** Show *position* at once; an animation under way ends. */
  show(position) {
    this.#ticker.stop();
    this.#take(position);
  }

  /** Show *steps* made from *position*, so many a second. */
  animate(position, steps, perSecond) {
    let made = 0;
    this.#ticker.start(perSecond, (count) => {
      const due = Math.min(made + count, steps.length);
      position = position.after(steps.subarray(made, due));
      made = due;
      this.#take(position);
      return made < steps.length;
    });
  }

  /** Mark exactly the *cells* with *mark*, one of those above. */
  mark(mark, cells) {
    const before = this.#marks.get(mark);
    const marked = new Set(cells);
    this.#marks.set(mark, marked);
    if (before?.size || marked.size) this.#draw(); // every key ends marks that mostly are not there
  }

  /** Write numbers on cells, or on none. */
  number(numbers) {
    const before = this.#numbers;
    this.#numbers = numbers;
    if (before.size || numbers.size) this.#draw();
  }

  #take(position) {
    this.#position = position;
    this.#draw();
  }

  // Where it is shown

  /** Show the whole board as large as it fits. */
  fit() {
    this.#ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.#frame;
    for (const canvas of [this.#ground, this.#things]) {
      canvas.width = Math.round(clientWidth * this.#ratio);
      canvas.height = Math.round(clientHeight * this.#ratio);
    }
    this.#cell = 0;
    this.#place();
    this.#paint();
    this.onZoom();
  }

  /** How high the frame should be for a board that fills *width* CSS pixels, at most *most*. */
  heightFor(width, most) {
    const ruler = this.options.ruler ? 18 : 0;
    const ratio = window.devicePixelRatio || 1;
    const { width: columns, height: rows } = this.#turning;
    const room = Math.min(MAX_CELL, (width - ruler - 2) / columns, (most - ruler - 2) / rows);
    const cell = Math.max(Math.floor(room * ratio), MIN_CELL) / ratio; // as it will be drawn, so that no gap is left
    return Math.ceil(Math.min(most, Math.max(cell * rows + ruler + 2, 120)));
  }

  get isWhole() {
    return this.#cell <= this.#fit;
  }

  /** Make cells larger or smaller by *factor* about a place on the screen. */
  zoom(factor, x, y) {
    const box = this.#ground.getBoundingClientRect();
    const atX = (x - box.left) * this.#ratio;
    const atY = (y - box.top) * this.#ratio;
    this.#wish = Math.min(Math.max(this.#wish * factor, this.#fit), Math.max(this.#fit, LARGEST_CELL * this.#ratio));
    const cell = Math.round(this.#wish);
    this.#left = atX - ((atX - this.#left) * cell) / this.#cell;
    this.#top = atY - ((atY - this.#top) * cell) / this.#cell;
    this.#cell = cell;
    this.#place();
    this.repaint();
    this.onZoom();
  }

  /** Move the board on the screen by so many CSS pixels. */
  pan(x, y) {
    this.#left += x * this.#ratio;
    this.#top += y * this.#ratio;
    this.#place();
    this.repaint();
  }

  /** The cell at a place on the screen, or null. */
  cellAt(x, y) {
    const box = this.#ground.getBoundingClientRect();
    const column = Math.floor(((x - box.left) * this.#ratio - this.#left) / this.#cell);
    const row = Math.floor(((y - box.top) * this.#ratio - this.#top) / this.#cell);
    return this.#turning.cell(column, row);
  }

  /** The middle of *cell* on the screen. */
  middleOf(cell) {
    const box = this.#ground.getBoundingClientRect();
    const [column, row] = this.#turning.place(cell);
    return {
      x: box.left + (this.#left + (column + 0.5) * this.#cell) / this.#ratio,
      y: box.top + (this.#top + (row + 0.5) * this.#cell) / this.#ratio,
    };
  }

  /** Where *cell* is drawn on the canvases, in their pixels, of which *ratio* make one of the page. */
  areaOf(cell) {
    const [column, row] = this.#turning.place(cell);
    const side = this.#cell;
    return { x: this.#left + column * side, y: this.#top + row * side, side, ratio: this.#ratio };
  }

  /** One of the site's colours, by its name in the style sheet, as it was last drawn with. */
  colour(name) {
    return this.#colours[name];
  }

  /** Move the board so that *cell* is seen. */
  follow(cell) {
    if (this.isWhole) return;
    const [column, row] = this.#turning.place(cell);
    const margin = this.#cell;
    const x = this.#left + column * this.#cell;
    const y = this.#top + row * this.#cell;
    const right = this.#ground.width - 2 * this.#cell;
    const bottom = this.#ground.height - 2 * this.#cell;
    const moveX = Math.max(this.#ruler + margin - x, 0) || Math.min(right - x, 0);
    const moveY = Math.max(this.#ruler + margin - y, 0) || Math.min(bottom - y, 0);
    if (moveX || moveY) this.pan(moveX / this.#ratio, moveY / this.#ratio);
  }

  /** Snap cells to whole device pixels and keep the board inside the frame. */
  #place() {
    const { width, height } = this.#ground;
    const { width: columns, height: rows } = this.#turning;
    this.#ruler = this.options.ruler ? Math.round(18 * this.#ratio) : 0;
    const room = Math.min((width - this.#ruler) / columns, (height - this.#ruler) / rows, MAX_CELL * this.#ratio);
    this.#fit = Math.max(Math.floor(room), MIN_CELL);
    if (this.#cell < this.#fit) this.#cell = this.#wish = this.#fit;
    this.#left = placed(this.#left, width, columns * this.#cell, this.#ruler);
    this.#top = placed(this.#top, height, rows * this.#cell, this.#ruler);
  }

  // Drawing

  /** Draw everything again, at the next frame. */
  repaint() {
    if (this.#isPainting) return;
    this.#isPainting = true;
    requestAnimationFrame(() => {
      this.#isPainting = false;
      this.#paint();
    });
  }

  #paint() {
    this.#readColours();
    this.#sprites.clear();
    this.#drawGround();
    this.#things.getContext("2d").clearRect(0, 0, this.#things.width, this.#things.height);
    this.#shown.fill(-1);
    this.#draw();
    this.onPaint();
  }

  #readColours() {
    const probe = document.createElement("span");
    this.#frame.append(probe);
    for (const name of COLOURS) {
      probe.style.color = `var(--${name})`;
      this.#colours[name] = getComputedStyle(probe).color;
    }
    probe.remove();
  }

  /** The columns and rows of which a part is seen. */
  #window() {
    const { width, height } = this.#ground;
    const { width: columns, height: rows } = this.#turning;
    return {
      first: Math.max(0, Math.floor((this.#ruler - this.#left) / this.#cell)),
      last: Math.min(columns - 1, Math.floor((width - this.#left) / this.#cell)),
      top: Math.max(0, Math.floor((this.#ruler - this.#top) / this.#cell)),
      bottom: Math.min(rows - 1, Math.floor((height - this.#top) / this.#cell)),
    };
  }

  #drawGround() {
    const canvas = this.#ground;
    const pen = canvas.getContext("2d");
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const { first, last, top, bottom } = this.#window();
    for (let row = top; row <= bottom; row++) {
      for (let column = first; column <= last; column++) {
        this.#drawSquare(pen, column, row);
      }
    }
    if (this.#ruler) this.#drawRuler(pen);
  }

  #drawSquare(pen, column, row) {
    const { level } = this;
    const cell = this.#turning.cell(column, row);
    const side = this.#cell;
    const x = this.#left + column * side;
    const y = this.#top + row * side;
    if (level.cells[cell] & WALL) {
      this.#drawWall(pen, column, row, x, y);
      return;
    }
    if (!level.reach.has(cell) && !(level.cells[cell] & GOAL)) return;
    pen.fillStyle = this.#colours.floor;
    pen.fillRect(x, y, side, side);
    const isOdd = (Math.floor(cell / level.width) + (cell % level.width)) % 2;
    if (this.options.parity && isOdd) this.#shade(pen, x, y, side, 0.14);
    if (!this.options.parity && side >= 10) {
      pen.strokeStyle = this.#colours.edge;
      pen.globalAlpha = 0.07;
      pen.lineWidth = 1;
      pen.strokeRect(x + 0.5, y + 0.5, side, side);
      pen.globalAlpha = 1;
    }
    if (side >= SMALL) this.#roundFloor(pen, column, row, x, y);
    if (this.options.dead?.has(cell)) this.#drawDead(pen, x, y, side);
    if (level.cells[cell] & GOAL) this.#drawGoal(pen, x, y, side);
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
    const round = side * 0.2;
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
      if (isInside || !this.level.reach.has(this.#turning.cell(column + right, row + down))) continue;
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
    const round = side * 0.2;
    pen.fillStyle = this.#colours.wall;
    for (const [right, down] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
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
    return cell !== null && Boolean(this.level.cells[cell] & WALL);
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
  #drawRuler(pen) {
    const { first, last, top, bottom } = this.#window();
    const cell = this.#cell / this.#ratio;
    const size = Math.max(9 * this.#ratio, Math.min(this.#cell * 0.42, 12 * this.#ratio));
    pen.clearRect(0, 0, this.#ground.width, this.#ruler);
    pen.clearRect(0, 0, this.#ruler, this.#ground.height);
    pen.font = `${size}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = this.#colours.soft;
    const columns = [];
    for (let column = first; column <= last; column++) {
      columns.push(this.#lineOf(this.#turning.cell(column, 0), !this.#turning.isSideways));
    }
    const widest = Math.max(0, ...columns.map((line) => pen.measureText(line.name).width)) / this.#ratio;
    const everyColumn = rulerStep(cell, widest), every = rulerStep(cell, 0);
    for (const [index, line] of columns.entries()) {
      const column = first + index;
      const x = this.#left + (column + 0.5) * this.#cell;
      const y = Math.max(this.#top - this.#ruler / 2, this.#ruler / 2);
      if (line.number % everyColumn === 0 && x > this.#ruler) pen.fillText(line.name, x, y);
    }
    for (let row = top; row <= bottom; row++) {
      const line = this.#lineOf(this.#turning.cell(0, row), this.#turning.isSideways);
      const x = Math.max(this.#left - this.#ruler / 2, this.#ruler / 2);
      const y = this.#top + (row + 0.5) * this.#cell;
      if (line.number % every === 0 && y > this.#ruler) pen.fillText(line.name, x, y);
    }
  }

  /** The number and name of the column or row of the published board on which *cell* lies. */
  #lineOf(cell, isColumn) {
    const { width } = this.level;
    const number = isColumn ? cell % width : Math.floor(cell / width);
    return { number, name: isColumn ? columnName(number) : String(number + 1) };
  }

  /** Draw the cells on which something else is to be seen than what is drawn there. */
  #draw() {
    if (!this.#position || !this.#cell) return;
    const seen = this.#seen();
    const pen = this.#things.getContext("2d");
    pen.save();
    pen.beginPath();
    pen.rect(this.#ruler, this.#ruler, this.#things.width, this.#things.height);
    pen.clip();
    for (let cell = 0; cell < seen.length; cell++) {
      if (seen[cell] === this.#shown[cell]) continue;
      this.#drawCell(pen, cell, seen[cell]);
      this.#shown[cell] = seen[cell];
    }
    pen.restore();
  }

  #seen() {
    const { level } = this;
    const { squares, arena, man } = this.#position;
    const seen = new Int32Array(level.cells.length);
    for (let row = 0, cell = 0; row < level.height; row++) {
      let square = (row + 1) * arena.stride + 1;
      for (let column = 0; column < level.width; column++, cell++, square++) {
        if (squares[square] === CRATE) seen[cell] = CRATE_HERE;
        else if (square === man) seen[cell] = MAN;
        if (seen[cell] && level.cells[cell] & GOAL) seen[cell] |= ON_GOAL;
      }
    }
    for (const [mark, cells] of this.#marks) for (const cell of cells) seen[cell] |= mark;
    for (const cell of this.#marks.get(REACH) ?? []) if (level.cells[cell] & GOAL) seen[cell] |= ON_GOAL;
    for (const [cell, number] of this.#numbers) if (seen[cell] & CRATE_HERE) seen[cell] |= number * NUMBERED;
    return seen;
  }

  #drawCell(pen, cell, content) {
    const side = this.#cell;
    const [column, row] = this.#turning.place(cell);
    const x = this.#left + column * side;
    const y = this.#top + row * side;
    if (x + side < 0 || y + side < 0 || x > this.#things.width || y > this.#things.height) return;
    pen.clearRect(x, y, side, side);
    if (content === NOTHING) return;
    pen.drawImage(this.#sprite(content % NUMBERED), x, y);
    if (content >= NUMBERED) this.#drawNumber(pen, Math.floor(content / NUMBERED), x, y);
  }

  #drawNumber(pen, number, x, y) {
    const side = this.#cell;
    if (side < 14) return;
    pen.font = `600 ${Math.round(side * (number > 99 ? 0.34 : 0.44))}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineWidth = Math.max(2, side / 10);
    pen.lineJoin = "round";
    pen.strokeStyle = this.#colours.paper;
    pen.strokeText(number, x + side / 2, y + side / 2);
    pen.fillStyle = this.#colours.ink;
    pen.fillText(number, x + side / 2, y + side / 2);
  }

  #sprite(content) {
    let sprite = this.#sprites.get(content);
    if (!sprite) {
      sprite = document.createElement("canvas");
      sprite.width = sprite.height = this.#cell;
      this.#drawSprite(sprite.getContext("2d"), content, this.#cell);
      this.#sprites.set(content, sprite);
    }
    return sprite;
  }

  #drawSprite(pen, content, side) {
    const colours = this.#colours;
    const middle = side / 2;
    if (content & UNVISITED) {
      pen.globalAlpha = 0.3;
      pen.fillStyle = colours.accent;
      pen.fillRect(0, 0, side, side);
      pen.globalAlpha = 1;
    }
    if ((content & THING) === CRATE_HERE) drawBox(pen, side, colours, Boolean(content & ON_GOAL));
    if ((content & THING) === MAN) drawMan(pen, side, colours, Boolean(content & ON_GOAL));
    if (content & LOST) {
      pen.strokeStyle = colours.bad;
      pen.lineWidth = Math.max(2, side / 9);
      cross(pen, middle, middle, side * 0.3);
    }
    if (content & REACH && !(content & THING)) drawReach(pen, side, colours, Boolean(content & ON_GOAL));
    if (content & SELECTED) ring(pen, side, colours.player, colours.paper, 0.1);
    if (content & CURSOR) ring(pen, side, colours.ink, colours.paper, 0.12);
    if (content & WRONG) ring(pen, side, colours.bad, colours.paper, 0.16);
  }
}

/** Every how many lines the ruler names one, for cells of *cell* CSS pixels and names up to *widest* wide. */
export function rulerStep(cell, widest) {
  if (cell >= Math.max(RULER_FROM, widest + 3)) return 1;
  return [5, 10].find((lines) => lines * cell >= Math.max(RULER_GAP, widest + 3)) ?? 20;
}

/** Where a board of *size* pixels begins in a frame of *room* with a ruler: in the middle, or leaving no gap. */
function placed(wanted, room, size, ruler) {
  if (size <= room - ruler) return Math.round(ruler + (room - ruler - size) / 2);
  return Math.round(Math.min(Math.max(wanted, room - size), ruler));
}

/** On a goal a box is dark with a bright diamond, elsewhere it is bright with planks: told apart without colours. */
function drawBox(pen, side, colours, isHome) {
  if (side < SMALL) {
    drawPlain(pen, side, isHome ? colours.home : colours.box);
    return;
  }
  const edge = Math.max(1, Math.round(side * 0.08));
  const line = Math.max(1, side / 16);
  const size = side - 2 * edge;
  pen.fillStyle = isHome ? colours.home : colours.box;
  pen.strokeStyle = isHome ? colours.box : colours.edge;
  pen.lineWidth = line;
  pen.beginPath();
  pen.roundRect(edge + line / 2, edge + line / 2, size - line, size - line, side * 0.08);
  pen.fill();
  pen.stroke();
  if (isHome) {
    pen.fillStyle = colours.box;
    diamond(pen, side / 2, side / 2, side * 0.24);
  } else if (side >= 14) {
    pen.globalAlpha = 0.55;
    pen.beginPath();
    for (const part of [0.36, 0.64]) {
      pen.moveTo(edge + line, side * part);
      pen.lineTo(side - edge - line, side * part);
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }
}

function drawMan(pen, side, colours, isOnGoal) {
  if (side < SMALL) {
    drawPlain(pen, side, colours.player);
    return;
  }
  pen.fillStyle = colours.player;
  pen.strokeStyle = colours.edge;
  pen.lineWidth = Math.max(1, side / 16);
  pen.beginPath();
  pen.arc(side / 2, side / 2, side * 0.36, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  pen.fillStyle = colours.paper;
  if (isOnGoal) {
    diamond(pen, side / 2, side / 2, side * 0.2);
  } else if (side >= 14) {
    disc(pen, side * 0.39, side * 0.44, side * 0.06);
    disc(pen, side * 0.61, side * 0.44, side * 0.06);
  }
}

/** In a hue of its own, through which the ground shows; never over a box or the man. Tiny cells of free floor are tinted. */
function drawReach(pen, side, colours, isOnGoal) {
  pen.fillStyle = colours.reach;
  if (side < SMALL) {
    const inset = isOnGoal ? Math.ceil(side / 3) : 0; // the goal stays in sight
    pen.globalAlpha = isOnGoal ? 1 : 0.45;
    pen.fillRect(inset, inset, side - 2 * inset, side - 2 * inset);
  } else {
    pen.globalAlpha = 0.85;
    disc(pen, side / 2, side / 2, isOnGoal && side >= 14 ? side * 0.1 : Math.max(1.5, side * 0.14));
  }
  pen.globalAlpha = 1;
}

function drawPlain(pen, side, colour) {
  pen.fillStyle = colour;
  pen.fillRect(0, 0, side, side);
}

function diamond(pen, x, y, reach) {
  pen.beginPath();
  pen.moveTo(x, y - reach);
  pen.lineTo(x + reach, y);
  pen.lineTo(x, y + reach);
  pen.lineTo(x - reach, y);
  pen.closePath();
  pen.fill();
}

function disc(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

function cross(pen, x, y, reach) {
  pen.beginPath();
  pen.moveTo(x - reach, y - reach);
  pen.lineTo(x + reach, y + reach);
  pen.moveTo(x + reach, y - reach);
  pen.lineTo(x - reach, y + reach);
  pen.stroke();
}

/** A frame in two colours, one of which is seen on any ground. */
function ring(pen, side, colour, other, part) {
  const line = Math.max(2, side * part);
  pen.strokeStyle = other;
  pen.lineWidth = line;
  pen.strokeRect(line / 2, line / 2, side - line, side - line);
  pen.strokeStyle = colour;
  pen.lineWidth = Math.max(1, line * 0.6);
  pen.strokeRect(line / 3, line / 3, side - (2 * line) / 3, side - (2 * line) / 3);
}
