// A level from its moves.

import { Arena } from "../../player/rules/game.js";
import { PuzzleError } from "../../player/rules/errors.js";
import { troubleWords } from "../trouble.js";
import { draw } from "./board.js";
import { rebuilt } from "./rebuild.js";

export class RebuildSection {
  constructor(root, words, facts) {
    const at = (name) => root.querySelector(`[data-${name}]`);
    const rebuild = () => {
      at("trouble").textContent = "";
      try {
        const level = rebuilt(at("moves").value);
        draw(at("board"), Arena.of(level).start);
        at("text").textContent = String(level);
        at("link").href = `${facts.addresses.editor}#level=${level.compactText}`;
      } catch (error) {
        if (!(error instanceof PuzzleError)) throw error;
        at("trouble").textContent = troubleWords(words, error);
      }
    };
    at("form").addEventListener("submit", (event) => {
      event.preventDefault();
      rebuild();
    });
    rebuild();
  }
}
