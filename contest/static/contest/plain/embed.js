// A level to play in somebody else's page. It keeps nothing and asks for nothing; a solution is sent on the site itself,
// in a window of its own, to which the link brings it behind a #.

import { takeOver } from "../player/view/parts.js";
import { speaker } from "../player/view/words.js";
import { PlainBoard } from "./board.js";

function start(root) {
  const words = speaker(root.querySelector("[data-words]").dataset);
  const card = root.querySelector("[data-solved]");
  takeOver(root);
  const board = new PlainBoard(root, root.dataset.level, {
    words,
    changed({ moves, pushes, isSolved }) {
      card.hidden = !isSolved;
      if (!isSolved) return;
      card.querySelector("[data-result]").textContent = words("solvedCounts", { moves, pushes });
      card.querySelector("[data-send]").href = `${root.dataset.page}#solution=${board.letters}`;
    },
  });
  root.dataset.state = "ready";
}

for (const root of document.querySelectorAll("[data-plain]")) start(root);
