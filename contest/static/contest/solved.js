// Marks the levels of a list that were solved in this browser, for who has not sent anything under a nickname.

import { Store } from "./player/keep/store.js";

for (const mark of document.querySelectorAll("[data-solved-here]")) {
  mark.hidden = !new Store(mark.dataset.solvedHere).best.moves;
}
