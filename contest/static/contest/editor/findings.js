// What is said of the drawing beside it: its size, what the level check finds, and how many pushes it takes at least.

import { squareName } from "../player/rules/squares.js";
import { filled } from "../player/view/words.js";
import { leastPushes } from "./bound.js";
import { cropped } from "./drawing.js";
import { faults } from "./gate.js";

const MOST_NAMED = 6; // cells of one problem

export class Findings {
  #sheet;
  #board;
  #problems;

  /** *problems* are the sentences of problems by their codes. */
  constructor(sheet, board, problems) {
    this.#sheet = sheet;
    this.#board = board;
    this.#problems = problems;
    sheet.onChange(({ isPainting }) => isPainting || this.#show());
  }

  #show() {
    const { drawing, words } = this.#sheet;
    const found = cropped(drawing);
    const problems = found ? faults(found.level) : [];
    const onBoard = (cell) =>
      (Math.floor(cell / found.level.width) + found.top) * drawing.width + (cell % found.level.width) + found.left;
    this.#sheet.find("[data-problem-list]").replaceChildren(...problems.map((problem) => this.#item(problem, found.level)));
    this.#board.markWrong(problems.flatMap(({ cells }) => cells.map(onBoard)));
    const errors = problems.filter(({ isWarning }) => !isWarning).length;
    const least = found && leastPushes(found.level);
    const sound = !found ? "nothingDrawn" : errors ? "hasErrors" : least === Infinity ? "noWay"
      : problems.length ? "hasWarnings" : "isSound";
    const verdict = this.#sheet.find("[data-verdict]");
    verdict.textContent = words(sound, { count: errors || problems.length });
    verdict.className = sound === "isSound" ? "sound" : "";
    this.#showCounts(found?.level);
    this.#showBound(least);
  }

  #item({ code, values, cells, isWarning }, level) {
    const item = document.createElement("li");
    const names = cells.slice(0, MOST_NAMED).map((cell) => squareName(level, cell)).join(", ");
    const more = cells.length > MOST_NAMED ? " …" : "";
    item.textContent = filled(this.#problems[code] ?? code, values) + (names ? ` (${names}${more})` : "");
    item.className = isWarning ? "warning" : "error";
    return item;
  }

  #showCounts(level) {
    const shown = { width: level?.width ?? 0, height: level?.height ?? 0, boxes: level?.boxes.length ?? 0, goals: level?.goals.length ?? 0 };
    this.#sheet.find("[data-size]").textContent = this.#sheet.words("counts", shown);
  }

  #showBound(least) {
    const isKnown = least !== undefined && least !== null && least !== Infinity;
    this.#sheet.find("[data-bound]").textContent = this.#sheet.words(isKnown ? "leastPushes" : "nothing", { pushes: least });
  }
}
