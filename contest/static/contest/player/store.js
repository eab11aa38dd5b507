// What this browser keeps: each game by the fingerprint of its level, and the settings. All keep working, for as long as
// the page is open, where the browser keeps nothing.

import { Shelf, toBytes, toText } from "./saving.js";

const SETTINGS = "leitai.player";

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

  constructor(level) {
    this.#shelf = new Shelf(this.#storage, level);
    this.#name = this.#shelf.headName;
  }

  load() {
    return this.#shelf.load();
  }

  /** Return whether it is stored. */
  save(kept) {
    return this.#shelf.save({ ...kept, saved: Date.now() });
  }

  saveSnapshots(snapshots) {
    const texts = [...snapshots].map(([name, { bytes, at }]) => [name, toText(bytes), at]);
    return this.#write(`${this.#name}.snapshots`, texts);
  }

  loadSnapshots() {
    const texts = this.#read(`${this.#name}.snapshots`, []);
    return new Map(texts.map(([name, text, at]) => [name, { bytes: toBytes(text), at }]));
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

  /** Call *heard* when another window stores its game on this level. */
  onOther(heard) {
    window.addEventListener("storage", ({ key }) => {
      if (key === this.#name) heard();
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
