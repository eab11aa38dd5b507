// The drawing as text: in the field that can be edited, in forms to copy and share, and as a file.

import { PuzzleError } from "../player/rules/errors.js";
import { readOne } from "../player/rules/single.js";
import { cropped } from "./drawing.js";
import { fragmentOf } from "./link.js";

export class Texts {
  #sheet;
  #field;

  constructor(sheet) {
    this.#sheet = sheet;
    this.#field = sheet.form.elements.pasted;
    sheet.onChange((change) => change.isPainting || this.#show(change));
    this.#field.addEventListener("input", () => this.#type());
    sheet.find("[data-format]").addEventListener("change", () => this.#showCode(cropped(sheet.drawing)?.level));
  }

  #show({ isTyped }) {
    const level = cropped(this.#sheet.drawing)?.level;
    if (!isTyped) this.#field.value = level ? level.toString() : "";
    this.#field.removeAttribute("aria-invalid");
    this.#showCode(level);
  }

  #showCode(level) {
    const codes = {
      xsb: () => level.toString(),
      rle: () => level.runLengthText,
      mf8: () => level.mf8Text,
      sokoplayer: () => `${location.origin}/sokoplayer/?${level.sokoPlayerQuery}`,
      link: () => location.origin + location.pathname + fragmentOf(level),
    };
    const format = this.#sheet.find("[data-format]").value;
    const code = this.#sheet.find("[data-code]");
    code.dataset.code = format;
    code.value = level ? codes[format]() : "";
  }

  /** The text was changed by hand: draw it, or say why it is no board. */
  #type() {
    try {
      this.#sheet.make(readOne(this.#field.value), { isTyped: true });
      this.#sheet.say("nothing");
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      this.#field.setAttribute("aria-invalid", "true");
      this.#sheet.say(error.line === null ? "unreadable" : "unreadableAt", { line: error.line, column: error.column ?? 1 });
    }
  }

  download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${this.#field.value}\n`], { type: "text/plain" }));
    link.download = "level.xsb";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}
