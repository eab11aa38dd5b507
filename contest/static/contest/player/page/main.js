// Introduces the game, the board, the hands and the page to each other.

import { Beating } from "../flow/beating.js";
import { Going } from "../flow/going.js";
import { Onward } from "../flow/onward.js";
import { Store } from "../keep/store.js";
import { Drawer } from "../paste/submit.js";
import { Lines } from "../play/lines.js";
import { Level } from "../rules/level.js";
import { showCounters, startButtons } from "../input/controls.js";
import { listen } from "../input/input.js";
import { listenToPads } from "../input/pads.js";
import { gather, startTabs } from "../input/tabs.js";
import { takeOver } from "../view/parts.js";
import { Sound } from "../view/sound.js";
import { startTextMode } from "../view/text.js";
import { Ticker } from "../view/ticker.js";
import { BoardView } from "../view/view.js";
import { speaker } from "../view/words.js";
import { Acts } from "./acts.js";
import { Ending } from "./ending.js";
import { Hands } from "./hands.js";
import { Hints } from "./hints.js";
import { Keeping } from "./keeping.js";
import { Looks } from "./looks.js";
import { Exchange } from "./lurd.js";
import { Menu } from "./menu.js";
import { MoveList } from "./movelist.js";
import { startNotes } from "./notes.js";
import { Offline } from "./offline.js";
import { Reversing } from "./reversing.js";
import { Table } from "./table.js";
import { Watching } from "./watching.js";

let game = null; // {hands, leave} of the level on the page

function tableOf(root, signal) {
  const level = Level.parse(root.dataset.level);
  const facts = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  const frame = root.querySelector("[data-board]");
  return new Table({
    root,
    frame,
    signal,
    level,
    facts,
    lines: new Lines(level),
    view: new BoardView(frame, level, { signal }),
    words: speaker({ ...facts.sentences, ...root.querySelector("[data-words]").dataset }),
    store: new Store(root.dataset.key),
    sound: new Sound(),
    beside: matchMedia("(width >= 56rem)"), // as in player.css: what else there is stands beside the board
    isStill: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
  });
}

async function start(root) {
  const life = new AbortController();
  const { signal } = life;
  takeOver(root);
  const table = tableOf(root, signal);
  const drawer = table.find("[data-drawer] form") && new Drawer(table.find("[data-drawer]"), table.words, { facts: table.facts });
  const hands = new Hands(table);
  const menu = new Menu(table);
  gather(root, table.beside, signal);
  startTabs(table.find("[data-beside]"), table.beside, signal);
  startNotes(table.find("[data-notes]"), table.store, table.find("[data-notes-lost]"));
  const reversing = new Reversing(table);
  const looks = new Looks(table);
  const watching = new Watching(table, new Ticker(), (play) => showCounters(root, play, table.lines.home));
  new MoveList(table, table.find("[data-move-list]"), (at) => watching.seek(at));
  const keeping = new Keeping(table);
  const onward = new Onward(table, drawer, going);
  const ending = new Ending(table, drawer, onward);
  const exchange = new Exchange(table, keeping);
  const hints = new Hints(table, table.facts.hints);
  const offline = new Offline(table);
  const beating = new Beating(table);
  const parts = { hands, looks, watching, keeping, onward, exchange, hints, reversing, menu, offline, beating };
  const acts = new Acts(table, parts, drawer);
  const end = () => {
    watching.pause();
    keeping.saveNow();
  };
  game = { hands, leave: () => [end(), life.abort()] };
  reversing.watch();
  startButtons(root, (name) => acts.act(name));
  const resuming = keeping.start();
  if (resuming) await resuming;
  looks.apply("all");
  hands.act = (name) => acts.act(name);
  listen(root, table.frame, table.view, hands);
  table.find("[data-time]").addEventListener("input", ({ target }) => watching.seek(Number(target.value)));
  startTextMode(table.find("[data-text]"), table.lines.forward, table.words, {
    ...ending.answers,
    fewest: () => table.settings.fewest,
    load: (text) => exchange.load(text),
    shorten: () => [exchange.shorten()],
    keep: (name) => keeping.keep(name),
    recall: (name) => keeping.recall(name),
    changed: () => table.jump(() => table.goForward()),
  });
  document.addEventListener("visibilitychange", end, { signal });
  window.addEventListener("pagehide", () => keeping.saveNow(), { signal });
  table.focus();
  await keeping.goOnWithReplay();
  await beating.start();
}

async function startNext() {
  const root = document.querySelector("[data-player]");
  await start(root);
  const says = root.querySelector("[data-says]");
  says.textContent ||= root.querySelector("[data-name]").textContent; // for who does not see that the board has changed
}

const going = new Going(() => game.leave(), startNext);
listenToPads({ act: (name) => game.hands.act(name) });
for (const root of document.querySelectorAll("[data-player]")) start(root);
