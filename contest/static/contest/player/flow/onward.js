// Leads from a solved board to the next one: sends the solution in place, shows its verdict on the card, and goes on.

import { putOff } from "../keep/outbox.js";
import { now, whenPassed } from "../../shell/server-clock.js";
import { Card } from "./card.js";
import { Flow } from "./flow.js";
import { closingTime, sendForm, verdictOf } from "./sending.js";

const OF_THE_FORM = ["nickname", "claim", "country", "email"]; // errors that are mended in the form

export class Onward {
  #table;
  #drawer;
  #going;
  #flow;
  #card;
  #isOpen = true; // until the round closes under the open page

  /** *drawer* has the form, or is null where nothing is accepted; *going* puts the next level into the page. */
  constructor(table, drawer, going) {
    const { facts } = table;
    this.#table = table;
    this.#drawer = drawer;
    this.#going = going;
    this.#card = new Card(table);
    const hasName = Boolean(drawer && facts.player && facts.player === drawer.nickname);
    const door = drawer ? facts.door ?? "contest" : "";
    this.#flow = new Flow({ door, hasName, hasNext: Boolean(facts.next) }, () => this.#show());
    if (facts.closing) this.#awaitClose(facts.closing.at);
    drawer?.onName(() => this.#showBoxes());
  }

  get acts() {
    return { submit: () => this.act(), "open-form": () => this.#openForm(), next: () => this.#next() };
  }

  /** Whether the card is in sight and offers something that Enter may do. */
  get isOffered() {
    const { root } = this.#table;
    return !["", "wait"].includes(this.#flow.offer) && !root.classList.contains("card-away");
  }

  /** Show what can be done with the solution *letters* on the board, or that there is none (null). */
  show(letters, isNew) {
    this.#flow.show(letters);
    if (isNew && this.#sendsItself(letters)) this.#send();
  }

  /** In a library a solution that is a best of this browser is sent at once, unless the player has switched that off. */
  #sendsItself(letters) {
    const { settings, store } = this.#table;
    const bests = Object.values(store.best).map(({ lurd }) => lurd);
    return this.#flow.door === "library" && settings.autosend !== false && bests.includes(letters);
  }

  /** Do what the card offers; where nothing is solved, say so or offer the best that is kept. */
  act() {
    if (this.#flow.offer === "next") this.#next();
    else this.#table.say(...this.sendWords());
  }

  /** Send the solution, or open the form where no name is known; return the sentence about it. */
  sendWords() {
    const { store, lines } = this.#table;
    const { offer, door } = this.#flow;
    if (offer === "wait") return ["sending", {}];
    if (!this.#drawer || !door) return ["nothingTaken", {}];
    if (this.#send()) return ["sending", {}];
    if (this.#flow.at === "judged") return ["accepted", {}];
    const letters = lines.forward.isSolved ? lines.forward.letters : store.best.moves?.lurd;
    if (!letters) return ["notSolvedYet", {}];
    this.#drawer.open(letters, door);
    return ["drawerOpen", {}];
  }

  #openForm() {
    this.#drawer.open(this.#table.lines.forward.letters, this.#flow.door);
  }

  /** Send in place; false where that is not possible. */
  #send() {
    const sent = this.#flow.send();
    if (sent) this.#deliver(sent);
    return Boolean(sent);
  }

  async #deliver({ letters, door }) {
    const form = this.#drawer.filled(letters, door);
    let answer;
    try {
      answer = await sendForm(form);
    } catch {
      const waits = await putOff(form, this.#table.facts, form.elements.idempotency_key.value);
      this.#table.say(waits ? "waits" : "nothing"); // the card says the rest
      this.#flow.lost(letters, !navigator.onLine);
      return;
    }
    const { receipt, isNew, errors } = answer;
    if (errors) this.#refuse(letters, door, errors);
    else if (isNew) location.assign(receipt); // it shows the secret of the name
    else {
      this.#table.say("nothing");
      this.#flow.received(letters, receipt);
      this.#flow.judged(letters, await verdictOf(receipt));
    }
  }

  #refuse(letters, door, errors) {
    this.#flow.refused(letters, errors);
    if (this.#table.signal.aborted || !OF_THE_FORM.some((name) => name in errors)) return;
    this.#drawer.open(letters, door);
    this.#drawer.refuse(errors);
  }

  #next() {
    const { next } = this.#table.facts;
    if (next) this.#going.go(next);
    else this.#table.say("noNext");
  }

  /** Close at *at*, unless the round was extended after the page was opened. */
  #awaitClose(at) {
    const { facts, signal } = this.#table;
    const look = async () => {
      const closesAt = await closingTime(facts.numbers);
      if (signal.aborted) return;
      if (Date.parse(closesAt) > now()) {
        document.querySelector("h1 time").dateTime = closesAt; // live.js counts on
        this.#awaitClose(closesAt);
      } else this.#close(facts.closing.door);
    };
    whenPassed(at, look, signal);
  }

  /** The round has closed: what comes now is practice (rule 20.1), and the contest's ranks cannot be foretold any more. */
  #close(door) {
    const { facts, words } = this.#table;
    this.#isOpen = false;
    facts.numbers = facts.closing.numbers;
    const name = door ? "closedPractice" : "closedNow";
    this.#table.find("[data-title]").textContent = words(name);
    this.#table.say(name);
    this.#flow.close(door);
  }

  #show() {
    this.#card.show(this.#flow);
    this.#showBoxes();
    if (this.#flow.offer === "next") this.#going.prefetch(this.#table.facts.next);
  }

  #showBoxes() {
    const { facts, lines } = this.#table;
    const { at, outcome, door, offer } = this.#flow;
    if (offer === "wait") {
      this.#card.keepBoxes();
      return;
    }
    const { verdict } = outcome;
    const isRanked = at === "judged" ? verdict?.isAccepted && !verdict.unranked && outcome.door === door : this.#isOpen;
    const address = this.#drawer && at !== "playing" && isRanked ? facts.numbers : "";
    this.#card.showBoxes(address, lines.forward.position, this.#drawer?.nickname, verdict ?? undefined);
  }
}
