// Moves and levels as text: out of the game by copying, into it by pasting.

import { find } from "../rules/finding.js";
import { LETTERS } from "../rules/game.js";
import { Moves } from "../rules/moves.js";
import { WRONG } from "../view/view.js";
import { shorterWalks } from "../rules/walks.js";

export class Exchange {
  #player;
  #place;
  #turned = null; // {lurd, text}: what was found, and what was pasted

  /** *player* has the game, the words and the board; *place* is the part of the page for moves as text. */
  constructor(player, place) {
    this.#player = player;
    this.#place = place;
    this.#listenToClipboard();
  }

  get #field() {
    return this.#place.querySelector("textarea");
  }

  /** What the buttons and keys of this part do, by name. */
  get acts() {
    const { play, level, store } = this.#player;
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
      shorten: () => this.#player.say(...this.shorten()),
    };
  }

  #listenToClipboard() {
    const { frame } = this.#player;
    const isElsewhere = ({ target }) => target.closest?.("input, textarea, select, [contenteditable]");
    const isOurs = () => document.activeElement === frame && document.getSelection().isCollapsed;
    document.addEventListener("copy", (event) => {
      if (!isOurs()) return;
      event.clipboardData.setData("text/plain", this.#player.play.letters);
      event.preventDefault();
      this.#player.say("copiedMoves");
    });
    document.addEventListener("paste", (event) => {
      if (isElsewhere(event)) return;
      event.preventDefault();
      this.load(event.clipboardData.getData("text/plain"));
    });
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
    this.#player.say(said);
  }

  /** Play the moves that *text* holds from the start; of a turned board only after a question (rule 6.10). */
  load(text) {
    const found = find([this.#player.level], text);
    this.#ask(found.turned, text);
    if (!found.turned) this.#take(found);
  }

  #ask(turned, text) {
    this.#turned = turned && { lurd: turned.replay.lurd, text };
    const question = this.#player.root.querySelector("[data-question]");
    question.hidden = !turned;
    if (!turned) return;
    const words = this.#player.words(`turned_${turned.symmetry}`, { level: this.#player.words("thisLevel") });
    question.querySelector("p").textContent = `${words} ${turned.replay.moves} / ${turned.replay.pushes}`;
    question.querySelector("button").focus();
  }

  #answer(isWanted) {
    const { lurd, text } = this.#turned;
    this.#ask(null);
    this.#take(find([this.#player.level], isWanted ? lurd : text));
    this.#player.frame.focus({ preventScroll: true });
  }

  #take({ replay, outcome, why, step, letter, error }) {
    const { play, store, view } = this.#player;
    if (!replay) {
      this.#player.say(outcome === "empty" ? "noMoves" : "unreadable", { index: (error?.index ?? 0) + 1 });
      return;
    }
    if (play.length) play.keep("before");
    store.saveSnapshots(play.snapshots);
    play.seek(0);
    play.follow(replay.lurd);
    this.#player.changed();
    this.#player.showSnapshots();
    if (why) {
      view.mark(WRONG, [play.position.cellAhead(LETTERS.indexOf(letter) & 3)]);
      this.#player.say("impossible", { step });
    } else {
      this.#player.say(replay.verdict === "solved" ? "solvedIn" : "loaded", { moves: replay.moves, pushes: replay.pushes });
    }
  }

  #follow(text) {
    let steps = "";
    try {
      steps = Moves.parse(text).steps;
    } catch ({ index }) {
      this.#player.say("unreadable", { index: index + 1 });
      return;
    }
    const made = this.#player.shown((play) => play.follow(steps));
    if (made.length < steps.length) {
      this.#player.say("stoppedAt", { step: made.length + 1, letter: steps[made.length], made: made.length });
    }
  }

  /** Make every walk so far as short as it can be, pushes unchanged; return the sentence that says what it saved. */
  shorten() {
    const { play, store, level } = this.#player;
    const { moves } = play.position;
    const shorter = shorterWalks(level, play.letters);
    if (!shorter) return ["noShorter", {}];
    play.keep("before");
    store.saveSnapshots(play.snapshots);
    play.seek(0);
    play.follow(shorter);
    this.#player.changed();
    this.#player.showSnapshots();
    return ["shortened", { fewer: moves - shorter.length, moves: shorter.length }];
  }
}
