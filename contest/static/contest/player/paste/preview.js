// The preview of a rank: asks the site for everybody's numbers and writes what they foretell.

import { boxesOf, previewed } from "./ranks.js";

const PATIENCE_MS = 10_000;
const FRESH_MS = 20_000;

const asked = new Map();

/** What is to be said of *result*, {moves, pushes}, by the numbers at *address*: see `previewed`. */
export async function foretell(address, result, nickname) {
  try {
    return previewed(await numbersAt(address), result, nickname);
  } catch {
    return [["noPreview", {}]];
  }
}

/** The two boxes by the numbers at *address*, see `boxesOf`; by new ones after a *verdict*. Null without an answer. */
export async function boxesAt(address, result, nickname, verdict) {
  try {
    return boxesOf(await numbersAt(address, Boolean(verdict)), result, nickname, verdict);
  } catch {
    return null;
  }
}

function numbersAt(address, isNew = false) {
  const known = asked.get(address);
  if (!isNew && known && Date.now() - known.at < FRESH_MS) return known.answer;
  const answer = fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) }).then((response) => {
    if (!response.ok) throw new Error(response.status);
    return response.json();
  });
  asked.set(address, { at: Date.now(), answer });
  answer.catch(() => asked.delete(address));
  return answer;
}

/** Write what was foretold into *place*, which has a list for it. */
export function showPreview(place, said, words) {
  const items = said.map(([key, values]) => {
    const item = document.createElement("li");
    item.textContent = words(key, values);
    return item;
  });
  place.querySelector("ul").replaceChildren(...items);
}
