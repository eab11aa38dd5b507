// What is kept of the game in this browser: the game itself after every act with the lines that were left, and snapshots
// by name.

import { noteBegun } from "../keep/begun.js";
import { handedOver } from "../keep/handed.js";
import { storage } from "../keep/settings.js";
import { showBranches, showSnapshots } from "../input/controls.js";
import { drawTree } from "../view/tree.js";

export class Keeping {
  #table;
  #isToBeSaved = false;
  #version = 0; // of the branches that are stored
  #seen = {}; // those that are shown: {branches, version}

  constructor(table) {
    this.#table = table;
    table.onChange(({ isSaved }) => isSaved || this.#save());
    table.onChange(() => this.#showBranches());
    table.store.onOther(() => this.#showOther(true), table.signal);
  }

  get acts() {
    return {
      keep: () => this.keep(this.#freeName()),
      "take-other": () => this.#takeOther(),
    };
  }

  // Coming back

  /**
   * Bring back the game as it was stored: without a wait where there is nothing to wait for, so that a key pressed at once
   * counts.
   */
  start() {
    const { store } = this.#table;
    const kept = [store.load(), store.loadSnapshots(), store.loadBranches(), store.loadLines()];
    if (!kept.some((one) => one instanceof Promise)) this.#take(...kept);
    else return Promise.all(kept).then((known) => this.#take(...known));
  }

  #take(kept, snapshots, branches, lines) {
    const play = this.#table.goForward();
    play.snapshots = snapshots;
    if (kept) play.restore({ ...kept, branches });
    if (lines) this.#table.lines.restore(lines);
    this.#version = play.branches.version;
    this.#seen = {};
    this.#table.refresh({ isSaved: true });
    this.showSnapshots();
    const { at } = this.#table.play;
    if (at) this.#table.say("resumed", { moves: at });
  }

  /** The moves that came with the level lie ready to be made, unless a game of it is kept. */
  #layOut(letters) {
    if (!letters || this.#table.play.length) return;
    this.#table.jump((play) => {
      play.follow(letters);
      play.seek(0);
    });
  }

  /** Go on where a replay was left: its moves are made up to there, the rest can be made again. */
  async goOnWithReplay() {
    this.#layOut(this.#table.facts.moves);
    let given;
    try {
      given = await handedOver(location.hash);
    } catch {
      this.#table.say("noReplay");
      return;
    }
    if (!given) return;
    history.replaceState(null, "", location.pathname + location.search); // a reload goes on with the game
    this.keepBefore();
    const { play } = this.#table;
    play.seek(0);
    play.follow(given.letters);
    play.seek(given.at);
    this.#table.refresh({ isSaved: true }); // it is not sent by itself: a link must not submit for the player
    this.#save();
  }

  // Storing

  /** Store the game when this frame is drawn, so that no key waits for it. */
  #save() {
    this.#showOther(false); // what is played last is kept
    if (this.#isToBeSaved) return;
    this.#isToBeSaved = true;
    requestAnimationFrame(() => setTimeout(() => this.saveNow()));
  }

  /** Store the game at once where that is still to be done: the page is left. */
  saveNow() {
    if (!this.#isToBeSaved) return;
    this.#isToBeSaved = false;
    const warning = this.#table.find("[data-unkept]");
    const show = (isLost) => () => {
      warning.hidden = !isLost;
    };
    const { lines, store } = this.#table;
    const play = lines.forward;
    if (lines.backward) store.saveLines(lines.kept);
    if (play.branches.version !== this.#version) store.saveBranches(play.branches.all);
    this.#version = play.branches.version;
    store.save(play.kept, { stored: show(false), failed: show(true) });
    const { name } = this.#table.facts;
    if (name) noteBegun(storage(), location.pathname, name, play.length > 0 && !play.isSolved);
  }

  #showOther(isThere) {
    this.#table.find("[data-other]").hidden = !isThere;
  }

  /** Go on with what another window has stored. */
  async #takeOther() {
    await this.start();
    this.#showOther(false);
    this.#table.focus(); // the button that had it is hidden now
  }

  // Branches and snapshots

  #showBranches() {
    const { play, words } = this.#table;
    const { branches } = play;
    drawTree(this.#table.find("[data-tree]"), play);
    if (branches === this.#seen.branches && branches.version === this.#seen.version) return;
    this.#seen = { branches, version: branches.version };
    showBranches(this.#table.root, play, (id) => this.takeBranch(id), words);
  }

  /** Go on with a line that was left, at its end. */
  takeBranch(id) {
    this.#table.jump((play) => play.takeBranch(id));
    this.#table.say("branchBack", { moves: this.#table.play.at });
    this.#table.focus();
  }

  keep(name) {
    if (this.#table.lines.isBackward) {
      this.#table.say("snapshotsForward");
      return;
    }
    this.#store(name);
    this.#table.say("snapshotKept", { name });
  }

  /** Keep the game under the name of what was before something is loaded over it. */
  keepBefore() {
    if (this.#table.goForward().length) this.#store("before");
  }

  #store(name) {
    const { play, store } = this.#table;
    play.keep(name);
    store.saveSnapshots(play.snapshots);
    this.showSnapshots();
  }

  recall(name) {
    const isThere = this.#table.goForward().recall(name);
    if (isThere) this.#table.refresh();
    this.#table.say(isThere ? "snapshotBack" : "noSnapshot", { name });
  }

  #freeName() {
    return "123456789".split("").find((name) => !this.#table.play.snapshots.has(name)) ?? "9";
  }

  showSnapshots() {
    const { lines, words } = this.#table;
    this.#seen = {};
    this.#showBranches();
    showSnapshots(this.#table.find("[data-snapshots]"), lines.forward, (name) => this.recall(name), words);
  }
}
