// Sends a form with a solution to the site and waits for its verdict. A lost answer counts as not received, and sending
// again is safe: the same text under the same name keeps its key.

import { sha256 } from "../../rounds/sha256.js";
import { storage } from "../keep/settings.js";

const PATIENCE_MS = 30_000;
const EVERY_MS = 400; // between two questions for a verdict
const POLLS = 6; // then the server is asked to judge at once
const MOST_POLLS = 40;
const KEPT = "leitai.sending";

const asScript = () => ({ headers: { Accept: "application/json" }, signal: AbortSignal.timeout(PATIENCE_MS) });

/** Send *form*; return {receipt, isNew} or {errors}. Throw where no answer came. */
export async function sendForm(form, kept = storage()) {
  form.elements.idempotency_key.value = keyFor(form, kept);
  let answer = await post(form);
  if (answer.status === 403) { // the page is older than the session
    await renewToken(form);
    answer = await post(form);
  }
  const body = await answer.json();
  if (body.receipt) kept.removeItem(KEPT);
  return body;
}

function post(form) {
  return fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), ...asScript() });
}

/** The key of the text, name, level and purpose in *form*, which stays until the receipt has come, even over a reload. */
function keyFor({ action, elements }, kept) {
  const fields = ["nickname", "moves", "practice", "round", "slot"].map((name) => elements[name]?.value);
  const of = sha256([action, ...fields].join("\n"));
  try {
    const before = JSON.parse(kept.getItem(KEPT));
    if (before?.of === of) return before.key;
  } catch {
    // Damaged: a new key it is.
  }
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    kept.setItem(KEPT, JSON.stringify({ of, key }));
  } catch {
    // Full: then only this page knows it.
  }
  return key;
}

async function renewToken(form) {
  const page = await (await fetch(form.action, asScript())).text();
  const token = new DOMParser().parseFromString(page, "text/html").querySelector("[name=csrfmiddlewaretoken]");
  if (token) form.elements.csrfmiddlewaretoken.value = token.value;
}

/** Ask *receipt* for its verdict until there is one; null where none came in time: the receipt itself will show it. */
export async function verdictOf(receipt, pause = (time) => new Promise((goOn) => setTimeout(goOn, time))) {
  for (let asked = 1; asked <= MOST_POLLS; asked += 1) {
    const verdict = await verdictNow(asked > POLLS ? `${receipt}?wait=1` : receipt);
    if (verdict && !verdict.isPending) return verdict;
    await pause(EVERY_MS);
  }
  return null;
}

async function verdictNow(address) {
  try {
    const answer = await fetch(address, { cache: "no-store", ...asScript() });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null; // the network is away; the receipt stays valid
  }
}

/** When the round closes, as the answer at *numbers* says now; null where no answer comes. */
export async function closingTime(numbers) {
  try {
    const answer = await fetch(numbers, { cache: "no-cache", ...asScript() });
    return answer.headers.get("X-Closes-At");
  } catch {
    return null;
  }
}
