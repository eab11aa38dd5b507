// A page to play on that only notes what it is told.

import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { Lines } from "../../../contest/static/contest/player/play/lines.js";
import { Table } from "../../../contest/static/contest/player/page/table.js";
import { Turning } from "../../../contest/static/contest/player/view/turning.js";

export const BEND = "#######|#@--.-#|#-$---#|#-----#|#######";

class Board {
  marks = new Map();
  seen = [];

  constructor(level) {
    this.turning = new Turning(level);
  }

  mark(mark, cells) {
    this.marks.set(mark, [...cells]);
  }

  show(position) {
    this.seen.push(position);
  }

  slide() {
    this.seen.push(1);
  }

  animate(_before, steps) {
    this.seen.push(steps.length);
  }

  follow() {}

  wear() {}

  aim(cells) {
    this.aims = cells;
  }
}

class Part {
  value = "";
  addEventListener(name, heard) {
    this[name] = heard;
  }
  setAttribute(name, value) {
    this[name] = value;
  }
}

/** A table with a game on *board*; `said` are the keys of its sentences, `store` keeps nothing. */
export function tableOf(board = BEND, parts = {}) {
  const level = Level.parse(board);
  const said = [];
  const heard = [];
  const classes = new Set();
  const table = new Table({
    level,
    lines: new Lines(level),
    view: new Board(level),
    facts: {},
    words: (key) => key,
    frame: { focus() {} },
    root: { classList: { add: (name) => classes.add(name), remove: (name) => classes.delete(name), toggle: (name, isOn) => (isOn ? classes.add(name) : classes.delete(name)) } },
    store: { settings: { fewest: "moves", speed: "normal", preset: "default" } },
    isStill: () => false,
    sound: { play: (name) => heard.push(name) },
    ...parts,
  });
  const found = new Map();
  table.find = (selector) => found.get(selector) ?? found.set(selector, new Part()).get(selector);
  table.say = (key, values) => said.push(values ? [key, values] : [key]);
  return Object.assign(table, { said, heard, classes });
}
