// What keys and pointers mean on the board: steps, the box that is picked with the places it can go to, the cursor.

import { pushRoutes, pushTargets, reach } from "../rules/paths.js";
import { squareName } from "../rules/squares.js";
import { CURSOR, REACH, SELECTED, WRONG } from "../view/marks.js";

export const DIRECTIONS = { left: 0, up: 1, right: 2, down: 3 };
const AHEAD = [[-1, 0], [0, -1], [1, 0], [0, 1]];
const SQUARES_TO_COMPARE = 2_500; // above it the two ways of a box are not compared while the mouse moves

export class Hands {
  /** Does an act by its name; the page says how. */
  act = () => {};
  #table;
  #picked = null; // the box to be moved, with its routes
  #routes = null;
  #cursor = null;
  #hovered = null;
  #isPlacing = false; // the next square tapped is where the game played backwards begins
  #through = null; // {cell, way}: asked for once, done when asked for again

  constructor(table) {
    this.#table = table;
    table.onChange(() => this.letGo());
  }

  /** Whether a box is picked or the cursor is on. */
  get isBusy() {
    return this.#picked !== null || this.#cursor !== null;
  }

  get preset() {
    return this.#table.settings.preset;
  }

  get swipes() {
    return this.#table.settings.swipes;
  }

  /** What keys and buttons of this part do, by name. */
  get acts() {
    return {
      "begin-elsewhere": () => this.#askPlace(),
      cursor: () => this.#toggleCursor(),
      enter: () => (this.#cursor === null ? this.#toggleCursor() : this.tap(this.#cursor)),
    };
  }

  /** Make a "step" in the direction *seen*, or "run" or "push" on in it; with the cursor on, move that. */
  go(kind, seen) {
    if (this.#cursor !== null) {
      this.#moveCursor(seen);
      return;
    }
    const { play, view } = this.#table;
    const direction = view.turning.published(seen);
    const refusal = play.refusal(kind, direction);
    if (refusal) {
      this.#table.say(refusal);
      this.#table.hear("blocked");
    } else this.#table.perform((game) => game[kind](direction));
  }

  swipe(direction) {
    this.go("step", direction);
  }

  // Pointers

  tap(cell) {
    this.#table.focus();
    if (cell === null) this.letGo();
    else if (this.#isPlacing) this.#begin(cell);
    else if (this.#routes?.has(cell)) this.drop(cell);
    else if (cell === this.#picked) this.letGo();
    else if (this.#isBox(cell)) this.#pick(cell);
    else if (this.#table.lines.isBackward && !this.#table.play.length) this.#begin(cell);
    else if (cell === this.#position.player) this.#showReach();
    else this.#walkTo(cell);
  }

  #askPlace() {
    this.#isPlacing = true;
    this.#table.say("placeToBegin");
  }

  /** Begin the game played backwards on *cell*, or take up the one begun there. */
  #begin(cell) {
    this.#isPlacing = false;
    const isThere = this.#table.lines.begin(cell);
    this.#table.refresh();
    this.#table.say(isThere ? "beginsAt" : "cannotBegin", { square: this.#name(cell) });
  }

  #walkTo(cell) {
    const isFree = this.#picked === null;
    const asked = this.#through;
    this.letGo();
    if (asked?.cell === cell) {
      this.#table.perform((play) => play.follow(asked.way));
      return;
    }
    const steps = this.#table.perform((play) => play.walkTo(cell));
    if (steps.length || !isFree) return;
    const way = this.#table.settings.through ? this.#table.play.throughWay(cell) : null;
    if (way) this.#askThrough(cell, way);
    else this.#table.say("noWay", { square: this.#name(cell) });
  }

  /** Say what a way through boxes costs; a second tap on the same square goes it. */
  #askThrough(cell, way) {
    this.#through = { cell, way };
    this.#table.view.mark(CURSOR, [cell]);
    const pushes = way.replaceAll(/[a-z]/g, "").length;
    this.#table.say("throughCosts", { square: this.#name(cell), moves: way.length, pushes });
  }

  /** Which boxes can come to *cell*. */
  hold(cell) {
    if (cell === null) return;
    this.letGo();
    const found = this.#position.boxes.filter((box) => pushTargets(this.#position, box).has(cell));
    this.#table.view.mark(SELECTED, found);
    this.#table.view.mark(CURSOR, [cell]);
    const squares = found.map((box) => this.#name(box)).join(" ");
    this.#table.say(found.length ? "canCome" : "noneCanCome", { square: this.#name(cell), squares });
  }

  grab(cell) {
    if (!this.#isBox(cell)) return false;
    this.#pick(cell);
    return true;
  }

  hover(cell) {
    if (!this.#routes || this.#cursor !== null || cell === this.#hovered) return;
    this.#hovered = cell;
    const isTarget = cell !== null && this.#routes.has(cell);
    this.#table.view.mark(CURSOR, isTarget ? [cell] : []);
    if (isTarget) this.#sayCosts(cell);
  }

  /** What the box costs on its two ways to *cell*: the two rankings want different ones. */
  #sayCosts(cell) {
    if (this.#position.squares.length > SQUARES_TO_COMPARE) return;
    const [byMoves, byPushes] = ["moves", "pushes"].map((fewest) => {
      const routes = pushRoutes(this.#position, this.#picked, fewest, cell);
      return `${routes.moves(cell)} / ${routes.pushes(cell)}`;
    });
    this.#table.say("costs", { square: this.#name(cell), byMoves, byPushes });
  }

  drop(cell) {
    const box = this.#picked;
    this.#markCursor();
    if (cell === null || !this.#routes?.has(cell)) return;
    this.letGo();
    this.#table.perform((play) => play.pushTo(box, cell, this.#table.settings.fewest));
  }

  /** Pick no box any more. */
  letGo() {
    this.#pick(null);
  }

  #pick(cell) {
    const { view } = this.#table;
    this.#picked = cell;
    this.#through = null;
    this.#hovered = null;
    this.#routes = cell === null ? null : pushTargets(this.#position, cell);
    view.mark(SELECTED, cell === null ? [] : [cell]);
    view.mark(REACH, this.#routes?.cells ?? []);
    view.mark(WRONG, []);
    this.#markCursor();
    if (cell === null) return;
    const values = { square: this.#name(cell), count: this.#routes.cells.length };
    this.#table.say(values.count ? "boxSelected" : "stuckBox", values);
  }

  #showReach() {
    this.letGo();
    this.#table.view.mark(REACH, reach(this.#position));
  }

  // The cursor on the board, moved by keys

  #toggleCursor() {
    this.#setCursor(this.#cursor === null ? this.#position.player : null);
    this.#table.say(this.#cursor === null ? "cursorOff" : "cursorOn");
  }

  /** Let go of the box and switch the cursor off. */
  rest() {
    this.letGo();
    this.#setCursor(null);
  }

  #setCursor(cell) {
    this.#cursor = cell;
    this.#markCursor();
    if (cell !== null) this.#table.view.follow(cell);
  }

  #markCursor() {
    this.#table.view.mark(CURSOR, this.#cursor === null ? [] : [this.#cursor]);
  }

  #moveCursor(direction) {
    const { turning } = this.#table.view;
    const [column, row] = turning.place(this.#cursor);
    const [x, y] = AHEAD[direction];
    const cell = turning.cell(column + x, row + y);
    if (cell === null) return;
    this.#setCursor(cell);
    if (this.#routes?.has(cell)) this.#sayCosts(cell);
    else this.#table.say("cursorAt", { square: this.#name(cell), what: this.#table.words(this.#whatIsOn(cell)) });
  }

  #whatIsOn(cell) {
    const position = this.#position;
    if (this.#isBox(cell)) return "box";
    if (cell === position.player) return "man";
    const { goals } = position.arena.level;
    return position.squares[position.arena.square(cell)] ? "wall" : goals.includes(cell) ? "goal" : "floor";
  }

  get #position() {
    return this.#table.play.position;
  }

  #isBox(cell) {
    return this.#position.boxes.includes(cell);
  }

  #name(cell) {
    return squareName(this.#table.level, cell);
  }
}
