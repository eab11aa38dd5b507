// Prepares for a lost network on the pages that lead to the game: registers the worker, saves the levels shown where that
// is wanted, and sends the solutions that wait.

import { keepForOffline, keeperOf, pathsOf } from "../player/keep/offline.js";
import { watchOutbox } from "../player/keep/outbox.js";
import { filled } from "../player/view/words.js";

/** The levels to save: those of a collection, or those whose boards are on this page. */
function wanted({ base, first, last }) {
  if (base) return pathsOf({ base, first: Number(first), last: Number(last) });
  return [...document.querySelectorAll(".tile > a.thumb")].map(({ pathname }) => pathname);
}

for (const root of document.querySelectorAll("[data-ready]")) {
  keepForOffline(root.dataset.worker);
  watchOutbox(root.querySelector("[data-outbox]"));
  const button = root.querySelector("button");
  if (!button || !navigator.serviceWorker) continue;
  const says = root.querySelector("[data-kept]");
  const paths = wanted(root.dataset);
  const keep = keeperOf(paths, (count) => {
    says.textContent = filled(says.dataset.kept, { count, all: paths.length });
    button.disabled = count < paths.length;
  });
  button.addEventListener("click", () => {
    button.disabled = true;
    keep();
  });
  button.parentElement.hidden = !paths.length;
}
