// Where the solution of a replay loses: asks the site, follows its search, and shows the better way as a ghost.

import { toSteps } from "../player/rules/game.js";

const EVERY_MS = 700;

export class Coach {
  #section;
  #level;
  #own;
  #screen;
  #seek;
  #root;
  #chosen = null; // {start, stop, steps, path}
  #strips = [];

  /** Show in *root* where *own* on *level* loses, with ghosts on *screen*; *seek* goes to a moment of the replay. */
  constructor(root, level, own, screen, seek) {
    this.#root = root;
    this.#level = level;
    this.#own = own;
    this.#screen = screen;
    this.#seek = seek;
    this.#section = root.querySelector("[data-coach]");
    if (!this.#section) return;
    this.#section.addEventListener("click", (event) => this.#click(event));
    this.#section.addEventListener("submit", (event) => this.#submit(event));
    this.#arrived();
    if (location.hash === "#ask") this.#section.querySelector("[data-coach-ask] button")?.click();
  }

  /** Move the ghost to the moment *at*, or take it away outside the chosen stretch. */
  show(at) {
    if (!this.#chosen) return;
    const { start, stop, steps, path } = this.#chosen;
    const isInside = at >= start && at <= stop;
    const ghost = isInside ? this.#own.seek(start).after(steps.subarray(0, at - start)) : null;
    this.#screen.overlay.showGhost(ghost, path);
    if (!isInside) this.#choose(null);
  }

  #click(event) {
    const { target } = event;
    const stretch = target.closest("[data-stretch]");
    const seek = target.closest("[data-seek]");
    if (!stretch && !seek && !target.closest("[data-coach-open]")) return;
    event.preventDefault();
    if (stretch) this.#open(stretch);
    else if (seek) this.#seek(Number(seek.dataset.seek));
    else this.#begin();
  }

  #open(stretch) {
    const { start, stop, lurd, tells } = stretch.dataset;
    this.#choose(null);
    this.#seek(Number(start));
    this.#choose(stretch);
    this.#chosen = { start: Number(start), stop: Number(stop), steps: toSteps(lurd), path: this.#pathOf(Number(start), lurd) };
    this.show(Number(start));
    this.#root.querySelector("[data-says]").textContent = tells.trim();
    this.#root.querySelector("[data-screens]").scrollIntoView({ block: "nearest" });
  }

  #choose(stretch) {
    this.#chosen = null;
    this.#section.querySelector("[data-stretch][aria-current]")?.removeAttribute("aria-current");
    stretch?.setAttribute("aria-current", "true");
    for (const mark of this.#strips.flatMap((strip) => [...strip.querySelectorAll("rect")])) {
      mark.classList.toggle("chosen", mark.dataset.at === stretch?.dataset.start);
    }
  }

  /** The cells on which the man stands on the better way. */
  #pathOf(start, lurd) {
    const by = { l: -1, u: -this.#level.width, r: 1, d: this.#level.width };
    const cells = [this.#own.seek(start).player];
    for (const letter of lurd.toLowerCase()) cells.push(cells.at(-1) + by[letter]);
    return cells;
  }

  /** A press on a cost line means the nearest of its stretches. */
  #press(event, strip) {
    const { left } = strip.getBoundingClientRect();
    const distance = (mark) => {
      const area = mark.getBoundingClientRect();
      return Math.abs((area.left + area.right) / 2 - left - (event.clientX - left));
    };
    const [nearest] = [...strip.querySelectorAll("rect")].sort((one, other) => distance(one) - distance(other));
    this.#open(strip.stretches.find(({ dataset }) => dataset.start === nearest.dataset.at));
  }

  // The search

  /** On the page of a replay: ask at once, unless the site knows the answer or is looking for it. */
  async #begin() {
    await this.#ask();
    this.#section.querySelector("[data-coach-ask] button")?.click();
  }

  #submit(event) {
    const form = event.target.closest("[data-coach-form]");
    if (!form) return;
    event.preventDefault();
    this.#ask({ method: "POST", body: new FormData(form, event.submitter) });
  }

  async #ask(request = {}) {
    const failed = this.#section.querySelector("[data-coach-failed]");
    try {
      const answer = await fetch(`${this.#section.dataset.coach}?part=coach`, { cache: "no-store", ...request });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("[data-coach-part]");
      failed.hidden = Boolean(fresh);
      if (!fresh) return;
      this.#part.replaceWith(fresh);
      this.#arrived();
    } catch {
      failed.hidden = false; // no network for a moment: a search that has begun goes on
      this.#lookAgain();
    }
  }

  get #part() {
    return this.#section.querySelector("[data-coach-part]");
  }

  /** Put the cost lines of a new answer under the time bar, or look again while there is none. */
  #arrived() {
    for (const strip of this.#strips) strip.remove();
    this.#strips = [...this.#part.querySelectorAll("[data-cost]")];
    const bar = this.#root.querySelector(".time-bar");
    for (const strip of this.#strips) {
      strip.stretches = [...strip.nextElementSibling.querySelectorAll("[data-stretch]")];
      strip.addEventListener("click", (event) => this.#press(event, strip));
    }
    bar.append(...this.#strips);
    const isOpen = Boolean(this.#part.children.length);
    this.#section.querySelector("[data-coach-open]")?.toggleAttribute("hidden", isOpen);
    this.#section.querySelector("[data-coach-title]")?.toggleAttribute("hidden", !isOpen);
    for (const link of this.#part.querySelectorAll("[data-unscripted]")) link.hidden = true;
    this.#lookAgain();
  }

  #lookAgain() {
    if (this.#part.hasAttribute("data-busy")) setTimeout(() => this.#ask(), EVERY_MS);
  }
}
