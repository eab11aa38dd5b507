// The page on which levels are drawn: introduces the drawing, the board, the hands and the words to each other.

import { storage } from "../player/keep/settings.js";
import { takeOver } from "../player/view/parts.js";
import { speaker } from "../player/view/words.js";
import { Board } from "./board.js";
import { Strokes, cropped, fits, room } from "./drawing.js";
import { Findings } from "./findings.js";
import { Hands } from "./hands.js";
import { firstDrawing, keep, openLink } from "./keeping.js";
import { FromPicture } from "./picture/section.js";
import { Sheet } from "./sheet.js";
import { Texts } from "./texts.js";

function start(form) {
  takeOver(form);
  const sentences = form.querySelector("[data-words]").dataset;
  const kept = storage();
  const strokes = new Strokes(firstDrawing(form.elements.pasted.value, kept));
  const sheet = new Sheet({ form, words: speaker(sentences), strokes });
  openLink(sheet);
  const board = new Board(sheet);
  const texts = new Texts(sheet);
  new Findings(sheet, board, JSON.parse(sentences.problems));
  new Hands(sheet, board);
  new FromPicture(sheet, form.querySelector("[data-picture]"));
  keep(sheet, kept);
  sheet.onChange(() => enable(sheet));
  listen(sheet, texts);
  sheet.refresh();
  // What was asked for stands below the board, which has its size only now.
  window.addEventListener("load", () => form.querySelector("[autofocus]")?.scrollIntoView());
}

function listen(sheet, texts) {
  const acts = {
    undo: () => sheet.step("undo"),
    redo: () => sheet.step("redo"),
    crop: () => sheet.make(cropped(sheet.drawing)?.level),
    turn: () => sheet.make(sheet.drawing.transformed(1)),
    mirror: () => sheet.make(sheet.drawing.transformed(4)),
    clear: () => sheet.make(room(sheet.drawing.width, sheet.drawing.height)),
    save: () => texts.download(),
  };
  sheet.form.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-act], [data-tool]");
    if (!button) return;
    if (button.dataset.tool) return sheet.take(button.dataset.tool);
    const [way, side] = button.dataset.act.split("-");
    if (side) sheet.resize(side, way === "more" ? 1 : -1);
    else acts[way]();
  });
  sheet.find("[data-symmetry]").addEventListener("change", ({ target }) => {
    sheet.symmetry = target.value;
  });
  window.addEventListener("hashchange", () => {
    openLink(sheet);
    sheet.refresh();
  });
}

/** Let only those controls be used that would do something. */
function enable({ form, strokes, drawing, tool }) {
  form.querySelector('[data-act="undo"]').disabled = !strokes.canUndo;
  form.querySelector('[data-act="redo"]').disabled = !strokes.canRedo;
  for (const option of form.querySelectorAll("[data-symmetry] option")) option.disabled = !fits(option.value, drawing);
  for (const button of form.querySelectorAll("[data-tool]")) {
    button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
  }
}

const form = document.querySelector("form[data-editor]");
if (form) start(form);
