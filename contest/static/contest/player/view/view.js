// The board on two canvases: the ground (walls, floor, goals, ruler), drawn again only when the look changes, and what
// stands and is marked on it, of which only the cells that changed are drawn again. Knows no rules.

import { CRATE, PUSH } from "../rules/game.js";
import { GOAL } from "../rules/letters.js";
import { Ground } from "./ground.js";
import { CRATE_HERE, FACING, MAN, NOTHING, NUMBERED, ON_GOAL, REACH } from "./marks.js";
import { Placing, heightFor } from "./placing.js";
import { Skin } from "./skin.js";
import { Slide, wayOfBox } from "./slide.js";
import { drawNumber, drawThing } from "./things.js";
import { Ticker } from "./ticker.js";
import { Turning } from "./turning.js";

const COLOURS = ["paper", "soft", "accent", "ink"]; // of what is drawn over the sprites
const SEEN_SLIDING = 8; // CSS pixels a cell, below which nobody sees so short a way

export class BoardView {
  #frame;
  #ground;
  #things;
  #placing;
  #aims = null;
  #marks = new Map();
  #numbers = new Map();
  #shown; // for each cell what is drawn there, or -1
  #position;
  #sprites = new Map();
  #colours = {};
  #skin;
  #sheet = null;
  #ticker = new Ticker();
  #slide;
  #away = new Set(); // cells whose thing is on its way there
  #isPainting = false;

