// Push paths on any level: the blocks around the box that was pressed, the cells that join them, and where it can go.

import { Arena, CRATE, toSteps } from "../../player/rules/game.js";
import { PuzzleError } from "../../player/rules/errors.js";
import { readOne } from "../../player/rules/single.js";
import { pushRoutes } from "../../player/rules/paths.js";
import { troubleWords } from "../trouble.js";
import { blocksAround, cutCells } from "./blocks.js";
import { cellAt, draw } from "./board.js";

const COLOURS = 6;
const PACE = 120;

export class PathSection {
  constructor(root, words) {
    this.words = words;
    this.at = (name) => root.querySelector(`[data-${name}]`);
    this.board = this.at("board");
    this.at("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.load();
    });
    this.board.addEventListener("click", (event) => this.press(cellAt(this.board, this.position.arena.level, event)));
    this.at("choose").addEventListener("change", () => this.choose(Number(this.at("choose").value)));
    this.at("target").addEventListener("change", () => this.go(Number(this.at("target").value)));
    this.load();
  }

  load() {
    this.at("trouble").textContent = "";
    try {
      this.start = Arena.of(readOne(this.at("level").value)).start;
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      this.at("trouble").textContent = troubleWords(this.words, error);
      return;
    }
    this.become(this.start);
    if (this.boxes.length) this.choose(this.boxes[0]);
    else draw(this.board, this.position);
  }

  get boxes() {
    const { arena } = this.position;
    return [...arena.level.reach].filter((cell) => isBox(this.position, cell)).sort((one, other) => one - other);
  }

  become(position) {
    clearTimeout(this.timer);
    this.timer = 0; // but while a box is on its way
    this.position = position;
    this.box = null;
  }

  nameOf(cell) {
    const { width } = this.position.arena.level;
    return this.words("place", { row: Math.floor(cell / width) + 1, column: (cell % width) + 1 });
  }

  press(cell) {
    if (cell === null || this.timer) return;
    if (isBox(this.position, cell)) this.choose(cell);
    else if (this.routes?.has(cell)) this.go(cell);
  }

  choose(box) {
    this.box = box;
    this.routes = pushRoutes(this.position, box, "pushes");
    this.blocks = blocksAround(this.position, box);
    const cuts = cutCells(this.blocks);
    const shades = new Map();
    this.blocks.forEach((cells, block) => {
      for (const cell of cells) shades.set(cell, `block b${block % COLOURS}`);
    });
    for (const cell of cuts) shades.set(cell, "cut");
    shades.set(box, "lifted");
    draw(this.board, this.position, { shades, marks: this.routes.cells });
    this.options("choose", this.boxes, box);
    this.options("target", this.routes.cells, null);
    this.at("says").textContent = this.words("found", {
      box: this.nameOf(box),
      blocks: this.blocks.length,
      cuts: cuts.length,
      places: this.routes.cells.length,
    });
  }

  options(name, cells, chosen) {
    const options = cells.map((cell) => new Option(this.nameOf(cell), cell, false, cell === chosen));
    if (chosen === null) options.unshift(new Option(this.words("pick"), ""));
    this.at(name).replaceChildren(...options);
  }

  /** Push the box to *cell*, step by step. */
  go(cell) {
    if (!this.routes?.has(cell) || this.timer) return;
    const lurd = this.routes.path(cell);
    const said = this.words("way", { pushes: this.routes.pushes(cell), moves: lurd.length, lurd });
    const steps = toSteps(lurd);
    let at = 0;
    const go = () => {
      this.become(this.position.after(steps.subarray(at, at + 1)));
      draw(this.board, this.position);
      at++;
      if (at < steps.length) this.timer = setTimeout(go, PACE);
      else {
        this.choose(cell);
        this.at("says").textContent = `${said} ${this.at("says").textContent}`;
      }
    };
    go();
  }
}

function isBox({ arena, squares }, cell) {
  return squares[arena.square(cell)] === CRATE;
}
