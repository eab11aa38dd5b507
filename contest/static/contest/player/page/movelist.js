// The list of moves beside the board, on a phone in the menu: each run leads to its end.

import { PUSH, toLetters } from "../rules/game.js";
import { momentAfter, runsAbout } from "../play/runs.js";

const MOST = 60; // runs on either side of the present one

export class MoveList {
  #table;
  #place;
  #seek;
  #isWaiting = false;
  #runs = [];

  /** Fill *place*; *seek* goes to a moment. */
  constructor(table, place, seek) {
    this.#table = table;
    this.#place = place;
    this.#seek = seek;
    table.onChange(() => this.#ask());
    place.addEventListener("keydown", (event) => this.#onKey(event));
    new ResizeObserver(() => this.#ask()).observe(place); // it may come into sight
  }

  /** However fast steps follow each other, the list is made once for each picture of the screen. */
  #ask() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      if (this.#place.clientHeight) this.#show();
    });
  }

  #show() {
    const { play } = this.#table;
    const { at, length } = play;
    const hasFocus = this.#place.contains(document.activeElement);
    this.#runs = runsAbout({ at, length, most: MOST }, (from, to) => play.stepsBetween(from, to));
    const rows = this.#runs.map((run) => this.#row(run, at));
    this.#place.replaceChildren(...rows);
    const present = rows.find((row) => row.firstChild.ariaCurrent);
    this.#place.scrollTop = present ? present.offsetTop - (this.#place.clientHeight - present.offsetHeight) / 2 : 0;
    const button = (present ?? rows[0])?.firstChild;
    if (!button) return;
    button.tabIndex = 0; // one stop for Tab; from there arrows lead on
    if (hasFocus) button.focus({ preventScroll: true });
  }

  #onKey(event) {
    const isPlain = !event.ctrlKey && !event.altKey && !event.shiftKey && !event.metaKey;
    const { at, length } = this.#table.play;
    const moment = isPlain ? momentAfter(event.code, { runs: this.#runs, at, length }) : null;
    if (moment === null) return;
    event.preventDefault();
    event.stopPropagation(); // in the list they are not the game's
    this.#seek(moment);
  }

  #row({ from, to, steps }, at) {
    const row = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    const isPresent = from < at && at <= to;
    if (isPresent) button.ariaCurrent = "step";
    const moment = document.createElement("span");
    moment.className = "before";
    moment.textContent = from;
    const pushes = document.createElement("b");
    const first = steps.findIndex((step) => step & PUSH);
    const walk = first < 0 ? steps : steps.subarray(0, first);
    pushes.textContent = first < 0 ? "" : toLetters(steps.subarray(first));
    button.append(moment, " ", toLetters(walk), pushes);
    button.append(...this.#leaving(from, to));
    button.addEventListener("click", () => this.#seek(to));
    button.classList.toggle("ahead", from >= at);
    row.append(button);
    return row;
  }

  /** A mark in its colour for each branch that leaves in a run, behind its first step at the earliest. */
  #leaving(from, to) {
    const branches = this.#table.play.branches.all.reverse();
    return branches.flatMap(({ parent, at }, place) => {
      if (parent !== null || at > to || (at <= from && at > 0) || (at === 0 && from > 0)) return [];
      const mark = document.createElement("i");
      mark.className = `line-${place % 3}`;
      return [mark];
    });
  }
}
