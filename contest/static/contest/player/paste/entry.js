// The page on which moves are pasted: to be submitted, or to be checked without sending anything. Everything that the
// judge would say is said here at once, by the same rules; only the server's receipt counts.

import { Level } from "../rules/level.js";
import { readOne } from "../rules/single.js";
import { decoded } from "./files.js";
import { foretell, showPreview } from "./preview.js";
import { storage } from "../keep/settings.js";
import { takeOver } from "../view/parts.js";
import { Drawer } from "./submit.js";
import { Verdict, unreadable } from "./verdict.js";
import { speaker } from "../view/words.js";

const PAUSE_MS = 150; // after the last key, before the moves are judged
const DRAFT = "leitai.draft";
const PASTED = "leitai.pasted"; // by paste.js, on another page

/** What stands behind the # of the address. */
function linked() {
  return new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
}

/** What was pasted on another page, once; where the browser keeps nothing, nothing. */
function takePasted() {
  try {
    const pasted = sessionStorage.getItem(PASTED);
    sessionStorage.removeItem(PASTED);
    return pasted;
  } catch {
    return null;
  }
}

class Entry {
  constructor(root) {
    this.root = root;
    this.facts = JSON.parse(root.querySelector("script[type='application/json']").textContent);
    this.words = speaker(this.facts.sentences);
    this.moves = root.querySelector("textarea[name=moves]");
    this.board = root.querySelector("textarea[name=board]");
    this.storage = storage();
    this.verdict = new Verdict(root.querySelector("[data-finding]"), this.words, (text) => this.choose(text));
    this.published = this.facts.levels.map((facts) => ({ ...facts, level: Level.parse(facts.text) }));
    this.numbers = new Map();
    this.timer = 0;
    this.waiting = []; // solutions of a pasted text that wait until the chosen one is received
  }

  start() {
    takeOver(document);
    this.moves.addEventListener("input", () => {
      this.waiting = [];
      this.#later();
    });
    this.board?.addEventListener("input", () => this.#later());
    this.#listenToDrops();
    if (this.board) this.#startChecking();
    else this.#startSending();
    this.judge();
  }

  #startSending() {
    this.drawer = new Drawer(this.root, this.words, { received: () => this.#keepWaiting() });
    this.drawer.onName(() => this.#preview());
    if (this.moves.value) return; // what the server sent back
    this.moves.value = linked().get("moves") ?? takePasted() ?? this.storage.getItem(DRAFT) ?? "";
  }

  /** A link brings a level and moves behind its #, which no browser sends to a server. */
  #startChecking() {
    const take = () => {
      const link = linked();
      if (link.has("level")) this.board.value = link.get("level").replaceAll("|", "\n");
      if (link.has("moves")) this.moves.value = link.get("moves");
      this.judge();
    };
    window.addEventListener("hashchange", take);
    this.root.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.judge();
    });
    for (const button of this.root.querySelectorAll("[data-level]")) {
      button.addEventListener("click", () => {
        this.board.value = this.published[Number(button.dataset.level)].text.replaceAll("|", "\n");
        this.judge();
      });
    }
    this.root.querySelector("[data-link]").addEventListener("click", () => this.#showLink());
    if (location.hash.length > 1) take();
  }

  #showLink() {
    const place = this.root.querySelector("[data-link-text]");
    const link = new URLSearchParams({ level: this.board.value.replaceAll(/\r?\n/g, "|"), moves: this.moves.value });
    place.value = `${location.origin}${location.pathname}#${link}`;
    place.hidden = false;
    place.select();
  }

  /** Take what was offered. Of several solutions in one text the others wait: see `#keepWaiting`. */
  choose(text) {
    const { found } = this;
    if (found?.outcome === "solved") this.waiting = this.#allBut(text);
    this.take(text);
  }

  /** Every solution known of the pasted text, but *text* or else, where that one is new, the one it came from. */
  #allBut(text) {
    const { replay, others } = this.found;
    const all = new Set([replay.lurd, ...others.map((other) => other.replay.lurd), ...this.waiting]);
    all.delete(all.has(text) ? text : replay.lurd);
    return [...all];
  }

  /** One is received: the others stand in the field when this page is opened again. */
  #keepWaiting() {
    const waiting = this.found?.outcome === "solved" ? this.#allBut(this.found.replay.lurd) : [];
    if (!waiting.length) this.storage.removeItem(DRAFT);
    else this.#keepText(waiting.map((lurd) => `Solution:\n${lurd}\n`).join("\n"));
  }

  take(text) {
    this.moves.value = text;
    this.moves.focus();
    this.judge();
  }

  /** A text that has nothing to do with the one before. */
  #takeAnother(text) {
    this.waiting = [];
    this.take(text);
  }

  #later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.judge(), PAUSE_MS);
  }

  judge() {
    this.#keepDraft();
    const text = this.moves.value;
    const levels = this.board?.value.trim() ? this.#own() : this.published;
    this.found = levels ? this.verdict.show(levels, text) : this.verdict.hide();
    if (this.drawer) this.#tell();
    this.#preview();
  }

  /** The level in the field, or null where it cannot be read: then the field says why. */
  #own() {
    const place = this.root.querySelector("[data-board-error]");
    try {
      const level = readOne(this.board.value);
      place.textContent = "";
      return [{ name: this.words("ownLevel"), level }];
    } catch (error) {
      place.textContent = unreadable(error, this.words);
      return null;
    }
  }

  #keepDraft() {
    if (this.drawer) this.#keepText(this.moves.value);
  }

  #keepText(text) {
    try {
      this.storage.setItem(DRAFT, text);
    } catch {
      // Full: the field itself still holds it.
    }
  }

  /** Where several rounds run, the form goes to the one whose level is solved; say what comes of further solutions. */
  #tell() {
    const isSolved = this.found?.outcome === "solved";
    this.root.querySelector("[data-several]").hidden = !(isSolved && this.#allBut(this.found.replay.lurd).length);
    if (!isSolved || this.facts.isPractice) return;
    this.root.querySelector("[name=round]").value = this.published[this.found.level].round;
  }

  async #preview() {
    const place = this.root.querySelector("[data-preview]");
    const { found } = this;
    const isRanked = found?.outcome === "solved" && this.drawer;
    place.hidden = !isRanked;
    if (!isRanked) return;
    const said = await foretell(this.published[found.level].numbers, found.replay, this.drawer.nickname);
    if (found !== this.found) return; // other moves came meanwhile
    showPreview(place, said, this.words);
  }

  // Whatever is dropped or pasted beside the fields

  #listenToDrops() {
    document.addEventListener("paste", (event) => {
      if (event.target.closest?.("input, textarea, select")) return;
      event.preventDefault();
      this.#takeAnother(event.clipboardData.getData("text/plain"));
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", async (event) => {
      event.preventDefault();
      const { files } = event.dataTransfer;
      const text = files.length ? decoded(await files[0].arrayBuffer()) : event.dataTransfer.getData("text/plain");
      if (text !== null) this.#takeAnother(text);
    });
    this.root.querySelector("[data-file]").addEventListener("change", async ({ target }) => {
      const text = target.files.length ? decoded(await target.files[0].arrayBuffer()) : null;
      if (text !== null) this.#takeAnother(text);
    });
  }
}

for (const root of document.querySelectorAll("[data-entry]")) {
  new Entry(root).start();
}
