// The drawer from which a solution is sent. What is written in it stays until a receipt has come, and where none has
// come it says so: a lost answer counts as not received, and sending again is safe.

import { sha256 } from "../../rounds/sha256.js";
import { storage } from "../keep/settings.js";

const PATIENCE_MS = 30_000;
const KEPT = "leitai.sending";

export class Drawer {
  #drawer;
  #form;
  #words;
  #storage = storage();
  #received;

  /** *drawer* is the element with the form of the submit page in it; *words* says sentences; *received* hears of it. */
  constructor(drawer, words, received = () => {}) {
    this.#received = received;
    this.#drawer = drawer;
    this.#form = drawer.querySelector("form");
    this.#words = words;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
  }

  /** Open with *letters* to be sent. */
  open(letters) {
    if (letters) this.#form.elements.moves.value = letters;
    this.#drawer.hidden = false;
    this.#say("", "");
    const { nickname } = this.#form.elements;
    const next = nickname.value ? this.#form.querySelector("button:not([type=button])") : nickname;
    next.focus();
    this.#drawer.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.#drawer.hidden = true;
  }

  get nickname() {
    return this.#form.elements.nickname.value;
  }

  /** Call *heard* when another nickname is written. */
  onName(heard) {
    this.#form.elements.nickname.addEventListener("input", heard);
  }

  get isOpen() {
    return !this.#drawer.hidden;
  }

  async #send() {
    const button = this.#form.querySelector("button:not([type=button])");
    this.#showErrors({});
    this.#say("pending", this.#words("sending"));
    button.disabled = true;
    try {
      await this.#take(await this.#post());
    } catch {
      this.#say("lost", this.#words(navigator.onLine ? "notReceived" : "offline"));
    }
    button.disabled = false;
  }

  async #post() {
    this.#form.elements.idempotency_key.value = this.#key();
    const answer = await this.#try();
    if (answer.status !== 403) return answer;
    await this.#renewToken(); // the page is older than the session
    return this.#try();
  }

  #try() {
    return fetch(this.#form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(this.#form)),
      headers: { Accept: "application/json" },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  }

  async #take(answer) {
    const said = await answer.json();
    if (said.receipt) {
      this.#storage.removeItem(KEPT);
      this.#received();
      this.#say("done", this.#words("received"));
      location.assign(said.receipt);
      return;
    }
    this.#say("refused", this.#words("refused"));
    this.#showErrors(said.errors);
  }

  /** The same text under the same name keeps its key until its receipt has come, even over a reload. */
  #key() {
    const { nickname, moves } = this.#form.elements;
    const of = sha256(`${nickname.value}\n${moves.value}`);
    try {
      const kept = JSON.parse(this.#storage.getItem(KEPT));
      if (kept?.of === of) return kept.key;
    } catch {
      // Damaged: a new key it is.
    }
    const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    try {
      this.#storage.setItem(KEPT, JSON.stringify({ of, key }));
    } catch {
      // Full: then only this page knows it.
    }
    return key;
  }

  async #renewToken() {
    const page = await (await fetch(this.#form.action)).text();
    const token = new DOMParser().parseFromString(page, "text/html").querySelector("[name=csrfmiddlewaretoken]");
    if (token) this.#form.elements.csrfmiddlewaretoken.value = token.value;
  }

  #say(kind, words) {
    const place = this.#drawer.querySelector("[data-sent]");
    place.className = kind;
    place.textContent = words;
  }

  #showErrors(errors) {
    for (const old of this.#form.querySelectorAll("[data-error]")) old.remove();
    for (const [name, reasons] of Object.entries(errors)) {
      const field = this.#form.elements[name];
      const place = document.createElement("p");
      place.className = "error";
      place.dataset.error = name;
      place.setAttribute("role", "alert");
      place.textContent = reasons.join(" ");
      if (field && field.type !== "hidden") field.before(place);
      else this.#form.prepend(place);
    }
    for (const details of this.#form.querySelectorAll("details:has([data-error])")) details.open = true;
    this.#form.querySelector("[data-error] + *")?.focus();
  }
}
