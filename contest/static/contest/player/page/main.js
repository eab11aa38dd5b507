// Introduces the game, the board, the hands and the page to each other.

import { Level } from "../rules/level.js";
import { Play } from "../play/play.js";
import { deadSquares, lostBoxes } from "../rules/deadlocks.js";
import { pushRoutes, pushTargets, reach } from "../rules/paths.js";
import { solvedOn } from "../keep/daily.js";
import { handedOver } from "../keep/handed.js";
import { Exchange } from "./lurd.js";
import { Hints } from "./hints.js";
import { keepForOffline, onOffline } from "../keep/offline.js";
import { foretell, showPreview } from "../paste/preview.js";
import { Sound } from "../view/sound.js";
import { speaker } from "../view/words.js";
import { squareName } from "../rules/squares.js";
import { measured } from "../paste/verdict.js";
import { BoardView, CURSOR, LOST, REACH, SELECTED, Ticker, UNVISITED, WRONG } from "../view/view.js";
import { listen } from "../view/input.js";
import { Store, storage } from "../keep/store.js";
import { Drawer } from "../paste/submit.js";
import { startTextMode } from "../view/text.js";
import { showCounters, showKeys, showSnapshots, startButtons, startSettings } from "../view/controls.js";

const SPEEDS = { slow: 8, normal: 30, fast: 120, instant: 0 };
const INSTANT_PLAYBACK = 600; // steps a second where nothing is animated otherwise
const DIRECTIONS = { left: 0, up: 1, right: 2, down: 3 };
const SHARE_OF_SCREEN = 0.72;
const BESIDE = 205; // CSS pixels that a wide page has above and below its board
const WIDE = 896; // CSS pixels, from where on the panel stands beside the board
const SQUARES_TO_COMPARE = 2_500; // above it the two ways of a box are not compared while the mouse moves
const ZOOM = 1.25;

