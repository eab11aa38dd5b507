// A level from a picture of it, all of it in this browser: the picture comes by pasting, dropping or choosing, the grid is
// laid over it, cells that look alike get their names, and the level is drawn in the editor at once.

import { Level } from "../../player/rules/level.js";
import { LEAST, MOST } from "../drawing.js";
import { Frame } from "./frame.js";
import { findGrid, looksOf } from "./grid.js";
import { TOLERANCE, grouped } from "./groups.js";
import { Names } from "./names.js";
import { cellsOf, corrected, guess } from "./naming.js";
import { Pixels } from "./pixels.js";

const MOST_PIXELS = 6_000_000; // a larger picture is made smaller
const FIRST_COLUMNS = 10; // where no grid is found
const MOST_KINDS = 60; // beyond which the grid cannot be right

export class FromPicture {
  #sheet;
  #root;
  #frame;
  #names;
  #pixels = null;
  #grid;
  #found; // {groups, of}
  #drawn = null; // the drawing that the names made, before it was corrected by hand

  constructor(sheet, root) {
    this.#sheet = sheet;
    this.#root = root;
    this.#frame = new Frame(root.querySelector("[data-picture-frame]"), {
      onGrid: (grid) => this.#lay(grid),
      onArea: (area) => this.#find(area),
    });
    this.#names = new Names(root, sheet.words, () => this.#draw());
    this.#listen();
  }

  get #fields() {
    return this.#root.querySelectorAll("[data-grid]");
  }

  get #tolerance() {
    return Number(this.#root.querySelector("[data-tolerance]").value);
  }

  #say(key, values) {
    this.#root.querySelector("[data-picture-says]").textContent = this.#sheet.words(key, values);
  }

  #listen() {
    const root = this.#root;
    document.addEventListener("paste", (event) => {
      const isText = event.target.closest?.("input, textarea") && event.clipboardData.getData("text/plain");
      if (!isText) this.#takeFrom(event, event.clipboardData);
    });
    document.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
    document.addEventListener("drop", (event) => this.#takeFrom(event, event.dataTransfer));
    root.querySelector("[data-picture-file]").addEventListener("change", ({ target }) => {
      if (target.files.length) this.#take(target.files[0]);
      target.value = ""; // the same file may be chosen again
    });
    root.querySelector("[data-find-grid]").addEventListener("click", () => this.#find());
    for (const field of this.#fields) field.addEventListener("input", () => this.#type());
    const tolerance = root.querySelector("[data-tolerance]");
    tolerance.value = TOLERANCE;
    tolerance.addEventListener("input", () => this.#group());
  }

  #takeFrom(event, brought) {
    const file = [...(brought?.files ?? [])].find(({ type }) => type.startsWith("image/"));
    if (!file) return;
    event.preventDefault();
    this.#take(file);
  }

  async #take(file) {
    this.#root.open = true;
    try {
      const picture = await createImageBitmap(file);
      const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (picture.width * picture.height)));
      const data = this.#frame.show(picture, scale);
      picture.close();
      this.#pixels = new Pixels(data);
    } catch {
      this.#say("noPicture");
      return;
    }
    this.#root.querySelector("[data-picture-work]").hidden = false;
    this.#drawn = null;
    this.#find();
  }

  /** Look for the grid in *area*, or everywhere; the page first says so, for a large picture takes a second. */
  #find(area) {
    this.#say("looking");
    setTimeout(() => {
      const grid = findGrid(area ? this.#pixels.part(area) : this.#pixels);
      if (grid && area) Object.assign(grid, { left: grid.left + area.left, top: grid.top + area.top });
      this.#lay(grid ?? this.#anyGrid(area));
      if (!grid) this.#say("noGrid");
    }, 20);
  }

  #anyGrid(area = { left: 0, top: 0, width: this.#pixels.width, height: this.#pixels.height }) {
    const size = Math.max(4, Math.min(area.width, area.height) / FIRST_COLUMNS);
    const fitting = (side) => Math.min(Math.max(Math.round(side / size), LEAST), MOST);
    return { left: area.left, top: area.top, size, columns: fitting(area.width), rows: fitting(area.height) };
  }

  /** Cut the picture at *grid*. */
  #lay(grid) {
    this.#grid = grid;
    for (const field of this.#fields) field.value = Math.round(grid[field.dataset.grid] * 100) / 100;
    this.#frame.lay(grid);
    this.#drawn = null;
    this.#group();
  }

  #type() {
    const typed = Object.fromEntries([...this.#fields].map((field) => [field.dataset.grid, field.valueAsNumber]));
    if ([...this.#fields].some((field) => !field.validity.valid || Number.isNaN(field.valueAsNumber))) {
      this.#say("wrongGrid");
      return;
    }
    this.#lay(typed);
  }

  #group() {
    const found = grouped(looksOf(this.#pixels, this.#grid), this.#tolerance);
    const { columns, rows } = this.#grid;
    if (found.groups.length > MOST_KINDS) {
      this.#names.clear();
      this.#say("tooManyKinds", { kinds: found.groups.length });
      return;
    }
    this.#found = found;
    this.#names.show(this.#frame, this.#grid, found, guess(found, columns));
    this.#say("gridLaid", { columns, rows, kinds: found.groups.length });
    this.#draw();
  }

  /** Draw the level in the editor; what was corrected there by hand since the last time stays. */
  #draw() {
    const { columns, rows } = this.#grid;
    const drawn = new Level(columns, rows, cellsOf(this.#found.of, this.#names.chosen));
    this.#sheet.bring(corrected(drawn, this.#drawn, this.#sheet.drawing));
    this.#drawn = drawn;
  }
}
