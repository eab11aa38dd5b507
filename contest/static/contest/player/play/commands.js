// The game in words, for those who do not look at the board: what a line of text asks for, and what is said of a
// position. What is said is a list of [key of a sentence, its values]; the sentences belong to the page.

import { lostBoxes } from "../rules/deadlocks.js";
import { BOX, GOAL, PLAYER, WALL } from "../rules/letters.js";
import { measure } from "../rules/metrics.js";
import { Moves } from "../rules/moves.js";
import { pushTargets } from "../rules/paths.js";
import { namedSquare, squareName } from "../rules/squares.js";

/** Every command with its other names. None consists of the letters of moves alone. */
const NAMES = {
  help: ["help", "?", "帮助"],
  look: ["look", "board", "看"],
  row: ["row", "行"],
  column: ["column", "列"],
  boxes: ["boxes", "箱子"],
  goals: ["goals", "目标"],
  where: ["where", "man", "位置"],
  box: ["box", "选"],
  to: ["to", "go", "到"],
  undo: ["undo", "撤销"],
  redo: ["redo", "重做"],
  restart: ["restart", "重来"],
  count: ["count", "步数"],
  best: ["best", "最佳"],
  moves: ["moves", "solution", "答案"],
  rest: ["rest", "剩余"],
  load: ["load", "载入"],
  first: ["first", "开头"],
  last: ["last", "末尾"],
  at: ["at", "第"],
  keep: ["keep", "保存"],
  recall: ["recall", "读取"],
  who: ["who", "谁能到"],
  through: ["through", "穿越"],
  shorten: ["shorten", "优化"],
  unvisited: ["unvisited", "未到过"],
  lost: ["lost", "死锁"],
  metrics: ["metrics", "统计"],
  level: ["level", "关卡"],
  rank: ["rank", "名次"],
  submit: ["submit", "send", "提交"],
};
const SNAPSHOT = /^[1-9]$/;
const COMMANDS = new Map(Object.entries(NAMES).flatMap(([command, names]) => names.map((name) => [name, command])));

/** What *line* asks for: {command, words}, {command: "play", moves} or {command: "unknown", words: the line}. */
export function read(line) {
  const text = line.trim();
  if (!text) return { command: "look", words: "" };
  const [, name, rest] = /^(\S+)\s*(.*)$/s.exec(text);
  const command = COMMANDS.get(name.toLowerCase());
  if (command) return { command, words: rest };
  try {
    return { command: "play", moves: Moves.parse(text).steps };
  } catch {
    return { command: "unknown", words: text };
  }
}

/**
 * Text mode on a *play*: one line in, what to say out. Of the page are asked *best*, *rank*, *fewest*, *submit*, *load*,
 * *shorten*, *keep* and *recall*. What *rank* says comes later, so the answer to it is a promise.
 */
export class Commands {
  #play;
  #page;
  #box = null;

  constructor(play, page) {
    this.#play = play;
    this.#page = page;
  }

  /** The commands by their names, for the help. */
  static get names() {
    return NAMES;
  }

  answer(line) {
    const { command, ...rest } = read(line);
    return this[command](rest);
  }

  // Looking

  help() {
    return [["textHelp", {}]];
  }

  look() {
    const { level, position } = this.#play;
    return [...drawn(level, position).map((row) => ["verbatim", { text: row }]), ...this.where(), ...this.count()];
  }