class Player {
  constructor(root) {
    this.root = root;
    this.level = Level.parse(root.dataset.level);
    this.play = new Play(this.level);
    this.facts = JSON.parse(root.querySelector("script[type='application/json']").textContent);
    this.words = speaker({ ...this.facts.sentences, ...root.querySelector("[data-words]").dataset });
    this.numbersAt = this.facts.numbers; // everybody's numbers, or null where nothing is ranked
    this.sound = new Sound();
    this.store = new Store(root.dataset.key);
    this.settings = this.store.settings;
    this.frame = root.querySelector("[data-board]");
    this.view = new BoardView(this.frame, this.level, { onZoom: () => this.#showZoom() });
    this.ticker = new Ticker();
    this.selected = null; // the box to be pushed, with its routes
    this.routes = null;
    this.cursor = null;
    this.hovered = null;
    this.through = null; // {cell, way}: asked for once, done when asked for again
    this.wasSolved = false;
    this.isToBeSaved = false;
    this.drawer = root.querySelector("[data-drawer] form") && new Drawer(root.querySelector("[data-drawer]"), this.words);
  }

  async start() {
    for (const part of this.root.querySelectorAll("[data-scripted]")) part.hidden = false;
    for (const part of this.root.querySelectorAll("[data-unscripted]")) part.hidden = true;
    if (this.drawer) this.drawer.close();
    startButtons(this.root, (act) => this.act(act));
    this.hints = new Hints(this, this.facts.hints);
    this.exchange = new Exchange(this, this.root.querySelector("[data-lurd]"));
    this.set = startSettings(this.root.querySelector("[data-settings]"), this.settings, (name) => this.#applied(name));
    this.#size();
    window.addEventListener("resize", () => this.#size());
    const kept = this.store.load();
    const snapshots = this.store.loadSnapshots();
    // Without a wait where there is nothing to wait for: a key pressed at once counts.
    if (kept instanceof Promise || snapshots instanceof Promise) this.#resume(await kept, await snapshots);
    else this.#resume(kept, snapshots);
    this.#applied("all");
    listen(this.root, this.frame, this.view, this);
    this.root.querySelector("[data-time]").addEventListener("input", ({ target }) => this.seek(Number(target.value)));
    startTextMode(this.root.querySelector("[data-text]"), this.play, this.words, {
      best: () => this.#bestWords(),
      fewest: () => this.settings.fewest,
      submit: () => [[this.#openDrawer() ? "drawerOpen" : this.drawer ? "notSolvedYet" : "nothingTaken", {}]],
      rank: () => this.#foretold(),
      load: (text) => this.exchange.load(text),
      shorten: () => [this.exchange.shorten()],
      keep: (name) => this.keep(name),
      recall: (name) => this.recall(name),
      changed: () => this.changed(),
    });
    this.store.onOther(() => this.#showOther(true));
    this.drawer?.onName(() => this.#preview());
    onOffline((isOffline) => {
      this.root.querySelector("[data-offline]").hidden = !isOffline;
    });
    keepForOffline(this.facts.worker, this.facts.scope);
    document.addEventListener("visibilitychange", () => {
      this.#pause();
      this.#saveNow();
    });
    window.addEventListener("pagehide", () => this.#saveNow());
    this.frame.focus({ preventScroll: true });
    await this.#goOnWithReplay();
  }

  get preset() {
    return this.settings.preset;
  }

  get swipes() {
    return this.settings.swipes;
  }

  // Acts by name: from keys, buttons and the mouse

  act(name) {
    if (name !== "play" && name !== "play-back") this.#pause();
    const [, kind, what] = /^(?:(push|run|keep|recall)-)?(.+)$/.exec(name);
    if (kind === "keep" || kind === "recall") this[kind](what);
    else if (what in DIRECTIONS) this.#go(kind ?? "step", DIRECTIONS[what]);
    else (this.#acts[name] ?? this.exchange.acts[name] ?? this.hints.acts[name])();
  }

  #acts = {
    undo: () => this.#jump(() => this.play.undo()),
    redo: () => this.shown((play) => play.redo()),
    "undo-push": () => this.#jump(() => this.play.undo("push")),
    "redo-push": () => this.shown((play) => play.redo("push")),
    back: () => this.#jump(() => this.play.undo("step")),
    forth: () => this.#jump(() => this.play.redo("step")),
    restart: () => this.#jump(() => this.play.restart()),
    first: () => this.seek(0),
    last: () => this.seek(this.play.length),
    "previous-change": () => this.#jump(() => this.play.previousBoxChange()),
    "next-change": () => this.shown((play) => play.nextBoxChange()),
    play: () => this.#playOn(1),
    "play-back": () => this.#playOn(-1),
    keep: () => this.keep(this.#freeSnapshot()),
    "zoom-in": () => this.#zoom(ZOOM),
    "zoom-out": () => this.#zoom(1 / ZOOM),
    fit: () => this.view.fit(),
    turn: () => this.#turn(this.view.turning.turned()),
    mirror: () => this.#turn(this.view.turning.mirrored()),
    unturn: () => this.#turn(0),
    instant: () => this.set("speed", this.settings.speed === "instant" ? "normal" : "instant"),
    parity: () => this.set("parity", !this.settings.parity),
    numbers: () => this.set("numbers", !this.settings.numbers),
    through: () => {
      this.set("through", !this.settings.through);
      this.say(this.settings.through ? "throughOn" : "throughOff");
    },
    "take-other": () => this.#takeOther(),
    cursor: () => this.#toggleCursor(),
    enter: () => (this.cursor === null ? this.#toggleCursor() : this.tap(this.cursor)),
    escape: () => this.#escape(),
    keys: () => this.#open("[data-sheet]"),
    paste: () => this.#open("[data-lurd]"),
    unvisited: () => this.#showUnvisited(),
    submit: () => this.#openDrawer() || this.say(this.drawer ? "notSolvedYet" : "nothingTaken"),
  };

  #go(kind, seen) {
    if (this.cursor !== null) {
      this.#moveCursor(seen);
      return;
    }
    const direction = this.view.turning.published(seen);
    const refusal = this.play.position.refusal(direction);
    if (refusal) this.say(refusal === "wall" || refusal === "off_the_map" ? "wallThere" : "boxStuck");
    else this.shown((play) => play[kind](direction));
  }

  // What pointers mean

  tap(cell) {
    this.frame.focus({ preventScroll: true });
    if (cell === null) this.#select(null);
    else if (this.routes?.has(cell)) this.drop(cell);
    else if (cell === this.selected) this.#select(null);
    else if (this.#isBox(cell)) this.#select(cell);
    else if (cell === this.play.position.player) this.#showReach();
    else this.#walkTo(cell);
  }

  #walkTo(cell) {
    const isFree = this.selected === null;
    const asked = this.through;
    this.#select(null);
    if (asked?.cell === cell) {
      this.shown((play) => play.follow(asked.way));
      return;
    }
    const steps = this.shown((play) => play.walkTo(cell));
    if (steps.length || !isFree) return;
    const way = this.settings.through ? this.play.throughWay(cell) : null;
    if (way) this.#askThrough(cell, way);
    else this.say("noWay", { square: squareName(this.level, cell) });
  }

  /** Say what a way through boxes costs; a second tap on the same square goes it. */
  #askThrough(cell, way) {
    this.through = { cell, way };
    this.view.mark(CURSOR, [cell]);
    const pushes = way.replaceAll(/[a-z]/g, "").length;
    this.say("throughCosts", { square: squareName(this.level, cell), moves: way.length, pushes });
  }

  /** Which boxes can be pushed to *cell*. */
  hold(cell) {
    if (cell === null) return;
    this.#select(null);
    const { position } = this.play;
    const found = position.boxes.filter((box) => pushTargets(position, box).has(cell));
    this.view.mark(SELECTED, found);
    this.view.mark(CURSOR, [cell]);
    const squares = found.map((box) => squareName(this.level, box)).join(" ");
    this.say(found.length ? "canCome" : "noneCanCome", { square: squareName(this.level, cell), squares });
  }

  grab(cell) {
    if (!this.#isBox(cell)) return false;
    this.#select(cell);
    return true;
  }

  hover(cell) {
    if (!this.routes || this.cursor !== null || cell === this.hovered) return;
    this.hovered = cell;
    const isTarget = cell !== null && this.routes.has(cell);
    this.view.mark(CURSOR, isTarget ? [cell] : []);
    if (isTarget) this.#sayCosts(cell);
  }

  /** What the box costs on its two ways to *cell*: the two rankings want different ones. */
  #sayCosts(cell) {
    const { position } = this.play;
    if (position.squares.length > SQUARES_TO_COMPARE) return;
    const [byMoves, byPushes] = ["moves", "pushes"].map((fewest) => {
      const routes = pushRoutes(position, this.selected, fewest, cell);
      return `${routes.moves(cell)} / ${routes.pushes(cell)}`;
    });
    this.say("costs", { square: squareName(this.level, cell), byMoves, byPushes });
  }

  drop(cell) {
    const { selected } = this;
    this.view.mark(CURSOR, this.cursor === null ? [] : [this.cursor]);
    if (cell === null || !this.routes?.has(cell)) return;
    this.#select(null);
    this.shown((play) => play.pushTo(selected, cell, this.settings.fewest));
  }

  letGo() {
    this.#select(null);
  }

  swipe(direction) {
    this.#go("step", direction);
  }

  #isBox(cell) {
    return this.play.position.boxes.includes(cell);
  }

  #select(cell) {
    this.selected = cell;
    this.through = null;
    this.hovered = null;
    this.routes = cell === null ? null : pushTargets(this.play.position, cell);
    this.view.mark(SELECTED, cell === null ? [] : [cell]);
    this.view.mark(REACH, this.routes?.cells ?? []);
    this.view.mark(WRONG, []);
    this.view.mark(CURSOR, this.cursor === null ? [] : [this.cursor]);
    if (cell === null) return;
    const values = { square: squareName(this.level, cell), count: this.routes.cells.length };
    this.say(values.count ? "boxSelected" : "stuckBox", values);
  }

  #showReach() {
    this.#select(null);
    this.view.mark(REACH, reach(this.play.position));
  }

  // The cursor on the board, moved by keys

  #toggleCursor() {
    this.#setCursor(this.cursor === null ? this.play.position.player : null);
    this.say(this.cursor === null ? "cursorOff" : "cursorOn");
  }

  #setCursor(cell) {
    this.cursor = cell;
    this.view.mark(CURSOR, cell === null ? [] : [cell]);
    if (cell !== null) this.view.follow(cell);
  }

  #moveCursor(direction) {
    const [column, row] = this.view.turning.place(this.cursor);
    const [x, y] = [[-1, 0], [0, -1], [1, 0], [0, 1]][direction];
    const cell = this.view.turning.cell(column + x, row + y);
    if (cell === null) return;
    this.#setCursor(cell);
    if (this.routes?.has(cell)) this.#sayCosts(cell);
    else this.say("cursorAt", { square: squareName(this.level, cell), what: this.words(this.#whatIsOn(cell)) });
  }

  #whatIsOn(cell) {
    const { position } = this.play;
    if (this.#isBox(cell)) return "box";
    if (cell === position.player) return "man";
    return position.squares[position.arena.square(cell)] ? "wall" : this.level.goals.includes(cell) ? "goal" : "floor";
  }

  #escape() {
    if (this.selected !== null || this.cursor !== null) {
      this.#select(null);
      this.#setCursor(null);
    } else if (this.drawer?.isOpen) {
      this.drawer.close();
    } else {
      this.act("restart");
    }
  }

  // Showing what happened

  /** Let the game make steps and show them one after the other; return them. */
  shown(make) {
    const before = this.play.position;
    const steps = make(this.play);
    const speed = this.#speed();
    if (steps.length > 1 && speed) this.view.animate(before, steps, speed);
    this.changed({ isAnimated: steps.length > 1 && speed > 0 });
    return steps;
  }

  #speed() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : SPEEDS[this.settings.speed];
  }

  #jump(go) {
    go();
    this.changed();
  }

  seek(at) {
    this.#pause();
    this.#jump(() => this.play.seek(at));
  }

  /** Show and store the present position. */
  changed({ isAnimated = false, isSaved = false } = {}) {
    const { position } = this.play;
    this.#select(null);
    if (!isAnimated) this.view.show(position);
    this.view.mark(UNVISITED, []);
    this.view.mark(LOST, this.settings.hints ? lostBoxes(this.level, position.boxes, this.dead) : []);
    this.view.follow(position.player);
    this.view.number(this.settings.numbers ? this.play.numbered : new Map());
    showCounters(this.root, this.play);
    if (!isSaved) this.#save();
    this.#announce();
  }

  #announce() {
    const { isSolved, position } = this.play;
    const { moves, pushes, home } = position;
    const isNew = isSolved && !this.wasSolved;
    this.wasSolved = isSolved;
    this.root.querySelector("[data-solved]").hidden = !isSolved;
    if (this.settings.sound) this.#sounds({ isNew, pushes, home });
    this.lastPushes = pushes;
    if (isSolved) {
      this.store.keepBest({ moves, pushes, lurd: this.play.letters });
      this.#showBest();
      this.root.querySelector("[data-solved-words]").textContent = this.words("solvedIn", { moves, pushes });
      this.root.querySelector("[data-measures]").replaceChildren(...measured(this.play.letters, this.words));
      this.#preview();
    }
    if (isNew && this.facts.daily) solvedOn(storage(), this.facts.daily, Date.now());
    if (isNew) this.say("solvedIn", { moves, pushes });
    else if (home !== this.lastHome) this.say("homeNow", { home, boxes: this.level.boxes.length });
    else this.say("nothing");
    this.lastHome = home;
  }

  #sounds({ isNew, pushes, home }) {
    if (isNew) this.sound.play("solved");
    else if (home > this.lastHome) this.sound.play("home");
    else if (pushes > this.lastPushes) this.sound.play("push");
  }

  /** What rank the solution on the board would take, by the numbers that everybody can read (rule 7.7). */
  async #preview() {
    const { position, isSolved } = this.play;
    const place = this.root.querySelector("[data-preview]");
    place.hidden = !(isSolved && this.numbersAt && this.drawer);
    if (place.hidden) return;
    const said = await foretell(this.numbersAt, position, this.drawer.nickname);
    if (position === this.play.position) showPreview(place, said, this.words);
  }

