// The page of Klotski: which layout, which game, the moves made so far, and the best that is left.

import { Layout, isAnswered, layoutAfter, legalMoves, moveText, parseMoves, question, square, whyNot } from "./klotski.js";
import { KlotskiEditor } from "./klotski-editor.js";
import { people } from "./klotski-people.js";
import { KlotskiView } from "./klotski-view.js";
import { NoAnswer, Ways } from "./klotski-ways.js";
import { opened } from "./opening.js";
import { troubleWords } from "./trouble.js";
import { PuzzleError } from "../player/rules/errors.js";

class Page {
  constructor(root) {
    this.root = root;
    const { facts, words } = opened(root);
    this.classics = facts.classics;
    this.words = words;
    this.ways = new Ways(facts.addresses);
    this.at = (name) => root.querySelector(`[data-${name}]`);
    this.view = new KlotskiView(root.querySelector("svg"), {
      onMove: (start, stop) => this.move({ start, stop, path: "" }),
      onChoose: (piece, stops) => this.sayChosen(piece, stops),
      namesOf: (layout) => this.namesOf(layout),
    });
    for (const button of root.querySelectorAll("[data-do]")) button.addEventListener("click", () => this[button.dataset.do]());
    this.at("layout").addEventListener("change", () => this.load(Layout.parse(this.at("layout").value)));
    this.at("goal").addEventListener("change", () => this.load(this.start));
    this.at("strict").addEventListener("change", () => this.load(this.start));
    this.at("own").addEventListener("submit", (event) => this.loadOwn(event));
    this.at("typing").addEventListener("submit", (event) => this.type(event));
    this.editor = new KlotskiEditor(this.at("editor"), this.words, (layout, missing) => this.judge(layout, missing));
    this.fromLink();
    window.addEventListener("hashchange", () => this.fromLink());
    this.ways.fetchAtlas();
  }

  get goal() {
    return this.at("goal").value;
  }

  get isStrict() {
    return this.goal !== "exit" && this.at("strict").checked;
  }

  namesOf(layout) {
    return people(layout, this.words, { isNumbered: this.isStrict });
  }

  /** The name of a piece of the board. */
  nameOf(piece) {
    return this.namesOf(this.here)[this.here.pieces.findIndex(({ cell }) => cell === piece.cell)];
  }

  get here() {
    return this.layouts[this.place];
  }

  // What is played

  /**
   * A link says layout, goal, whether it is strict, and moves: #VCC...-to-mirror~strict~B4d.D5l. One to a part of the
   * page leaves the game as it is.
   */
  fromLink() {
    const link = decoded(location.hash.slice(1));
    if (this.start && link && !link.includes("-to-")) return;
    const [cells, rest = ""] = link.split("-to-");
    const [goal, ...more] = rest.split("~");
    if ([...this.at("goal").options].some(({ value }) => value === goal)) this.at("goal").value = goal;
    this.at("strict").checked = more[0] === "strict";
    try {
      this.load(Layout.parse((rest && cells) || this.at("layout").value || this.classics[0].cells));
      if (more.length) this.playText(more.at(-1) === "strict" ? "" : more.at(-1).replaceAll(".", " "));
    } catch (error) {
      this.load(this.start ?? Layout.parse(this.classics[0].cells));
      if (!(error instanceof PuzzleError)) throw error;
      this.tell(troubleWords(this.words, error));
    }
  }

  load(layout) {
    this.stop();
    this.start = layout.named();
    this.question = question(this.start, this.goal, { isStrict: this.isStrict });
    this.layouts = [this.start];
    this.moves = [];
    this.place = 0;
    const known = this.classics.find(({ cells }) => cells === layout.cells);
    if (known) this.at("layout").value = known.cells;
    else this.at("layout").selectedIndex = -1;
    this.at("strict-field").hidden = this.goal === "exit";
    this.at("own-text").value = String(layout);
    this.editor.load(layout);
    this.view.forget();
    this.best = this.lengthFromStart;
    this.show();
    this.say(this.goal);
  }

  /** The length of the shortest way from the start, null where there is none; undefined in a strict game not yet asked. */
  get lengthFromStart() {
    if (this.isStrict) return this.ways.knownLength(this.start, this.question.target);
    return this.goal === "exit" ? this.lengthOut(this.start) : this.find(this.start)?.length ?? null;
  }

  /** The length of the shortest way out, or null. A search takes long, and for the classics it is known. */
  lengthOut(layout) {
    const classic = this.classics.find(({ cells }) => cells === layout.cells);
    return classic?.moves ?? this.ways.find(layout, "exit")?.length ?? null;
  }

  loadOwn(event) {
    event.preventDefault();
    this.at("own-trouble").textContent = "";
    try {
      this.load(Layout.parse(this.at("own-text").value));
      this.root.querySelector("svg").scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.at("own-trouble").textContent = troubleWords(this.words, error);
    }
  }

  /** What the solver says of the board in the editor. */
  judge(layout, missing) {
    if (layout) this.at("own-text").value = String(layout);
    if (!layout) this.at("verdict").textContent = missing;
    else {
      const moves = this.lengthOut(layout);
      this.at("verdict").textContent = moves === null ? this.words("noWayOut") : this.words("verdict", { moves });
    }
  }

  /** Moves as text, for who does not see or touch the board. */
  type(event) {
    event.preventDefault();
    this.stop();
    this.at("typing-trouble").textContent = "";
    try {
      this.playText(this.at("typed").value);
      this.at("typed").value = "";
    } catch (error) {
      this.at("typing-trouble").textContent = troubleWords(this.words, error);
    }
  }

