// The form from which a solution is sent: under a first name, or as pasted text. What is written in it stays until a
// receipt has come, and where none has come it says so.

import { sendForm } from "../flow/sending.js";
import { putOff } from "../keep/outbox.js";

export class Drawer {
  #drawer;
  #form;
  #words;
  #received;
  #facts;

  /**
   * *drawer* is the element with the form of the submit page in it; *words* says sentences; *received* hears of it; *facts*
   * describe the level, if only solutions to one are sent: then those that may wait do so where no answer comes.
   */
  constructor(drawer, words, { received = () => {}, facts = null } = {}) {
    this.#received = received;
    this.#facts = facts;
    this.#drawer = drawer;
    this.#form = drawer.querySelector("form");
    this.#words = words;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
  }

  /** Open with *letters* to be sent through *door*. */
  open(letters, door) {
    if (letters) this.filled(letters, door);
    const hint = this.#drawer.querySelector("[data-practice]");
    if (hint) hint.hidden = door !== "practice";
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

  /** The form, with *letters* to be sent through *door*: as practice (rule 20.1) where that is "practice". */
  filled(letters, door) {
    const { moves, practice } = this.#form.elements;
    moves.value = letters;
    if (door && practice) practice.value = door === "practice" ? "True" : "";
    return this.#form;
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
      this.#take(await sendForm(this.#form));
    } catch {
      const { value: key } = this.#form.elements.idempotency_key;
      const waits = this.#facts && (await putOff(this.#form, this.#facts, key));
      const name = waits ? "waits" : navigator.onLine ? "notReceived" : "offline";
      this.#say(waits ? "pending" : "lost", this.#words(name));
    }
    button.disabled = false;
  }

  #take({ receipt, errors }) {
    if (receipt) {
      this.#received();
      this.#say("done", this.#words("received"));
      location.assign(receipt);
    } else this.refuse(errors);
  }

  /** Show the *errors* by field beside the fields. */
  refuse(errors) {
    this.#say("refused", this.#words("refused"));
    this.#showErrors(errors);
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