  /** The same for text mode: its own best where the level is not solved now. */
  async #foretold() {
    const { moves } = this.store.best;
    const result = this.play.isSolved ? this.play.position : moves;
    if (!result) return [["notSolvedYet", {}]];
    return this.numbersAt && this.drawer ? foretell(this.numbersAt, result, this.drawer.nickname) : [["nothingTaken", {}]];
  }

  say(key, values) {
    this.root.querySelector("[data-says]").textContent = this.words(key, values);
  }

  #showBest() {
    const { moves, pushes } = this.store.best;
    for (const [name, best] of Object.entries({ moves, pushes })) {
      const button = this.root.querySelector(`[data-act="load-${name}"]`);
      button.hidden = !best;
      if (best) button.textContent = `${best.moves} / ${best.pushes}`;
    }
    this.root.querySelector("[data-own-best]").hidden = !moves;
  }

  #bestWords() {
    const { moves, pushes } = this.store.best;
    const own = moves ? [["ownBest", { byMoves: `${moves.moves}/${moves.pushes}`, byPushes: `${pushes.moves}/${pushes.pushes}` }]] : [["noOwnBest", {}]];
    const round = [...this.root.querySelectorAll("[data-round-best]")].map((best) => ["verbatim", { text: best.textContent }]);
    return [...own, ...round];
  }

  #showUnvisited() {
    const seen = this.play.visited;
    this.view.mark(UNVISITED, [...this.level.reach].filter((cell) => !seen.has(cell)));
  }

  /** Larger or smaller about the player. */
  #zoom(factor) {
    const { x, y } = this.view.middleOf(this.play.position.player);
    this.view.zoom(factor, x, y);
  }

  #showZoom() {
    this.frame.classList.toggle("zoomed", !this.view.isWhole);
  }

  #turn(symmetry) {
    this.settings.symmetry = symmetry;
    this.store.settings = this.settings;
    this.view.turn(symmetry);
    this.#size();
    this.view.show(this.play.position);
  }

  /** Give the frame the height its board wants at this width: on a wide page as high as the window lets it. */
  #size() {
    const share = window.innerHeight * SHARE_OF_SCREEN;
    const most = window.innerWidth < WIDE ? share : Math.max(share, window.innerHeight - BESIDE);
    const height = this.view.heightFor(this.frame.clientWidth, most);
    this.frame.style.height = `${height}px`;
  }

  #open(selector) {
    const part = this.root.querySelector(selector);
    part.open = true;
    (part.querySelector("textarea") ?? part.querySelector("summary")).focus();
    part.scrollIntoView({ block: "nearest" });
  }

  // Playing on by itself

  #playOn(direction) {
    if (this.ticker.isRunning) {
      this.#pause();
      return;
    }
    if (direction > 0 && this.play.at === this.play.length) this.#jump(() => this.play.seek(0));
    const perSecond = SPEEDS[this.settings.speed] || INSTANT_PLAYBACK;
    this.root.classList.add("playing");
    this.ticker.start(perSecond, (count) => {
      this.play.seek(this.play.at + direction * count);
      this.view.show(this.play.position);
      this.view.follow(this.play.position.player);
      showCounters(this.root, this.play);
      const goesOn = direction > 0 ? this.play.at < this.play.length : this.play.at > 0;
      if (!goesOn) this.#pause();
      return goesOn;
    });
  }

  #pause() {
    if (!this.root.classList.contains("playing")) return;
    this.ticker.stop();
    this.root.classList.remove("playing");
    this.changed();
  }

  // Keeping

  #resume(kept, snapshots) {
    this.play.snapshots = snapshots;
    if (kept) this.play.restore(kept);
    this.wasSolved = this.play.isSolved;
    this.lastHome = this.play.position.home;
    this.lastPushes = this.play.position.pushes;
    this.changed({ isSaved: true });
    this.#showBest();
    this.showSnapshots();
    if (this.play.at) this.say("resumed", { moves: this.play.at });
  }

  /** Go on where a replay was left: its moves are made up to there, the rest can be made again. */
  async #goOnWithReplay() {
    let given;
    try {
      given = await handedOver(location.hash);
    } catch {
      this.say("noReplay");
      return;
    }
    if (!given) return;
    history.replaceState(null, "", location.pathname + location.search); // a reload goes on with the game
    if (this.play.length) this.play.keep("before");
    this.store.saveSnapshots(this.play.snapshots);
    this.play.seek(0);
    this.play.follow(given.letters);
    this.seek(given.at);
    this.showSnapshots();
  }

  /** Store the game when this frame is drawn, so that no key waits for it, or at once when the page is left. */
  #save() {
    this.#showOther(false); // what is played last is kept
    if (this.isToBeSaved) return;
    this.isToBeSaved = true;
    requestAnimationFrame(() => setTimeout(() => this.#saveNow()));
  }

  #saveNow() {
    if (!this.isToBeSaved) return;
    this.isToBeSaved = false;
    const warning = this.root.querySelector("[data-unkept]");
    const show = (isLost) => () => {
      warning.hidden = !isLost;
    };
    this.store.save(this.play.kept, { stored: show(false), failed: show(true) });
  }

  #showOther(isThere) {
    this.root.querySelector("[data-other]").hidden = !isThere;
  }

  /** Go on with what another window has stored. */
  async #takeOther() {
    this.#resume(await this.store.load(), await this.store.loadSnapshots());
    this.#showOther(false);
    this.frame.focus({ preventScroll: true }); // the button that had it is hidden now
  }

  keep(name) {
    this.play.keep(name);
    this.store.saveSnapshots(this.play.snapshots);
    this.showSnapshots();
    this.say("snapshotKept", { name });
  }

  recall(name) {
    const isThere = this.play.recall(name);
    if (isThere) this.changed();
    this.say(isThere ? "snapshotBack" : "noSnapshot", { name });
  }

  #freeSnapshot() {
    const free = "123456789".split("").find((name) => !this.play.snapshots.has(name));
    return free ?? "9";
  }

  showSnapshots() {
    showSnapshots(this.root.querySelector("[data-snapshots]"), this.play, (name) => this.recall(name), this.words);
  }

  // Sending

  #openDrawer() {
    if (!this.drawer) return false;
    const { best } = this.store;
    const letters = this.play.isSolved ? this.play.letters : best.moves?.lurd;
    if (!letters) return false;
    this.drawer.open(letters);
    return true;
  }

  // Settings

  #applied(name) {
    const { settings } = this;
    if (name === "all" && settings.symmetry) this.view.turn(settings.symmetry);
    if (["all", "preset"].includes(name)) showKeys(this.root, settings.preset, this.words);
    this.dead = settings.hints ? deadSquares(this.level) : null;
    this.view.set({ ruler: settings.ruler, parity: settings.parity, dead: this.dead });
    this.store.settings = settings;
    this.root.classList.toggle("contrast", Boolean(settings.contrast));
    if (name === "contrast" || settings.contrast) this.view.repaint();
    if (["all", "ruler"].includes(name)) this.#size();
    if (["hints", "numbers"].includes(name)) this.changed();
  }
}

for (const root of document.querySelectorAll("[data-player]")) {
  new Player(root).start();
}
