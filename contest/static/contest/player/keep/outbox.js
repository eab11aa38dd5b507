// Solutions in practice and to levels of collections that wait for a network, in IndexedDB. Each has a key by which the
// server knows it again, so that one whose answer got lost is not stored twice. Only one window sends at a time.

import { filled } from "../view/words.js";
import { readDeep, writeDeep } from "./deep.js";

const OUTBOX = "outbox";
const PUT_OFF = "leitai:put-off"; // an event of the window
const PATIENCE_MS = 30_000;
const PAUSE_MS = 60_000; // until what got no answer is sent again
const LATER = [403, 408, 425, 429]; // of 4xx: the answer of another moment may be different

const alone = (work, name = "leitai.outbox") => (navigator.locks ? navigator.locks.request(name, work) : work());

/** The solutions that wait: {page, address, name, fields, refused}; *refused* says why the server did not take it. */
export async function waiting() {
  return (await readDeep(OUTBOX)) ?? [];
}

/**
 * Let the solution in *form*, to the level that *facts* describe, wait; return whether it does. One for a contest does not:
 * it would miss its deadline. The same solution under the same nickname waits once, under its first key, or the *key* under
 * which it was sent: it may have been received.
 */
export async function putOff(form, facts, key = crypto.randomUUID()) {
  const fields = Object.fromEntries(new FormData(form));
  if ((facts.door !== "library" && fields.practice !== "True") || !form.reportValidity()) return false;
  delete fields.csrfmiddlewaretoken; // of a page that may be weeks old
  const address = new URL(form.action).pathname;
  const isSame = (other) =>
    other.address === address && ["moves", "nickname", "round", "slot"].every((field) => other.fields[field] === fields[field]);
  try {
    await change((all) => {
      const before = all.find(isSame);
      fields.idempotency_key = before ? keyOf(before) : key;
      return [...all.filter((other) => other !== before), { page: location.pathname, address, name: facts.name, fields }];
    });
  } catch {
    return false; // a browser that keeps nothing
  }
  dispatchEvent(new Event(PUT_OFF));
  return true;
}

/** Forget the solution with this key. */
export const discard = (key) => change((all) => all.filter((entry) => keyOf(entry) !== key));

const keyOf = ({ fields }) => fields.idempotency_key;

const change = (how) => alone(async () => writeDeep(OUTBOX, how(await waiting())));

/** Send everything that waits. Return the receipts: {name, address}. Meanwhile others may be put off. */
export function sendWaiting() {
  return alone(async () => {
    const receipts = [];
    for (const entry of (await waiting()).filter(({ refused }) => !refused)) {
      const answer = await sent(entry);
      if (!answer) continue; // no network, or a server that cannot answer now
      if (answer.receipt) receipts.push({ name: entry.name, address: answer.receipt });
      const left = answer.receipt ? [] : [{ ...entry, refused: reasonsOf(answer) }];
      await change((all) => all.flatMap((other) => (keyOf(other) === keyOf(entry) ? left : other)));
    }
    return receipts;
  }, "leitai.outbox.sending");
}

const reasonsOf = ({ errors = {} }) => Object.values(errors).flat().join(" ");

/** The server's answer to *entry*, or null where it may be asked again later. */
async function sent({ page, address, fields }) {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const body = new URLSearchParams({ ...fields, csrfmiddlewaretoken: await tokenOf(page, signal) });
    const answer = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" }, signal });
    return answer.status >= 500 || LATER.includes(answer.status) ? null : await answer.json();
  } catch {
    return null;
  }
}

async function tokenOf(page, signal) {
  const text = await (await fetch(page, { cache: "no-store", signal })).text();
  return new DOMParser().parseFromString(text, "text/html").querySelector("[name=csrfmiddlewaretoken]").value;
}

/**
 * Send what waits now, whenever the network is back and when more waits, and say so in *place*, which brings the words,
 * until *signal* ends it.
 */
export function watchOutbox(place, signal) {
  const receipts = [];
  let timer = 0;
  const tell = async () => {
    const all = await waiting();
    const lines = [
      ...receipts.map(({ name, address }) => [filled(place.dataset.received, { name }), link(address)]),
      ...all.map((entry) => [filled(place.dataset[entry.refused ? "refused" : "waits"], entry), button(place, entry, tell)]),
    ];
    place.replaceChildren(...lines.map(paragraph));
    place.hidden = !lines.length;
    for (const opener of place.querySelectorAll("a")) opener.textContent = place.dataset.receipt;
  };
  const send = async () => {
    try {
      if (navigator.onLine) receipts.push(...(await sendWaiting()));
      await tell();
      clearTimeout(timer); // the network may be back for a part of the way only
      if (navigator.onLine && (await waiting()).some(({ refused }) => !refused)) timer = setTimeout(send, PAUSE_MS);
    } catch {
      // A browser that keeps nothing has nothing to send.
    }
  };
  signal?.addEventListener("abort", () => clearTimeout(timer));
  for (const kind of ["online", PUT_OFF]) addEventListener(kind, send, { signal });
  send();
}

function paragraph(parts) {
  const line = document.createElement("p");
  line.append(...parts.flatMap((part) => [part, " "]));
  return line;
}

function link(address) {
  const made = document.createElement("a");
  made.href = address;
  return made;
}

function button(place, entry, then) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "link";
  made.textContent = place.dataset.discard;
  made.addEventListener("click", () => discard(keyOf(entry)).then(then));
  return made;
}
