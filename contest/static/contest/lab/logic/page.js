// The page about why Sokoban is hard: a formula, its graph, and turns of its edges.

import { PuzzleError } from "../../player/rules/errors.js";
import { opened } from "../opening.js";
import { troubleWords } from "../trouble.js";
import { Builder } from "./builder.js";
import { Picture, inSigns } from "./drawing.js";
import { exploring } from "./exploring.js";
import { decide, parse, written } from "./formulas.js";
import { reduced } from "./reducing.js";

const MOST_VARIABLES = 6;
const MOST_LITERALS = 24;
const MOST_MET = 300_000;
const SLICE_MS = 30;
const STEP_MS = 450;

class Page {
  constructor(root) {
    const { facts, words } = opened(root);
    this.words = words;
    this.at = (name) => root.querySelector(`[data-${name}]`);
    this.builder = new Builder(root, words, (formula) => this.take(formula));
    const hands = { undo: () => this.undo(), again: () => this.restart(), hint: () => this.hint(), play: () => this.play() };
    for (const [name, act] of Object.entries(hands)) this.at(name).addEventListener("click", act);
    this.at("example").addEventListener("change", ({ target }) => this.take(parse(facts.examples[target.value])));
    this.at("own").addEventListener("submit", (event) => {
      event.preventDefault();
      this.read();
    });
    this.take(parse(facts.examples[0]));
  }

  /** Read the formula of the text field. */
  read() {
    this.at("trouble").textContent = "";
    try {
      const formula = parse(this.at("text").value);
      const literals = formula.clauses.flat().length;
      if (formula.prefix.length > MOST_VARIABLES || literals > MOST_LITERALS) {
        throw new PuzzleError("not_drawn", { variables: MOST_VARIABLES, literals: MOST_LITERALS });
      }
      reduced(formula);
      this.take(formula);
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      this.at("trouble").textContent = troubleWords(this.words, error);
    }
  }

  /** Show *formula*, whose clauses may be empty while it is put together. */
  take(formula) {
    this.stop();
    clearTimeout(this.counting);
    this.builder.show(formula);
    this.at("text").value = written(formula);
    this.at("formula").textContent = inSigns(formula);
    const { isTrue, nodes, mostValues } = decide(formula);
    this.at("truth").textContent = this.words(isTrue ? "true" : "false", { nodes, values: mostValues });
    this.at("fewest").textContent = "";
    try {
      this.made = reduced(formula);
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      this.made = null;
      this.at("board").hidden = true;
      this.say(troubleWords(this.words, error));
      this.enable();
      return;
    }
    this.at("board").hidden = false;
    this.picture = new Picture(this.at("board").querySelector("svg"), formula, this.made, (number) => this.press(number));
    this.restart();
    this.count();
  }

  restart() {
    this.stop();
    this.turns = [];
    this.heads = this.made.heads;
    this.say(this.words("press"));
    this.show();
  }

  show(hinted = null) {
    const label = (number, isOn) => {
      const { weight } = this.made.graph.edges[number];
      return this.words(isOn ? "edgeOn" : "edgeOff", { number: number + 1, weight });
    };
    this.picture.show(this.heads, label, hinted);
    this.at("turns").textContent = this.words("turns", { turns: this.turns.length });
    this.enable();
  }

  enable() {
    for (const name of ["undo", "again"]) this.at(name).disabled = !this.made || !this.turns.length;
    for (const name of ["hint", "play"]) this.at(name).disabled = !this.made || this.isDone;
  }

  get isDone() {
    const [edge, vertex] = this.made.goal;
    return this.heads[edge] === vertex;
  }

  press(number) {
    this.stop();
    this.turn(number);
  }

  turn(number) {
    const after = this.made.graph.turned(this.heads, number);
    if (after === null) {
      this.say(this.words("held", { left: this.made.graph.leftWithout(this.heads, number) }));
      return;
    }
    this.heads = after;
    this.turns.push(number);
    this.say(this.isDone ? this.words("done", { turns: this.turns.length }) : "", this.isDone);
    this.show();
  }

  undo() {
    this.stop();
    const number = this.turns.pop();
    const { graph } = this.made;
    this.heads = graph.turned(this.heads, number);
    this.say("");
    this.show();
  }

  say(words, isWon = false) {
    this.at("says").textContent = words;
    this.at("says").classList.toggle("won", isWon);
  }

  // What is searched

  /** Say how many turns are needed from the start. */
  count() {
    const edges = this.made.graph.edges.length;
    const said = (key, values) => {
      this.at("fewest").textContent = `${this.words("edges", { edges })} ${this.words(key, values)}`;
    };
    this.search(this.made.heads, "counting", {
      met: (met) => said("searching", { met }),
      found: ({ turns, met }) => said(turns ? "fewest" : "none", { turns: turns?.length, met }),
      many: () => said("many", { most: MOST_MET }),
    });
  }

  hint() {
    this.stop();
    this.search(this.heads, "asking", this.told(([next]) => {
      this.say(this.words("hint", { number: next + 1 }));
      this.show(next);
      this.picture.focus(next);
    }));
  }

  play() {
    if (this.playing) {
      this.stop();
      return;
    }
    this.stop();
    this.search(this.heads, "asking", this.told((turns) => {
      this.at("play").textContent = this.words("stop");
      const step = () => {
        this.turn(turns.shift());
        if (turns.length) this.playing = setTimeout(step, STEP_MS);
        else this.stop();
      };
      this.playing = setTimeout(step);
    }));
  }

  told(use) {
    return {
      met: (met) => this.say(this.words("searching", { met })),
      found: ({ turns, met }) => (turns ? use(turns) : this.say(this.words("none", { met }))),
      many: () => this.say(this.words("many", { most: MOST_MET })),
    };
  }

  /** Search in slices, so that the page stays alive; a new search of the same *name* ends the old one. */
  search(heads, name, { met, found, many }) {
    clearTimeout(this[name]);
    const search = exploring(this.made.graph, heads, this.made.goal, MOST_MET);
    const go = () => {
      try {
        const end = performance.now() + SLICE_MS;
        for (;;) {
          const { done, value } = search.next();
          if (done) {
            found(value);
            return;
          }
          if (performance.now() > end) {
            met(value);
            break;
          }
        }
        this[name] = setTimeout(go);
      } catch (error) {
        if (!(error instanceof PuzzleError)) throw error;
        many();
      }
    };
    go();
  }

  stop() {
    clearTimeout(this.playing);
    clearTimeout(this.asking);
    this.playing = 0;
    this.at("play").textContent = this.words("play");
  }
}

new Page(document.querySelector("[data-logic]"));
