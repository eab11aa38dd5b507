// How the board looks: its room on the page, zoom, turning, the settings, and what is marked at every position.

import { deadSquares, lostBoxes } from "../rules/deadlocks.js";
import { showCounters, showKeys, startSettings } from "../input/controls.js";
import { LOST, UNVISITED } from "../view/marks.js";
import { chosenSkin } from "../view/skin.js";

const SHARE_OF_SCREEN = 0.6; // at least, on a wide page
const BELOW = 140; // CSS pixels that a wide page has below its board: words, time bar, branches
const ZOOM = 1.25;
const WORTH_TURNING = 1.25; // times as large, from where on turning is offered

export class Looks {
  #table;
  #deadSquares = null;
  #set;

  constructor(table) {
    this.#table = table;
    table.onChange((how) => this.#show(how));
    table.view.onZoom = () => this.#fitted();
    table.settings.skin = chosenSkin(table.settings);
    this.#set = startSettings(table.find("[data-settings]"), table.settings, (name) => this.apply(name));
    this.#size();
    window.addEventListener("resize", () => this.#size(), { signal: table.signal });
  }

  get acts() {
    const { settings, view } = this.#table;
    return {
      "zoom-in": () => this.#zoom(ZOOM),
      "zoom-out": () => this.#zoom(1 / ZOOM),
      fit: () => view.fit(),
      turn: () => this.#turn(view.turning.turned()),
      mirror: () => this.#turn(view.turning.mirrored()),
      unturn: () => this.#turn(0),
      instant: () => this.#set("speed", settings.speed === "instant" ? "normal" : "instant"),
      parity: () => this.#set("parity", !settings.parity),
      numbers: () => this.#set("numbers", !settings.numbers),
      through: () => {
        this.#set("through", !settings.through);
        this.#table.say(settings.through ? "throughOn" : "throughOff");
      },
      unvisited: () => this.#showUnvisited(),
    };
  }

  /** The squares from which no box gets to a goal; null where no hints are wanted. */
  get #dead() {
    const { settings, level } = this.#table;
    return settings.hints ? (this.#deadSquares ??= deadSquares(level)) : null;
  }

  #show({ isAnimated }) {
    const { play, lines, view, settings } = this.#table;
    const { position } = play;
    if (!isAnimated) view.show(position);
    view.mark(UNVISITED, []);
    view.mark(LOST, settings.hints && !lines.isBackward ? lostBoxes(this.#table.level, position.boxes, this.#dead) : []);
    view.follow(position.player);
    view.number(settings.numbers ? play.numbered : new Map());
    showCounters(this.#table.root, play, lines.home);
  }

  #fitted() {
    const { frame, view } = this.#table;
    frame.classList.toggle("zoomed", !view.isWhole);
    this.#table.find("[data-turn-offer]").hidden = view.gainByTurning < WORTH_TURNING;
  }

  #showUnvisited() {
    const seen = this.#table.play.visited;
    this.#table.view.mark(UNVISITED, [...this.#table.level.reach].filter((cell) => !seen.has(cell)));
  }

  /** Larger or smaller about the player. */
  #zoom(factor) {
    const { view, play } = this.#table;
    const { x, y } = view.middleOf(play.position.player);
    view.zoom(factor, x, y);
  }

  #turn(symmetry) {
    const { settings, store, view, play } = this.#table;
    settings.symmetry = symmetry;
    store.settings = settings;
    view.turn(symmetry);
    this.#size();
    view.show(play.position);
  }

  /** Give the frame the height its board wants at this width: on a wide page as high as the window lets it. */
  #size() {
    const { beside, frame, view } = this.#table;
    if (!beside.matches) {
      frame.style.height = ""; // there the board takes all the room there is
      return;
    }
    const above = frame.getBoundingClientRect().top + window.scrollY;
    this.#table.root.style.setProperty("--room", `${window.innerHeight - above}px`);
    const most = Math.max(window.innerHeight * SHARE_OF_SCREEN, window.innerHeight - above - BELOW);
    frame.style.height = `${view.heightFor(frame.clientWidth, most)}px`;
  }

  /** Do what the setting *name*, or "all" of them, asks for. */
  apply(name) {
    const { settings, view, root, words } = this.#table;
    if (name === "all" && settings.symmetry) view.turn(settings.symmetry);
    if (["all", "preset"].includes(name)) showKeys(root, settings.preset, words);
    view.set({ ruler: settings.ruler, parity: settings.parity, dead: this.#dead });
    this.#table.store.settings = settings;
    root.classList.toggle("contrast", settings.skin === "contrast");
    if (["all", "skin"].includes(name)) view.wear(settings.skin);
    if (["all", "ruler"].includes(name)) this.#size();
    if (["hints", "numbers"].includes(name)) this.#table.refresh();
  }
}