  where() {
    return [["manAt", { square: this.#name(this.#play.position.player) }]];
  }

  row({ words }) {
    const { level } = this.#play;
    const row = Number(words) - 1;
    if (!Number.isInteger(row) || row < 0 || row >= level.height) return [["noRow", { rows: level.height }]];
    const cells = Array.from({ length: level.width }, (_, column) => row * level.width + column);
    return this.#line("rowIs", row + 1, cells);
  }

  column({ words }) {
    const { level } = this.#play;
    const top = namedSquare(level, `${words.trim()}1`);
    if (top === null) return [["noColumn", { last: squareName(level, level.width - 1).replace(/\d+$/, "") }]];
    const cells = Array.from({ length: level.height }, (_, row) => row * level.width + top);
    return this.#line("columnIs", words.trim().toUpperCase(), cells);
  }

  boxes() {
    const { level, position } = this.#play;
    const names = position.boxes.map((cell) => this.#name(cell) + (level.cells[cell] & GOAL ? "*" : ""));
    return [["boxesAt", { squares: names.join(" "), home: position.home, boxes: level.boxes.length }]];
  }

  goals() {
    const { level, position } = this.#play;
    const filled = new Set(position.boxes);
    const names = level.goals.map((cell) => this.#name(cell) + (filled.has(cell) ? "*" : ""));
    return [["goalsAt", { squares: names.join(" ") }]];
  }

  count() {
    const { level, position } = this.#play;
    const { moves, pushes, home } = position;
    return [["counted", { moves, pushes, home, boxes: level.boxes.length }]];
  }

  best() {
    return this.#page.best();
  }

  moves() {
    return [["verbatim", { text: this.#play.letters || "-" }]];
  }

  rest() {
    return [["verbatim", { text: this.#play.rest || "-" }]];
  }

  rank() {
    return this.#page.rank();
  }

  /** Which boxes can be pushed to a square. */
  who({ words }) {
    const { level, position } = this.#play;
    const cell = namedSquare(level, words);
    if (cell === null) return [["noSquare", { square: words.trim().toUpperCase() }]];
    const found = position.boxes.filter((box) => pushTargets(position, box).has(cell));
    const values = { square: this.#name(cell), squares: this.#names(found) };
    return [[found.length ? "canCome" : "noneCanCome", values]];
  }

  unvisited() {
    const seen = this.#play.visited;
    const cells = [...this.#play.level.reach].filter((cell) => !seen.has(cell)).sort((one, other) => one - other);
    return [["unvisitedAt", { squares: this.#names(cells) || "-" }]];
  }

  lost() {
    const { level, position } = this.#play;
    return [["lostAt", { squares: this.#names(lostBoxes(level, position.boxes)) || "-" }]];
  }

  metrics() {
    const { box_lines: lines, box_changes: changes, push_runs: runs, player_lines: walks } = measure(this.#play.letters);
    return [["metricsAre", { lines, changes, runs, walks }]];
  }

  /** The level as text: XSB, "rle" or "mf8". */
  level({ words }) {
    const { level } = this.#play;
    const texts = { rle: level.runLengthText, mf8: level.mf8Text };
    return [["verbatim", { text: texts[words.trim().toLowerCase()] ?? level.toString() }]];
  }

  // Playing

  play({ moves }) {
    this.#box = null;
    const made = this.#play.follow(moves);
    if (made.length === moves.length) return this.#after();
    const letter = moves[made.length];
    return [["stoppedAt", { step: made.length + 1, letter, made: made.length }], ...this.count()];
  }

  box({ words }) {
    const { level, position } = this.#play;
    const cell = namedSquare(level, words);
    if (cell === null || !position.boxes.includes(cell)) return [["noBox", { square: words.trim().toUpperCase() }]];
    this.#box = cell;
    const targets = pushTargets(position, cell).cells.map((target) => this.#name(target));
    if (!targets.length) return [["stuckBox", { square: this.#name(cell) }]];
    return [["pushableTo", { square: this.#name(cell), count: targets.length, squares: targets.join(" ") }]];
  }

  to({ words }) {
    const { level, position } = this.#play;
    const cell = namedSquare(level, words);
    if (cell === null) return [["noSquare", { square: words.trim().toUpperCase() }]];
    const box = this.#box;
    if (box === null || !position.boxes.includes(box)) {
      return this.#play.walkTo(cell).length ? this.#after() : [["noWay", { square: this.#name(cell) }]];
    }
    if (!this.#play.pushTo(box, cell, this.#page.fewest()).length) return [["noPush", { square: this.#name(cell) }]];
    this.#box = cell;
    return this.#after();
  }

  undo() {
    this.#play.undo();
    return [...this.where(), ...this.count()];
  }

  redo() {
    this.#play.redo();
    return [...this.where(), ...this.count()];
  }

  restart() {
    this.#play.restart();
    return [...this.where(), ...this.count()];
  }

  first() {
    return this.#sought(0);
  }

  last() {
    return this.#sought(this.#play.length);
  }

  at({ words }) {
    const at = Number(words);
    return words.trim() && Number.isInteger(at) ? this.#sought(at) : [["noMoment", { last: this.#play.length }]];
  }

  keep({ words }) {
    const name = words.trim() || "1";
    if (!SNAPSHOT.test(name)) return [["noSnapshot", { name }]];
    this.#page.keep(name);
    return [["snapshotKept", { name }]];
  }

  recall({ words }) {
    const name = words.trim() || "1";
    if (!this.#play.snapshots.has(name)) return [["noSnapshot", { name }]];
    this.#page.recall(name);
    return [["snapshotBack", { name }], ...this.where(), ...this.count()];
  }

  load({ words }) {
    this.#page.load(words);
    return [...this.where(), ...this.count()];
  }

  /** Walk to a square through boxes, which stand as before in the end; what it cost is said. */
  through({ words }) {
    const cell = namedSquare(this.#play.level, words);
    if (cell === null) return [["noSquare", { square: words.trim().toUpperCase() }]];
    const way = this.#play.throughWay(cell);
    if (!way) return [["noWay", { square: this.#name(cell) }]];
    this.#play.follow(way);
    return this.#after();
  }

  shorten() {
    return this.#page.shorten();
  }

  submit() {
    return this.#page.submit();
  }

  unknown({ words }) {
    return [["unknownCommand", { words }]];
  }

  #after() {
    const { isSolved, position } = this.#play;
    const { moves, pushes } = position;
    return isSolved ? [["solvedIn", { moves, pushes }], ["howToSubmit", {}]] : [...this.where(), ...this.count()];
  }

  #sought(at) {
    this.#play.seek(at);
    return [...this.where(), ...this.count()];
  }

  #name(cell) {
    return squareName(this.#play.level, cell);
  }

  #names(cells) {
    return cells.map((cell) => this.#name(cell)).join(" ");
  }

  /** A row or column in runs of the same: "wall A1–C1, floor D1". */
  #line(key, line, cells) {
    const { level, position } = this.#play;
    const boxes = new Set(position.boxes);
    const runs = [];
    for (const cell of cells) {
      const what = standsOn(level, position, boxes, cell);
      if (runs.at(-1)?.what === what) runs.at(-1).last = cell;
      else runs.push({ what, first: cell, last: cell });
    }
    const parts = runs.map(({ what, first, last }) => ({
      what,
      squares: first === last ? this.#name(first) : `${this.#name(first)}–${this.#name(last)}`,
    }));
    return [[key, { line, parts }]];
  }
}

function standsOn(level, position, boxes, cell) {
  if (level.cells[cell] & WALL) return "wall";
  const isGoal = level.cells[cell] & GOAL;
  if (boxes.has(cell)) return isGoal ? "boxOnGoal" : "box";
  if (cell === position.player) return isGoal ? "manOnGoal" : "man";
  return isGoal ? "goal" : "floor";
}

/** The rows of the board in XSB as it stands now. */
export function drawn(level, position) {
  const cells = level.cells.map((content) => content & ~(BOX | PLAYER));
  for (const box of position.boxes) cells[box] |= BOX;
  cells[position.player] |= PLAYER;
  const glyphs = { [WALL]: "#", [GOAL]: ".", [BOX]: "$", [BOX | GOAL]: "*", [PLAYER]: "@", [PLAYER | GOAL]: "+" };
  const text = Array.from(cells, (content) => glyphs[content] ?? "-").join("");
  return Array.from({ length: level.height }, (_, row) => text.slice(row * level.width, (row + 1) * level.width));
}
