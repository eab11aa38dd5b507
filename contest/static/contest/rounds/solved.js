// What this browser has solved: marked in the lists, and sent under a nickname that it has proved, if its reader wants it.
// Sending twice, from here or from another device, does no harm: the same solution is the same result.

import { Store } from "../player/keep/store.js";

const PATIENCE_MS = 30_000;

for (const mark of document.querySelectorAll("[data-solved-here]")) {
  mark.hidden = !new Store(mark.dataset.solvedHere).best.moves;
}

/** The solutions kept here that are better than what the site knows of the tile's level. */
function unsent({ key, moves, pushes }) {
  const { best } = new Store(key);
  const found = new Set();
  if (best.moves && !(moves && Number(moves) <= best.moves.moves)) found.add(best.moves.lurd);
  if (best.pushes && !(pushes && Number(pushes) <= best.pushes.pushes)) found.add(best.pushes.lurd);
  return [...found];
}

/** Send one solution; false where nothing says that it was taken. */
async function sent(form, address, lurd) {
  const body = new URLSearchParams(new FormData(form));
  body.set("moves", lurd);
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" }, signal });
    return answer.status === 201;
  } catch {
    return false;
  }
}

for (const form of document.querySelectorAll("form[data-send-solved]")) {
  const waiting = [...document.querySelectorAll("[data-sends-to]")].flatMap(({ dataset }) =>
    unsent(dataset).map((lurd) => [dataset.sendsTo, lurd]));
  const [button, says] = [form.querySelector("button"), form.querySelector("[role=status]")];
  button.textContent = button.textContent.replace("{count}", waiting.length);
  form.hidden = !waiting.length;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    let taken = 0;
    for (const [address, lurd] of waiting) if (await sent(form, address, lurd)) taken += 1;
    says.textContent = form.dataset.taken.replace("{taken}", taken).replace("{count}", waiting.length);
    if (taken === waiting.length) location.reload();
    else button.disabled = false; // what was taken is not doubled when all are sent again
  });
}
