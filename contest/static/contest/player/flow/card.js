// The card over a solved board: the boxes of both ranks, what became of the solution, and the main act.

import { boxesAt } from "../paste/preview.js";

const OFFERS = { submit: "offerSubmit", again: "offerAgain", practice: "offerPractice", wait: "sending", next: "offerNext" };

export class Card {
  #table;
  #shown = 0; // counts the states that were shown: boxes that come late belong to an older one

  constructor(table) {
    this.#table = table;
  }

  /** Show the state of *flow*. */
  show(flow) {
    const { root, words, facts } = this.#table;
    const { offer } = flow;
    for (const button of root.querySelectorAll("[data-offer]")) {
      if (offer) button.textContent = words(OFFERS[offer]);
    }
    const main = this.#table.find("[data-main]");
    main.hidden = !offer || offer === "next"; // then the link is the main act
    main.ariaDisabled = String(offer === "wait");
    this.#table.find("[data-enter]").hidden = !flow.mayEnter;
    const next = this.#table.find("[data-next]");
    next.hidden = !facts.next;
    next.classList.toggle("plain", offer !== "next");
    this.#table.find("[data-closed]").hidden = Boolean(flow.door);
    const panel = this.#table.find(".submit-here");
    if (panel) panel.hidden = offer !== "next" && (!flow.door || flow.at === "judged");
    this.#showFate(flow);
  }

  #showFate({ at, outcome }) {
    const place = this.#table.find("[data-fate]");
    const { kind, text } = this.#fateOf(at, outcome);
    place.hidden = !text;
    place.className = `fate ${kind}`;
    place.replaceChildren(text ?? "");
    if (!outcome.receipt || at !== "judged") return;
    const { receipt, verdict } = outcome;
    for (const [word, address] of [["receipt", receipt], ["coach", verdict?.coach && `${verdict.coach}#ask`]]) {
      if (!address) continue;
      const link = document.createElement("a");
      link.href = address;
      link.textContent = this.#table.words(word);
      place.append(word === "coach" ? " · " : " ", link);
    }
  }

  #fateOf(at, { verdict, reasons, isOffline }) {
    const { words } = this.#table;
    if (at === "lost") return { kind: "bad", text: words(isOffline ? "keptOffline" : "keptHere") };
    if (at === "refused") return { kind: "bad", text: Object.values(reasons).flat().join(" ") };
    if (at === "judging") return { kind: "", text: words("beingJudged") };
    if (at !== "judged") return { kind: "", text: "" };
    if (!verdict) return { kind: "", text: words("beingJudged") };
    if (!verdict.isAccepted) return { kind: "bad", text: verdict.sentence };
    if (verdict.unranked) return { kind: "", text: `${verdict.sentence} ${verdict.unranked}` };
    return { kind: "good", text: words(Object.values(verdict.ranks).some(Boolean) ? "accepted" : "acceptedWorse") };
  }

  /** Show both ranks of *result*: those foretold for *nickname*, or after the verdict its own. Nothing without *address*. */
  async showBoxes(address, result, nickname, verdict) {
    const shown = (this.#shown += 1);
    const place = this.#table.find("[data-ranks]");
    if (!address) place.hidden = true;
    await null; // a solution that is sent at once is not foretold
    if (!address || shown !== this.#shown) return;
    const boxes = await boxesAt(address, result, nickname, verdict);
    if (shown !== this.#shown) return;
    place.hidden = !boxes;
    for (const box of boxes ?? []) this.#fill(place.querySelector(`[data-rank=${box.metric}]`), box);
  }

  /** Leave the boxes as they are: boxes on their way come too late. */
  keepBoxes() {
    this.#shown += 1;
  }

  #fill(place, { rank, change, needs }) {
    const { words } = this.#table;
    place.querySelector("b").textContent = rank;
    const gained = place.querySelector("[data-change]");
    gained.textContent = change ? `▲ ${change}` : "";
    gained.ariaLabel = change ? words("ranksGained", { count: change }) : null;
    place.querySelector("[data-needs]").textContent = needs ? words(...needs) : "";
  }
}