  /** Play written moves up to the end or the first impossible one, which is said. Throw a PuzzleError. */
  playText(text) {
    for (const move of parseMoves(text)) {
      const why = whyNot(this.here, move);
      if (why) {
        this.say(why, { move: moveText(move) });
        return;
      }
      this.step(move);
    }
    this.tellEnd();
  }

  move(move) {
    this.stop();
    this.step(move);
    this.tellEnd();
  }

  step(move) {
    this.layouts.length = this.place + 1;
    this.moves.length = this.place;
    this.layouts.push(layoutAfter(this.here, move));
    this.moves.push(move);
    this.forward();
  }

  /** Go on to the layout after the next of the moves made. */
  forward() {
    const { stop } = this.moves[this.place];
    this.place++;
    this.show();
    this.say("moved", { piece: this.nameOf(this.here.pieceAt(stop)), square: square(stop) });
  }

  tellEnd() {
    if (!isAnswered(this.question, this.here) || !this.place) return;
    const words = this.words(this.goal === "exit" ? "out" : "mirrored", { moves: this.place });
    this.tell(this.place === this.best ? `${words} ${this.words("perfect")}` : words);
    this.at("says").classList.add("won");
  }

  // What the buttons do

  undo() {
    this.stop();
    if (this.place === 0) return;
    this.place--;
    this.show();
    this.say(this.goal);
  }

  redo() {
    this.stop();
    if (this.place === this.moves.length) return;
    this.forward();
    this.tellEnd();
  }

  restart() {
    this.load(this.start);
  }

  async hint() {
    this.stop();
    await this.withWay((way) => this.view.hint(way[0]));
  }

  async play() {
    if (this.timer) {
      this.stop();
      return;
    }
    await this.withWay((way) => {
      const step = () => {
        this.step(way.shift());
        this.say("left", { moves: way.length });
      };
      this.run(step, () => way.length > 0);
    });
  }

  /** Do *act* with a shortest way from here, unless another board or question has come meanwhile. */
  async withWay(act) {
    const { here, question: asked } = this;
    const way = await this.wayOn();
    if (way?.length && here === this.here && asked === this.question) act(way);
  }

  /** Watch the moves made so far from the start. */
  replay() {
    this.stop();
    if (!this.moves.length) return;
    this.place = 0;
    this.show();
    this.say(this.goal);
    this.run(() => this.forward(), () => this.place < this.moves.length);
  }

  /** Do *act* again and again, as fast as is chosen, as long as there is more. */
  run(act, hasMore) {
    this.root.classList.add("playing");
    this.at("do=play").textContent = this.words("stop");
    const go = () => {
      act();
      if (hasMore()) this.timer = setTimeout(go, Number(this.at("pace").value));
      else {
        this.stop();
        this.tellEnd();
      }
    };
    this.timer = setTimeout(go, Number(this.at("pace").value));
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.root.classList.remove("playing");
    this.at("do=play").textContent = this.words("solve");
  }

  async share() {
    const made = this.moves.slice(0, this.place).map(moveText).join(".");
    const more = [this.isStrict && "strict", made].filter(Boolean).map((part) => `~${part}`);
    history.replaceState(null, "", `#${this.start.cells}-to-${this.goal}${more.join("")}`);
    try {
      await navigator.clipboard.writeText(location.href);
      this.say("copied");
    } catch {
      this.say("linkAbove");
    }
  }

  find(layout) {
    return this.ways.find(layout, this.goal === "exit" ? "exit" : question(this.start, this.goal).target);
  }

  /** A shortest way from here, said with its length, or why there is none; with names the server has to be asked. */
  async wayOn() {
    const { here, question: asked } = this;
    let way;
    if (!this.isStrict) way = this.find(here);
    else {
      try {
        this.say("asking");
        way = await this.ways.findNamed(here, asked.target);
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        if (error.words) this.tell(error.words);
        else this.say("needsNetwork");
        return null;
      }
      if (here !== this.here || asked !== this.question) return null; // somebody has moved on meanwhile
      if (here === this.start) this.best = way?.length ?? null;
      this.show();
    }
    if (way === null) this.say("unsolvable");
    else this.say("left", { moves: way.length });
    return way;
  }

  // What is shown

  show() {
    this.view.show(this.here);
    const steps = [this.words("steps", { moves: this.place })];
    if (Number.isInteger(this.best)) steps.push(this.words("best", { moves: this.best }));
    if (this.best === null) steps.push(this.words("unsolvable"));
    this.at("count").textContent = steps.join(" · ");
    this.at("says").classList.remove("won");
    this.at("log").textContent = this.moves.slice(0, this.place).map(moveText).join(" ");
    this.at("rows").textContent = this.isStrict ? this.here.namedText : String(this.here);
    this.at("possible").textContent = legalMoves(this.here).map(moveText).join(" ");
    this.at("do=undo").disabled = this.place === 0;
    this.at("do=redo").disabled = this.place === this.moves.length;
  }

  say(key, values) {
    this.tell(this.words(key, values));
  }

  tell(words) {
    this.at("says").classList.remove("won");
    this.at("says").textContent = words;
  }

  sayChosen(chosen, stops) {
    const piece = this.nameOf(chosen);
    if (stops.length) this.say("picked", { piece, squares: stops.map(square).join(", ") });
    else this.say("stuck", { piece });
  }
}

/** A text as a link holds it; as it is where that cannot be. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

new Page(document.querySelector("[data-klotski]"));
