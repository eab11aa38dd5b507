// Moves and levels as text: out of the game by copying, into it by pasting.

import { find } from "../paste/finding.js";
import { LETTERS } from "../rules/game.js";
import { Moves } from "../rules/moves.js";
import { WRONG } from "../view/marks.js";
import { shorterWalks } from "../rules/walks.js";

export class Exchange {
  #table;
  #keeping;
  #place;
  #turned = null; // {lurd, text}: what was found, and what was pasted

  constructor(table, keeping) {
    this.#table = table;
    this.#keeping = keeping;
    this.#place = table.find("[data-lurd]");
    this.#listenToClipboard();
  }

  get #field() {
    return this.#place.querySelector("textarea");
  }

  /** What the buttons and keys of this part do, by name. */
  get acts() {
    const { play, level, store } = this.#table;
    return {
      copy: () => this.copy(play.letters, "copiedMoves"),
      "copy-rest": () => this.copy(play.rest, "copiedRest"),
      "copy-xsb": () => this.copy(level.toString(), "copiedLevel"),
      "copy-rle": () => this.copy(level.runLengthText, "copiedLevel"),
      "copy-mf8": () => this.copy(level.mf8Text, "copiedLevel"),
      load: () => this.load(this.#field.value),
      follow: () => this.#follow(this.#field.value),
      "load-moves": () => this.load(store.best.moves?.lurd ?? ""),
      "load-pushes": () => this.load(store.best.pushes?.lurd ?? ""),
      "turn-back": () => this.#answer(true),
      "leave-turned": () => this.#answer(false),
      shorten: () => this.#table.say(...this.shorten()),
    };
  }

  #listenToClipboard() {
    const { frame, signal } = this.#table;
    const isElsewhere = ({ target }) => target.closest?.("input, textarea, select, [contenteditable]");
    const isOurs = () => document.activeElement === frame && document.getSelection().isCollapsed;
    document.addEventListener("copy", (event) => {
      if (!isOurs()) return;
      event.clipboardData.setData("text/plain", this.#table.play.letters);
      event.preventDefault();
      this.#table.say("copiedMoves");
    }, { signal });
    document.addEventListener("paste", (event) => {
      if (isElsewhere(event)) return;
      event.preventDefault();
      this.load(event.clipboardData.getData("text/plain"));
    }, { signal });
  }

  async copy(text, said) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      this.#place.open = true; // no clipboard on plain http: select and copy the old way
      this.#field.value = text;
      this.#field.select();
      document.execCommand("copy");
    }
    this.#table.say(said);
  }

  /** Play the moves that *text* holds from the start; of a turned board only after a question (rule 6.10). */
  load(text) {
    const found = find([this.#table.level], text);
    this.#ask(found.turned, text);
    if (!found.turned) this.#take(found);
  }

  #ask(turned, text) {
    this.#turned = turned && { lurd: turned.replay.lurd, text };
    const question = this.#table.find("[data-question]");
    question.hidden = !turned;
    if (!turned) return;
    const words = this.#table.words(`turned_${turned.symmetry}`, { level: this.#table.words("thisLevel") });
    question.querySelector("p").textContent = `${words} ${turned.replay.moves} / ${turned.replay.pushes}`;
    question.querySelector("button").focus();
  }

  #answer(isWanted) {
    const { lurd, text } = this.#turned;
    this.#ask(null);
    this.#take(find([this.#table.level], isWanted ? lurd : text));
    this.#table.focus();
  }

  #take({ replay, outcome, why, step, letter, error }) {
    if (!replay) {
      this.#table.say(outcome === "empty" ? "noMoves" : "unreadable", { index: (error?.index ?? 0) + 1 });
      return;
    }
    const { view } = this.#table;
    this.#replace(replay.lurd);
    const { play } = this.#table;
    if (why) {
      view.mark(WRONG, [play.position.cellAhead(LETTERS.indexOf(letter) & 3)]);
      this.#table.say("impossible", { step });
    } else {
      this.#table.say(replay.verdict === "solved" ? "solvedIn" : "loaded", { moves: replay.moves, pushes: replay.pushes });
    }
  }

  /** Play *letters* from the start; the game so far becomes a snapshot. */
  #replace(letters) {
    this.#table.goForward();
    this.#keeping.keepBefore();
    this.#table.jump((play) => {
      play.seek(0);
      play.follow(letters);
    });
  }

  #follow(text) {
    this.#table.goForward();
    let steps = "";
    try {
      steps = Moves.parse(text).steps;
    } catch ({ index }) {
      this.#table.say("unreadable", { index: index + 1 });
      return;
    }
    const made = this.#table.perform((play) => play.follow(steps));
    if (made.length < steps.length) {
      this.#table.say("stoppedAt", { step: made.length + 1, letter: steps[made.length], made: made.length });
    }
  }

  /** Make every walk so far as short as it can be, pushes unchanged; return the sentence that says what it saved. */
  shorten() {
    const { level } = this.#table;
    const play = this.#table.goForward();
    const { moves } = play.position;
    const shorter = shorterWalks(level, play.letters);
    if (!shorter) return ["noShorter", {}];
    this.#replace(shorter);
    return ["shortened", { fewer: moves - shorter.length, moves: shorter.length }];
  }
}
