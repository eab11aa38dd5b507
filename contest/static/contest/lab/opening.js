// What every page of the lab begins with: its facts, its words, and that it can be opened without a network.

import { keepForOffline } from "../player/keep/offline.js";
import { speaker } from "../player/view/words.js";

/** The facts that the page brings, and a function from a key and values to its sentences. */
export function opened(root) {
  const facts = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  keepForOffline(facts.worker);
  return { facts, words: speaker(facts.sentences) };
}
