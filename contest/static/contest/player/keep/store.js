// What this browser keeps: each game by the fingerprint of its level, and the settings. All keep working, for as long as
// the page is open, where the browser keeps nothing.

import { readDeep, writeDeep } from "./deep.js";
import { Shelf, toBytes, toText } from "./saving.js";

const SETTINGS = "leitai.player";
const IS_DEEP = "deep"; // stands where something was too large

/** The browser's storage, or one that forgets: to ask for it may already be forbidden. */
export function storage() {
  try {
    return window.localStorage;
  } catch {
    const kept = new Map();
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => kept.set(name, value),
      removeItem: (name) => kept.delete(name),
    };
  }
}

/** The game on one level as it is kept: {bytes, at}, snapshots, and the best solutions found here. */
export class Store {
  #storage = storage();
  #shelf;
  #name;
  #isDeep = false;

  constructor(level) {
    this.#shelf = new Shelf(this.#storage, level);
    this.#name = this.#shelf.headName;
  }

  /** What was stored last, or null. A promise only where it is kept deeper: see `save`. */
  load() {
    const kept = this.#shelf.load();
    return kept?.isDeep ? readDeep(this.#name).catch(() => null) : kept;
  }

  /**
   * Store the game; what is too large for localStorage goes deeper. *failed* is called where it is stored nowhere, and
   * *stored* where it is.
   */
  save(kept, { stored, failed }) {
    const whole = { ...kept, saved: Date.now() };
    if (!this.#isDeep && this.#shelf.save(whole)) {
      stored();
      return;
    }
    this.#isDeep = this.#shelf.leave({ isDeep: true, saved: whole.saved });
    writeDeep(this.#name, whole).then(stored, failed);
  }

  saveSnapshots(snapshots) {
    const name = `${this.#name}.snapshots`;
    const texts = [...snapshots].map(([key, { bytes, at }]) => [key, toText(bytes), at]);
    if (this.#write(name, texts)) return;
    this.#write(name, IS_DEEP);
    writeDeep(name, texts).catch(() => {}); // forgotten with the page: the game itself says that nothing is kept
  }

  /** The snapshots by name. A promise only where they are kept deeper. */
  loadSnapshots() {
    const name = `${this.#name}.snapshots`;
    const games = (texts) => new Map((texts ?? []).map(([key, text, at]) => [key, { bytes: toBytes(text), at }]));
    const texts = this.#read(name, []);
    return texts === IS_DEEP ? readDeep(name).then(games, () => new Map()) : games(texts);
  }

  /** The best solutions found in this browser: {moves: {moves, pushes, lurd}, pushes: the same}, or {}. */
  get best() {
    return this.#read(`${this.#name}.best`, {});
  }

  /** Keep *solution* where it is the best by moves or by pushes. */
  keepBest(solution) {
    const { best } = this;
    const isBetter = (first, second) => (metric) =>
      !best[metric] || solution[first] < best[metric][first] ||
      (solution[first] === best[metric][first] && solution[second] < best[metric][second]);
    const byMoves = isBetter("moves", "pushes")("moves");
    const byPushes = isBetter("pushes", "moves")("pushes");
    if (byMoves) best.moves = solution;
    if (byPushes) best.pushes = solution;
    if (byMoves || byPushes) this.#write(`${this.#name}.best`, best);
  }

  /** Call *heard* when another window stores its game on this level: what is stored last is kept, and kept whole. */
  onOther(heard) {
    window.addEventListener("storage", ({ key }) => {
      if (key !== this.#name) return;
      this.#shelf.forget();
      heard();
    });
  }

  get settings() {
    return this.#read(SETTINGS, {});
  }

  set settings(settings) {
    this.#write(SETTINGS, settings);
  }

  #read(name, otherwise) {
    try {
      return JSON.parse(this.#storage.getItem(name)) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  #write(name, value) {
    try {
      this.#storage.setItem(name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }
}
