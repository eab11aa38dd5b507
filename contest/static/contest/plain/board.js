// A level to play with the player's hands, keys and pointers, and nothing around it: for runs, and for other sites.

import { readSettings } from "../player/keep/settings.js";
import { startButtons } from "../player/input/controls.js";
import { listen } from "../player/input/input.js";
import { backAndForth } from "../player/page/acts.js";
import { DIRECTIONS, Hands } from "../player/page/hands.js";
import { Table } from "../player/page/table.js";
import { Lines } from "../player/play/lines.js";
import { deadSquares, lostBoxes } from "../player/rules/deadlocks.js";
import { Level } from "../player/rules/level.js";
import { LOST } from "../player/view/marks.js";
import { Sound } from "../player/view/sound.js";
import { BoardView } from "../player/view/view.js";

const POINTED = ["tap", "hold", "grab", "hover", "drop", "letGo", "swipe"];

export class PlainBoard {
  #table;
  #hands;
  #life = new AbortController();
  #dead;
  #last = { pushes: 0, isSolved: false };
  #changed;

  /**
   * Play the level of *text* in *root*, an element with a board frame, a line that speaks and buttons; it is used for
   * this level alone. *words* says sentences. *changed* hears of every position: {moves, pushes, isUndone, isLost,
   * isSolved}; *isUndone* if a push was taken back. *onward*, if given, is what the first act after the solution does.
   */
  constructor(root, text, { words, changed, onward = null }) {
    const level = Level.parse(text);
    const frame = root.querySelector("[data-board]");
    const { signal } = this.#life;
    const settings = { speed: "normal", swipes: true, fewest: "moves", hints: true, ...readSettings() };
    settings.preset ??= "default";
    const view = new BoardView(frame, level, { signal });
    view.set({ ruler: false });
    const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
    const parts = { root, frame, signal, level, view, words, facts: {}, lines: new Lines(level), store: { settings } };
    this.#table = new Table({ ...parts, sound: new Sound(), isStill });
    this.#hands = new Hands(this.#table);
    this.#changed = changed;
    this.#dead = deadSquares(level);
    this.#table.onChange((how) => this.#show(how));
    const act = (name) => (onward && this.isSolved ? onward() : this.#act(name));
    this.#hands.act = act;
    startButtons(root, act);
    listen(root, frame, view, this.#player(act, onward));
    this.#table.refresh();
  }

  /** Give the keys to the board. */
  focus() {
    this.#table.focus();
  }

  get isSolved() {
    return this.#table.play.isSolved;
  }

  get letters() {
    return this.#table.play.letters;
  }

  /** End the game; the element can be removed. */
  leave() {
    this.#life.abort();
  }

  /** What pointers and keys do: after the solution every tap leads on. */
  #player(act, onward) {
    const hands = this.#hands;
    const player = { act, preset: hands.preset, swipes: hands.swipes };
    for (const name of POINTED) player[name] = (cell) => (onward && this.isSolved ? this.#ifTapped(name, onward) : hands[name](cell));
    return player;
  }

  #ifTapped(name, onward) {
    if (name === "tap" || name === "swipe") onward();
    return false;
  }

  #act(name) {
    const [, kind, what] = /^(?:(push|run)-)?(.+)$/.exec(name);
    const { view } = this.#table;
    const zoom = (factor) => {
      const { x, y } = view.middleOf(this.#table.play.position.player);
      view.zoom(factor, x, y);
    };
    const own = {
      ...backAndForth(this.#table),
      ...this.#hands.acts,
      escape: () => this.#hands.rest(),
      "zoom-in": () => zoom(1.25),
      "zoom-out": () => zoom(0.8),
      fit: () => view.fit(),
    };
    if (what in DIRECTIONS) this.#hands.go(kind ?? "step", DIRECTIONS[what]);
    else own[name]?.();
  }

  #show({ isAnimated }) {
    const { play, view, level } = this.#table;
    const { position, isSolved } = play;
    const { moves, pushes } = position;
    if (!isAnimated) view.show(position);
    const lost = lostBoxes(level, position.boxes, this.#dead);
    view.mark(LOST, lost);
    view.follow(position.player);
    const isUndone = pushes < this.#last.pushes;
    if (isSolved && !this.#last.isSolved) this.#table.hear("solved");
    else if (pushes > this.#last.pushes) this.#table.hear("push");
    this.#last = { pushes, isSolved };
    this.#table.say("nothing");
    this.#changed({ moves, pushes, isUndone, isLost: lost.length > 0, isSolved });
  }
}