  /**
   * Show *level* in *frame*, an element with two canvases that fills what room it is given. *onPaint* is called when
   * everything was drawn again, for whoever draws on canvases of their own above these.
   */
  constructor(frame, level, { onZoom = () => {}, onPaint = () => {}, signal } = {}) {
    this.level = level;
    this.options = { ruler: true, parity: false, dead: null };
    this.onZoom = onZoom;
    this.onPaint = onPaint;
    this.#frame = frame;
    this.#slide = new Slide(frame);
    this.#skin = new Skin(frame, () => this.repaint());
    [this.#ground, this.#things] = frame.querySelectorAll("canvas");
    this.#placing = new Placing(new Turning(level));
    this.#shown = new Int32Array(level.cells.length).fill(-1);
    const sized = new ResizeObserver(() => this.fit());
    sized.observe(frame);
    for (const wish of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"]) {
      matchMedia(wish).addEventListener("change", () => this.repaint(), { signal });
    }
    const themed = new MutationObserver(() => this.repaint());
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    signal?.addEventListener("abort", () => [sized, themed].forEach((observer) => observer.disconnect()));
  }

  // What is shown

  get turning() {
    return this.#placing.turning;
  }

  /** Show the board after one of the eight symmetries. */
  turn(symmetry) {
    this.#placing.turning = new Turning(this.level, symmetry);
    this.fit();
  }

  /** Show *cells* as the goals, or null for those of the level. */
  aim(cells) {
    this.#aims = cells && new Set(cells);
    this.repaint();
  }

  /** Draw the board in another skin, one of those in skin.js. */
  wear(skin) {
    this.#skin.name = skin;
    this.repaint();
  }

  /** Change how the ground looks: *ruler*, *parity*, *dead* (a set of cells). */
  set(options) {
    Object.assign(this.options, options);
    this.#settle();
    this.repaint();
  }

  /** Show *position* at once; an animation under way ends. */
  show(position) {
    this.#ticker.stop();
    this.#slide.end();
    this.#take(position);
  }

  /** Show *steps* made from *position*, so many a second. */
  animate(position, steps, perSecond) {
    this.#slide.end();
    let made = 0;
    this.#ticker.start(perSecond, (count) => {
      const due = Math.min(made + count, steps.length);
      position = position.after(steps.subarray(made, due));
      made = due;
      this.#take(position);
      return made < steps.length;
    });
  }

  /** Show the position after *step* made from *before*: the man and his box slide there. Any other act ends that. */
  slide(before, step) {
    const position = before.after([step]);
    this.show(position);
    if (this.#placing.cell < SEEN_SLIDING * this.#placing.ratio) return;
    const moved = [[before.player, position.player, MAN]];
    if (step & PUSH) moved.push([...wayOfBox(before, position, step), CRATE_HERE]);
    const pieces = moved.map(([from, to, thing]) => {
      const picture = document.createElement("canvas");
      picture.width = picture.height = this.#placing.cell;
      drawThing(picture.getContext("2d"), this.#content(thing, to), picture.width, this.#paints);
      return { picture, from: this.areaOf(from), to: this.areaOf(to) };
    });
    this.#away = new Set(moved.map(([, to]) => to));
    this.#draw();
    this.#slide.start(pieces, () => {
      this.#away.clear();
      this.#draw();
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
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.#frame;
    for (const canvas of [this.#ground, this.#things]) {
      canvas.width = Math.round(clientWidth * ratio);
      canvas.height = Math.round(clientHeight * ratio);
    }
    this.#placing.fit(this.#ground, ratio, this.options.ruler);
    this.#paint();
    this.onZoom();
  }

  /** How high the frame should be for a board that fills *width* CSS pixels, at most *most*. */
  heightFor(width, most) {
    return heightFor(this.turning, { width, most, ratio: window.devicePixelRatio || 1, hasRuler: this.options.ruler });
  }

  get gainByTurning() {
    return this.#placing.gainByTurning;
  }

  get isWhole() {
    return this.#placing.isWhole;
  }

  /** Make cells larger or smaller by *factor* about a place on the screen. */
  zoom(factor, x, y) {
    this.#placing.zoom(factor, ...this.#onCanvas(x, y));
    this.#settle();
    this.repaint();
    this.onZoom();
  }

  /** Move the board on the screen by so many CSS pixels. */
  pan(x, y) {
    const { ratio } = this.#placing;
    this.#move(x * ratio, y * ratio);
  }

  #move(x, y) {
    this.#placing.left += x;
    this.#placing.top += y;
    this.#settle();
    this.repaint();
  }

  #settle() {
    this.#placing.settle(this.options.ruler);
  }

  /** The cell at a place on the screen, or null. */
  cellAt(x, y) {
    return this.#placing.cellAt(...this.#onCanvas(x, y));
  }

  #onCanvas(x, y) {
    const box = this.#ground.getBoundingClientRect();
    const { ratio } = this.#placing;
    return [(x - box.left) * ratio, (y - box.top) * ratio];
  }

  /** The middle of *cell* on the screen. */
  middleOf(cell) {
    const box = this.#ground.getBoundingClientRect();
    const { x, y, side, ratio } = this.areaOf(cell);
    return { x: box.left + (x + side / 2) / ratio, y: box.top + (y + side / 2) / ratio };
  }

  /** Where *cell* is drawn on the canvases, in their pixels, of which *ratio* make one of the page. */
  areaOf(cell) {
    const { cell: side, ratio } = this.#placing;
    return { ...this.#placing.corner(...this.turning.place(cell)), side, ratio };
  }

  /** One of the site's colours, by its name in the style sheet, as it was last drawn with. */
  colour(name) {
    return this.#colours[name];
  }

  /** Move the board so that *cell* is seen. */
  follow(cell) {
    if (this.isWhole) return;
    const [x, y] = this.#placing.wayTo(cell);
    if (x || y) this.#move(x, y);
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
    this.#slide.end();
    this.#sheet = this.#skin.sheet(this.#placing.cell);
    if (!this.#sheet) return; // everything is drawn when the skins have come and the frame has its size
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
    const samples = COLOURS.map(() => document.createElement("i"));
    probe.append(...samples);
    COLOURS.forEach((name, at) => (samples[at].style.color = `var(--${name})`));
    this.#frame.append(probe); // all at once: the styles are computed once, not for each colour
    COLOURS.forEach((name, at) => (this.#colours[name] = getComputedStyle(samples[at]).color));
    probe.remove();
  }

  #drawGround() {
    const ground = new Ground(this.level, this.#placing, this.#paints, { options: this.options, isGoal: this.#isGoal });
    ground.draw(this.#ground.getContext("2d"), this.#ground);
  }

  get #paints() {
    return { colours: this.#colours, sheet: this.#sheet };
  }

  #isGoal = (cell) => (this.#aims ? this.#aims.has(cell) : Boolean(this.level.cells[cell] & GOAL));

  /** Draw the cells on which something else is to be seen than what is drawn there. */
  #draw() {
    if (!this.#position || !this.#sheet) return;
    const seen = this.#seen();
    const pen = this.#things.getContext("2d");
    pen.save();
    pen.beginPath();
    pen.rect(this.#placing.ruler, this.#placing.ruler, this.#things.width, this.#things.height);
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
        if (squares[square] === CRATE) seen[cell] = this.#content(CRATE_HERE, cell);
        else if (square === man) seen[cell] = this.#content(MAN, cell);
      }
    }
    for (const cell of this.#away) seen[cell] = NOTHING;
    for (const [mark, cells] of this.#marks) for (const cell of cells) seen[cell] |= mark;
    for (const cell of this.#marks.get(REACH) ?? []) if (this.#isGoal(cell)) seen[cell] |= ON_GOAL;
    for (const [cell, number] of this.#numbers) if (seen[cell] & CRATE_HERE) seen[cell] |= number * NUMBERED;
    return seen;
  }

  /** *thing* on *cell*: whether that is a goal, and where the man looks. */
  #content(thing, cell) {
    const looks = thing === MAN ? this.turning.seen(this.#position.facing) * FACING : 0;
    return thing | (this.#isGoal(cell) ? ON_GOAL : 0) | looks;
  }

  #drawCell(pen, cell, content) {
    const { x, y, side } = this.areaOf(cell);
    if (x + side < 0 || y + side < 0 || x > this.#things.width || y > this.#things.height) return;
    pen.clearRect(x, y, side, side);
    if (content === NOTHING) return;
    pen.drawImage(this.#sprite(content % NUMBERED), x, y);
    if (content >= NUMBERED) drawNumber(pen, Math.floor(content / NUMBERED), { x, y, side }, this.#colours);
  }

  #sprite(content) {
    let sprite = this.#sprites.get(content);
    if (!sprite) {
      sprite = document.createElement("canvas");
      sprite.width = sprite.height = this.#placing.cell;
      drawThing(sprite.getContext("2d"), content, sprite.width, this.#paints);
      this.#sprites.set(content, sprite);
    }
    return sprite;
  }
}
