// The list of moves beside the board, on a phone in the menu: each run leads to its end.

import { PUSH, toLetters } from "../rules/game.js";
import { momentAfter, runsAbout } from "../play/runs.js";

const MOST = 60; // runs on either side of the present one
const LONGEST = 200; // letters of a walk or of its pushes: of longer ones the end is shown

export class MoveList {
  #table;
  #place;
  #seek;
  #isWaiting = false;
  #runs = [];
  #rows = new Map(); // by what they say

  /** Fill *place*; *seek* goes to a moment. */
  constructor(table, place, seek) {
    this.#table = table;
    this.#place = place;
    this.#seek = seek;
    table.onChange(() => this.#ask());
    place.addEventListener("keydown", (event) => this.#onKey(event));
    new ResizeObserver(() => this.#ask()).observe(place); // it may come into sight
  }

  /** However fast steps follow each other, the list is made once for each picture of the screen, and behind it. */
  #ask() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => setTimeout(() => {
      this.#isWaiting = false;
      if (this.#place.clientHeight) this.#show();
    }));
  }

  #show() {
    const { play } = this.#table;
    const { at, length } = play;
    const hasFocus = this.#place.contains(document.activeElement);
    this.#runs = runsAbout({ at, length, most: MOST }, (from, to) => play.stepsBetween(from, to));
    this.#put(this.#runs.map((run) => this.#row(run)));
    let present = null;
    for (const [place, row] of [...this.#place.children].entries()) {
      const { from, to } = this.#runs[place];
      if (sign(row.firstChild, from < at && at <= to, from >= at)) present = row;
    }
    this.#place.scrollTop = present ? present.offsetTop - (this.#place.clientHeight - present.offsetHeight) / 2 : 0;
    const button = (present ?? this.#place.firstChild)?.firstChild;
    if (!button) return;
    button.tabIndex = 0; // one stop for Tab; from there arrows lead on
    if (hasFocus) button.focus({ preventScroll: true });
  }

  /** Let *rows* be what the list holds, and leave alone what stays. */
  #put(rows) {
    this.#rows = new Map(rows.map((row) => [row.dataset.run, row]));
    for (const row of [...this.#place.children]) if (this.#rows.get(row.dataset.run) !== row) row.remove();
    let next = this.#place.firstChild;
    for (const row of rows) {
      if (row === next) next = next.nextSibling;
      else this.#place.insertBefore(row, next);
    }
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

  /** The row of a run: the one that is there, where nothing of it has changed. */
  #row({ from, to, steps }) {
    const lines = this.#leaving(from, to);
    const first = steps.findIndex((step) => step & PUSH);
    const [walk, pushes] = first < 0 ? [written(steps), ""] : [written(steps.subarray(0, first)), written(steps.subarray(first))];
    const name = [from, walk, pushes, ...lines].join(" ");
    const known = this.#rows.get(name);
    if (known) return known;
    const row = document.createElement("li");
    row.dataset.run = name;
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    const moment = document.createElement("span");
    moment.className = "before";
    moment.textContent = from;
    const bold = document.createElement("b");
    bold.textContent = pushes;
    button.append(moment, " ", walk, bold, ...lines.map(markOf));
    button.addEventListener("click", () => this.#seek(to));
    row.append(button);
    return row;
  }

  /** The colours of the branches that leave in a run, behind its first step at the earliest. */
  #leaving(from, to) {
    const branches = this.#table.play.branches.all.reverse();
    return branches.flatMap(({ parent, at }, place) => {
      if (parent !== null || at > to || (at <= from && at > 0) || (at === 0 && from > 0)) return [];
      return [`line-${place % 3}`];
    });
  }
}

/** Show by a row's *button* whether the present moment is in its run or comes before it; return the first. */
function sign(button, isPresent, isAhead) {
  if (isPresent !== (button.ariaCurrent === "step")) button.ariaCurrent = isPresent ? "step" : null;
  if (!isPresent && button.tabIndex === 0) button.tabIndex = -1;
  button.classList.toggle("ahead", isAhead);
  return isPresent;
}

function written(steps) {
  return steps.length > LONGEST ? `…${toLetters(steps.subarray(-LONGEST))}` : toLetters(steps);
}

function markOf(line) {
  const mark = document.createElement("i");
  mark.className = line;
  return mark;
}
