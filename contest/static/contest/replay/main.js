// Introduces a replay, its board or boards, and the page to each other.

import { drawn } from "../player/play/commands.js";
import { PUSH } from "../player/rules/game.js";
import { Level } from "../player/rules/level.js";
import { squareName } from "../player/rules/squares.js";
import { takeOver } from "../player/view/parts.js";
import { speaker } from "../player/view/words.js";
import { Coach } from "./coach.js";
import { actOf } from "./keys.js";
import { showParting, startDifference } from "./parting.js";
import { Projector } from "./projector.js";
import { pushAt } from "./pushlist.js";
import { load } from "./recording.js";
import { routes } from "./routes.js";
import { Screen } from "./screen.js";
import { tellRoutes, tellVisits } from "./telling.js";
import { partner } from "./together.js";
import { visits } from "./visits.js";

const SHARE_OF_SCREEN = 0.66;
const PUSHES_LISTED = 21;

class Replay {
  #own = null;
  #coach = null;
  #other = null;
  #visits = null;
  #routes = null;

  constructor(root) {
    this.root = root;
    this.level = Level.parse(root.dataset.level);
    this.words = speaker(root.querySelector("[data-words]").dataset);
    this.knobs = root.querySelector("[data-knobs]");
    this.screens = [...root.querySelectorAll("[data-board]")].map(
      (frame) => new Screen(frame, this.level, { tap: (cell) => this.#tap(cell) }),
    );
  }

  async start() {
    takeOver(this.root);
    this.root.addEventListener("click", ({ target }) => this.act(target.closest("[data-act]")?.dataset.act));
    this.root.addEventListener("keydown", (event) => this.#onKey(event));
    this.root.querySelector("[data-time]").addEventListener("input", ({ target }) => this.#seek(Number(target.value)));
    this.root.querySelector("[data-play-on]")?.addEventListener("click", ({ currentTarget }) => this.#carry(currentTarget));
    this.root.querySelector("[data-text]").addEventListener("toggle", () => this.#showPushes());
    this.knobs.addEventListener("submit", (event) => event.preventDefault());
    this.knobs.addEventListener("change", ({ target }) => this.#turnedKnob(target));
    document.addEventListener("visibilitychange", () => this.projector?.pause());
    window.addEventListener("resize", () => this.#size());
    this.#arrange();
    await this.#load();
  }

  async #load() {
    const { moves, otherMoves } = this.root.dataset;
    this.root.querySelector("[data-failed]").hidden = true;
    try {
      this.#own = await load(this.level, moves);
      this.#other = otherMoves ? await load(this.level, otherMoves) : null;
    } catch (error) {
      this.#say(error instanceof TypeError ? "notLoaded" : "notFitting");
      this.root.querySelector("[data-failed]").hidden = !(error instanceof TypeError);
      return;
    }
    this.projector = new Projector(this.#own, { show: () => this.#show(), stopped: () => this.#stopped() });
    this.projector.setSpeed(this.knobs.elements.speed.value);
    this.projector.seek(momentOf(location.hash));
    this.#coach = new Coach(this.root, this.level, this.#own, this.screens[0], (at) => this.#seek(at));
    this.#say("ready", { moves: this.#own.length, pushes: this.#own.pushes.length });
    this.#fillBoxes();
    for (const name of ["heat", "routes"]) this.#turnedKnob(this.knobs.elements[name]);
    if (this.#other) {
      showParting(this.root, this.#both(), this.words);
      startDifference(this.root, this.#both(), this.words, (at) => this.#seek(at));
    }
    this.root.dataset.state = "ready";
  }

  #both() {
    const { name, otherName } = this.root.dataset;
    return { level: this.level, own: this.#own, other: this.#other, name, otherName };
  }

  // Acts by name, from keys and buttons

  act(name) {
    if (!name) return;
    if (name === "again") this.#load();
    else if (!this.projector) return;
    else if (name in this.#acts) this.#acts[name]();
    else if (this.projector.act(name)) this.#acted();
    else for (const screen of this.screens) screen.act(name);
    this.#showPlaying();
  }

  #acts = {
    copy: () => this.#copy(),
    look: () => this.#look(),
    heat: () => this.#flip("heat"),
    routes: () => this.#flip("routes"),
    ghost: () => this.#next("view", 1, true),
    faster: () => this.#next("speed", 1),
    slower: () => this.#next("speed", -1),
  };

  #onKey(event) {
    if (!event.target.closest("[data-keys]")) return; // elsewhere arrows scroll the page
    if (["Enter", "Space"].includes(event.code) && event.target.closest("button")) return;
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    this.act(act);
  }

  #seek(at) {
    if (!this.projector) return;
    this.projector.seek(at);
    this.#acted();
    this.#showPlaying();
  }

  #acted() {
    if (this.projector.isPlaying) this.#say("playing");
    else this.#tellMoment();
  }

  #stopped() {
    this.#showPlaying();
    this.#tellMoment();
  }

  #showPlaying() {
    this.root.classList.toggle("playing", this.projector?.isPlaying ?? false);
  }

  // Knobs

  #flip(name) {
    const field = this.knobs.elements[name];
    field.checked = !field.checked;
    this.#turnedKnob(field);
  }

  /** Choose the next option of a knob, or the one before it; at its end stay there, or go round. */
  #next(name, step, isRound = false) {
    const field = this.knobs.elements[name];
    if (!field) return;
    const { length } = field.options;
    const wanted = field.selectedIndex + step;
    field.selectedIndex = isRound ? (wanted + length) % length : Math.min(Math.max(wanted, 0), length - 1);
    this.#turnedKnob(field);
  }

  #turnedKnob(field) {
    if (!this.projector) return;
    const turned = {
      speed: () => this.projector.setSpeed(field.value),
      at: () => field.value && this.#seek(Number(field.value)),
      view: () => this.#arrange(),
      by: () => this.#show(),
      heat: () => this.#showVisits(),
      routes: () => this.#showRoutes(),
      box: () => this.#showRoutes(),
    };
    turned[field.name]?.();
    this.#showTold();
  }

  get #isGhost() {
    return this.knobs.elements.view?.value === "ghost";
  }

  #arrange() {
    this.root.querySelector("[data-screens]").classList.toggle("ghost", this.#isGhost);
    this.#size();
    if (this.projector) this.#show();
  }

  #size() {
    for (const screen of this.screens) screen.size(SHARE_OF_SCREEN);
  }

