// The page of Klotski: which layout, which game, the moves made so far, and the best that is left.

import { Layout, isAnswered, layoutAfter, moveText, question, square } from "./klotski.js";
import { solve } from "./klotski-search.js";
import { KlotskiView } from "./klotski-view.js";
import { speaker } from "../player/view/words.js";

const PACE = 350; // milliseconds a move of a solution that is played

class Page {
  constructor(root) {
    this.root = root;
    const facts = JSON.parse(root.querySelector("script[type='application/json']").textContent);
    this.classics = facts.classics;
    this.words = speaker(facts.sentences);
    this.at = (name) => root.querySelector(`[data-${name}]`);
    this.view = new KlotskiView(root.querySelector("svg"), {
      onMove: (start, stop) => this.move(start, stop),
      onChoose: (piece, stops) => this.sayChosen(piece, stops),
      nameOf: ({ kind }) => this.words(kind),
    });
    for (const button of root.querySelectorAll("[data-do]")) button.addEventListener("click", () => this[button.dataset.do]());
    this.at("layout").addEventListener("change", () => this.load(Layout.parse(this.at("layout").value)));
    this.at("goal").addEventListener("change", () => this.load(this.start));
    this.at("strict").addEventListener("change", () => this.load(this.start));
    this.at("own").addEventListener("submit", (event) => this.loadOwn(event));
    for (const part of root.querySelectorAll("[data-scripted]")) part.hidden = false;
    this.fromLink();
    window.addEventListener("hashchange", () => this.fromLink());
  }

  get goal() {
    return this.at("goal").value;
  }

  get isStrict() {
    return this.goal !== "exit" && this.at("strict").checked;
  }

  get here() {
    return this.layouts[this.place];
  }

  // What is played

  fromLink() {
    const [cells, goal, strict] = decodeURIComponent(location.hash.slice(1)).split("-to-").flatMap((part) => part.split("~"));
    if (goal && [...this.at("goal").options].some(({ value }) => value === goal)) this.at("goal").value = goal;
    this.at("strict").checked = strict === "strict";
    try {
      this.load(Layout.parse(cells || this.at("layout").value));
    } catch {
      this.load(Layout.parse(this.at("layout").value));
    }
  }

  load(layout) {
    this.stop();
    this.start = this.goal === "exit" ? layout : layout.named();
    this.question = question(this.start, this.goal, { isStrict: this.isStrict });
    this.layouts = [this.start];
    this.moves = [];
    this.place = 0;
    const known = this.classics.find(({ cells }) => cells === layout.cells);
    if (known) this.at("layout").value = known.cells;
    else this.at("layout").selectedIndex = -1;
    this.at("strict-field").hidden = this.goal === "exit";
    this.view.forget();
    this.best = this.isStrict ? undefined : solve(this.start, this.goal)?.length ?? null;
    this.show();
    this.say(this.goal);
  }

  loadOwn(event) {
    event.preventDefault();
    const trouble = this.at("own-trouble");
    trouble.textContent = "";
    try {
      this.load(Layout.parse(this.at("own-text").value));
    } catch (error) {
      trouble.textContent = this.words("badLayout");
    }
  }

  move(start, stop) {
    this.stop();
    this.step({ start, stop, path: "" });
    const moved = this.here.pieceAt(stop);
    this.say("moved", { piece: this.words(moved.kind), square: square(stop) });
    this.tellEnd();
  }

  step(move) {
    this.layouts.length = this.place + 1;
    this.moves.length = this.place;
    this.layouts.push(layoutAfter(this.here, move));
    this.moves.push(move);
    this.place++;
    this.show();
  }

  tellEnd() {
    if (!isAnswered(this.question, this.here)) return;
    const words = this.words(this.goal === "exit" ? "out" : "mirrored", { moves: this.place });
    this.at("says").textContent = this.place === this.best ? `${words} ${this.words("perfect")}` : words;
    this.at("says").classList.add("won");
  }

  // What the buttons do

  undo() {
    this.stop();
    if (this.place === 0) return;
    this.place--;
    this.view.forget();
    this.show();
    this.say(this.goal);
  }

  redo() {
    this.stop();
    if (this.place === this.moves.length) return;
    this.place++;
    this.view.forget();
    this.show();
    this.tellEnd();
  }

  restart() {
    this.load(this.start);
  }

  hint() {
    this.stop();
    const way = this.wayOn();
    if (way?.length) this.view.hint(way[0]);
  }

  play() {
    if (this.timer) {
      this.stop();
      return;
    }
    const way = this.wayOn();
    if (!way?.length) return;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.root.classList.add("playing");
    this.timer = setInterval(() => {
      this.step(way.shift());
      if (way.length) return;
      this.stop();
      this.tellEnd();
    }, isStill ? PACE * 3 : PACE);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.root.classList.remove("playing");
  }

  async share() {
    const strict = this.isStrict ? "~strict" : "";
    history.replaceState(null, "", `#${this.start.cells}-to-${this.goal}${strict}`);
    await navigator.clipboard?.writeText(location.href);
    this.say("copied");
  }

  /** A shortest way from here, said with its length; nothing in a strict game, where names make it long work. */
  wayOn() {
    const target = this.goal === "exit" ? "exit" : this.question.target;
    const way = solve(this.here, target);
    if (way === null) this.say("unsolvable");
    else this.say("left", { moves: way.length });
    return way;
  }

  // What is shown

  show() {
    this.view.show(this.here, { names: this.isStrict });
    const steps = [this.words("steps", { moves: this.place })];
    if (Number.isInteger(this.best)) steps.push(this.words("best", { moves: this.best }));
    if (this.best === null) steps.push(this.words("unsolvable"));
    this.at("count").textContent = steps.join(" · ");
    this.at("says").classList.remove("won");
    this.at("log").textContent = this.moves.slice(0, this.place).map(moveText).join(" ");
    for (const name of ["hint", "play"]) this.root.querySelector(`[data-do=${name}]`).disabled = this.isStrict;
  }

  say(key, values) {
    this.at("says").classList.remove("won");
    this.at("says").textContent = this.words(key, values);
  }

  sayChosen({ kind }, stops) {
    const piece = this.words(kind);
    if (stops.length) this.say("picked", { piece, squares: stops.map(square).join(", ") });
    else this.say("stuck", { piece });
  }
}

new Page(document.querySelector("[data-klotski]"));
