// What this browser keeps: each game by the fingerprint of its level, and the settings. All keep working, for as long as
// the page is open, where the browser keeps nothing.

import { readDeep, writeDeep } from "./deep.js";
import { Shelf, toBytes, toText } from "./saving.js";
import { read, readSettings, storage, write, writeSettings } from "./settings.js";

const IS_DEEP = "deep"; // stands where something was too large

const branchText = ({ id, parent, at, steps }) => [id, parent, at, toText(steps)];
const branchOf = ([id, parent, at, text]) => ({ id, parent, at, steps: toBytes(text) });

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
    this.#writeGames("snapshots", [...snapshots].map(([key, { bytes, at }]) => [key, toText(bytes), at]));
  }

  /** The snapshots by name. A promise only where they are kept deeper. */
  loadSnapshots() {
    return this.#readGames("snapshots", (texts) => new Map(texts.map(([key, text, at]) => [key, { bytes: toBytes(text), at }])));
  }

  /** Keep the lines of the game that were left, as `Branches.all` has them. */
  saveBranches(branches) {
    this.#writeGames("branches", branches.map(branchText));
  }

  /** They again. A promise only where they are kept deeper. */
  loadBranches() {
    return this.#readGames("branches", (texts) => texts.map(branchOf));
  }

  /** Keep the games played backwards and how the lines meet, as `Lines.kept` has them. */
  saveLines({ tries, marks, ...facts }) {
    const games = tries.map(({ cell, bytes, at, branches }) => [cell, toText(bytes), at, branches.map(branchText)]);
    const marked = Object.entries(marks).map(([name, steps]) => [name, steps && toText(steps)]);
    this.#writeGames("lines", [facts, marked, games]);
  }

  /** They again, or null. A promise only where they are kept deeper. */
  loadLines() {
    return this.#readGames("lines", ([facts, marked, games]) => facts && {
      ...facts,
      marks: Object.fromEntries(marked.map(([name, text]) => [name, text && toBytes(text)])),
      tries: games.map(([cell, text, at, branches]) => ({ cell, bytes: toBytes(text), at, branches: branches.map(branchOf) })),
    });
  }

  #writeGames(part, texts) {
    const name = `${this.#name}.${part}`;
    if (this.#write(name, texts)) return;
    this.#write(name, IS_DEEP);
    writeDeep(name, texts).catch(() => {}); // forgotten with the page: the game itself says that nothing is kept
  }

  #readGames(part, games) {
    const name = `${this.#name}.${part}`;
    const texts = this.#read(name, []);
    return texts === IS_DEEP ? readDeep(name).then((kept) => games(kept ?? []), () => games([])) : games(texts);
  }

  /** The best solutions found in this browser: {moves: {moves, pushes, lurd}, pushes: the same}, or {}. */
  get best() {
    return this.#read(`${this.#name}.best`, {});
  }

  /** Keep *solution* where it is the best by moves or by pushes; return how many fewer {moves, pushes} than before. */
  keepBest(solution) {
    const { best } = this;
    const isBetter = (first, second) =>
      !best[first] || solution[first] < best[first][first] ||
      (solution[first] === best[first][first] && solution[second] < best[first][second]);
    const fewer = (metric) => Math.max(0, (best[metric]?.[metric] ?? 0) - solution[metric]);
    const gained = { moves: fewer("moves"), pushes: fewer("pushes") };
    const byMoves = isBetter("moves", "pushes");
    const byPushes = isBetter("pushes", "moves");
    if (byMoves) best.moves = solution;
    if (byPushes) best.pushes = solution;
    if (byMoves || byPushes) this.#write(`${this.#name}.best`, best);
    return gained;
  }

  /** What the player wrote about the level. */
  get notes() {
    return this.#read(`${this.#name}.notes`, "");
  }

  /** Keep *text* as the notes; false where there is no room. */
  saveNotes(text) {
    return this.#write(`${this.#name}.notes`, text);
  }

  /** Call *heard* when another window stores its game on this level: what is stored last is kept, and kept whole. */
  onOther(heard, signal) {
    window.addEventListener("storage", ({ key }) => {
      if (key !== this.#name) return;
      this.#shelf.forget();
      heard();
    }, { signal });
  }

  get settings() {
    return readSettings(this.#storage);
  }

  set settings(settings) {
    writeSettings(settings, this.#storage);
  }

  #read(name, otherwise) {
    return read(this.#storage, name, otherwise);
  }

  #write(name, value) {
    return write(this.#storage, name, value);
  }
}