  // Showing a moment

  #show() {
    const { at } = this.projector;
    const position = this.#own.seek(at);
    this.screens[0].show(position);
    if (this.#other) this.#showOther(at);
    this.#coach?.show(at);
    this.#count("at", at);
    this.#count("pushes", position.pushes);
    this.#count("home", `${position.home} / ${this.level.boxes.length}`);
    const bar = this.root.querySelector("[data-time]");
    bar.value = at;
    bar.setAttribute("aria-valuetext", `${at} / ${this.#own.length}`);
  }

  #showOther(at) {
    const there = this.#other.seek(partner(this.#own, this.#other, at, this.knobs.elements.by.value));
    this.screens[0].overlay.showGhost(this.#isGhost ? there : null);
    this.screens[1].show(there); // as a ghost it is not seen, but zoomed and turned with the other
    this.#count("own", `· ${at} · ${this.#own.pushesBy(at)}`);
    this.#count("other", `· ${there.moves} · ${there.pushes}`);
  }

  #count(name, value) {
    const place = this.root.querySelector(`[data-shows="${name}"]`);
    if (place) place.textContent = value;
  }

  /** Say what the last step did. */
  #tellMoment() {
    const { at } = this.projector;
    const { length, steps, pushes } = this.#own;
    if (at === 0) this.#say("atStart");
    else if (at === length) this.#say("atEnd", { moves: length, pushes: pushes.length });
    else if (steps[at - 1] & PUSH) this.#say("pushed", this.#pushWords(this.#own.pushesBy(at) - 1));
    else this.#say("walked", { at, square: this.#name(this.#own.seek(at).player) });
    this.#showPushes();
    if (!this.root.querySelector("[data-looked]").hidden) this.#look();
  }

  #pushWords(push) {
    const { moment, box, from, to } = pushAt(this.#own, push);
    return { at: moment, push: push + 1, box: box + 1, from: this.#name(from), to: this.#name(to) };
  }

  #look() {
    const place = this.root.querySelector("[data-looked]");
    place.hidden = false;
    place.textContent = drawn(this.level, this.#own.seek(this.projector.at)).join("\n");
  }

  /** List the pushes about this moment, each a button that leads to it. */
  #showPushes() {
    const list = this.root.querySelector("[data-pushes]");
    if (!this.projector || !this.root.querySelector("[data-text]").open) return;
    const made = this.#own.pushesBy(this.projector.at);
    const last = this.#own.pushes.length;
    const first = Math.max(0, Math.min(made - Math.ceil(PUSHES_LISTED / 2), last - PUSHES_LISTED));
    list.start = first + 1;
    const items = [];
    for (let push = first; push < Math.min(first + PUSHES_LISTED, last); push++) {
      const { at, box, from, to } = this.#pushWords(push);
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `${box}: ${from} → ${to}`;
      if (push === made - 1) button.setAttribute("aria-current", "step");
      button.addEventListener("click", () => this.#seek(at));
      const item = document.createElement("li");
      item.append(button);
      items.push(item);
    }
    list.replaceChildren(...items);
  }

  // Visits and routes

  #tap(cell) {
    if (cell === null || !this.projector) return;
    this.#visits ??= visits(this.#own);
    this.screens[0].frame.focus({ preventScroll: true });
    this.#say("visited", { square: this.#name(cell), count: this.#visits[cell] });
  }

  #showVisits() {
    if (this.knobs.elements.heat.checked) this.#visits ??= visits(this.#own);
    this.screens[0].overlay.showVisits(this.knobs.elements.heat.checked ? this.#visits : null);
  }

  #showRoutes() {
    const isShown = this.knobs.elements.routes.checked;
    this.knobs.querySelector("[data-box]").hidden = !isShown;
    this.screens[0].overlay.showRoutes(isShown ? this.#chosenRoutes() : []);
  }

  #chosenRoutes() {
    this.#routes ??= routes(this.#own).map((route, box) => ({ number: box + 1, ...route }));
    const wanted = Number(this.knobs.elements.box.value);
    return wanted ? [this.#routes[wanted - 1]] : this.#routes;
  }

  #fillBoxes() {
    const { box } = this.knobs.elements;
    this.level.boxes.forEach((cell, place) => box.add(new Option(`${place + 1} (${this.#name(cell)})`, place + 1)));
  }

  /** What the drawings say, in words. */
  #showTold() {
    const { heat, routes: isRouted } = this.knobs.elements;
    const told = this.root.querySelector("[data-told]");
    const lists = [];
    const name = (cell) => this.#name(cell);
    if (heat.checked) lists.push(tellVisits(this.#visits, this.words, name));
    if (isRouted.checked) lists.push(tellRoutes(this.#chosenRoutes(), this.words, name));
    told.replaceChildren(...lists.flat());
    told.hidden = !lists.length;
  }

  // Taking the moves away

  async #copy() {
    const letters = await (await fetch(this.root.dataset.moves)).text(); // the browser has them still
    try {
      await navigator.clipboard.writeText(letters);
    } catch {
      const field = document.createElement("textarea"); // no clipboard on plain http: select and copy the old way
      field.value = letters;
      this.root.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    this.#say("copied");
  }

  /** Lead to the player with the moves up to this moment made and the rest to be made again. */
  #carry(link) {
    const [, round, number] = /(\d+)\/replays\/(\d+)\.txt$/.exec(this.root.dataset.moves);
    link.hash = `replay=${round}-${number}&at=${this.#momentToPlayOn}`;
  }

  /** The moment shown; at the end, where nothing is left to play, the start. */
  get #momentToPlayOn() {
    const at = this.projector?.at ?? 0;
    return at === this.#own?.length ? 0 : at;
  }

  #say(key, values) {
    this.root.querySelector("[data-says]").textContent = this.words(key, values);
  }

  #name(cell) {
    return squareName(this.level, cell);
  }
}

/** The moment that a link to this page asks for, as "#at=123". */
function momentOf(hash) {
  return Number(/^#at=(\d{1,9})$/.exec(hash)?.[1] ?? 0);
}

for (const root of document.querySelectorAll("[data-replay]")) {
  if (root.querySelector("[data-board]")) new Replay(root).start();
}
