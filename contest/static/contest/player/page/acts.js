// Acts by name, from keys, buttons and the mouse: each part of the page brings its own.

import { DIRECTIONS } from "./hands.js";

export class Acts {
  #table;
  #parts;
  #own;

  /** *parts* are hands, looks, watching, keeping and all others that have `acts`; *drawer* may be null. */
  constructor(table, parts, drawer) {
    this.#table = table;
    this.#parts = parts;
    this.#own = { ...backAndForth(table), ...this.#pages(drawer) };
  }

  act(called) {
    const { hands, keeping, onward, watching } = this.#parts;
    const name = called === "enter" && onward?.isOffered && !hands.isBusy ? "submit" : called;
    if (name !== "play" && name !== "play-back") watching.pause();
    const [, kind, what] = /^(?:(push|run|keep|recall)-)?(.+)$/.exec(name);
    if (kind === "keep" || kind === "recall") keeping[kind](what);
    else if (what in DIRECTIONS) hands.go(kind ?? "step", DIRECTIONS[what]);
    else this.#named(name)();
  }

  #named(name) {
    if (name in this.#own) return this.#own[name];
    for (const { acts } of Object.values(this.#parts)) if (name in acts) return acts[name];
    throw new Error(`Nothing is called ${name}.`);
  }

  #pages(drawer) {
    return {
      escape: () => this.#escape(drawer),
      keys: () => this.#open("[data-sheet]"),
      paste: () => this.#open("[data-lurd]"),
    };
  }

  #escape(drawer) {
    if (this.#parts.hands.isBusy) this.#parts.hands.rest();
    else if (drawer?.isOpen) drawer.close();
    else if (this.#parts.menu.isOpen) this.#parts.menu.close();
    else this.act("restart");
  }

  #open(selector) {
    const part = this.#table.find(selector);
    this.#parts.menu.open("menu");
    part.open = true;
    (part.querySelector("textarea") ?? part.querySelector("summary")).focus();
    part.scrollIntoView({ block: "nearest" });
  }
}

/** The acts that go through the history. */
export function backAndForth(table) {
  return {
    undo: () => table.jump((play) => play.undo()),
    redo: () => table.perform((play) => play.redo()),
    "undo-push": () => table.jump((play) => play.undo("push")),
    "redo-push": () => table.perform((play) => play.redo("push")),
    back: () => table.jump((play) => play.undo("step")),
    forth: () => table.jump((play) => play.redo("step")),
    restart: () => table.jump((play) => play.restart()),
    "previous-change": () => table.jump((play) => play.previousBoxChange()),
    "next-change": () => table.perform((play) => play.nextBoxChange()),
  };
}
