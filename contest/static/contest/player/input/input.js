// Keys and pointers, told as what the player means by them: acts by name, cells by number.

import { MOUSE, actOf } from "./keys.js";

const FAR = 8; // CSS pixels, from where on a press is a drag
const LONG = 550; // milliseconds, from when on a press without a drag is a question
const PRESSED = "[data-act], [data-move-list] button, [role=tab], summary";
const CHANGED = "[data-time], [data-settings] select, [data-settings] input";

/**
 * Listen to *root* for keys and to *frame*, where *view* shows the board, for pointers. *player* is told:
 *
 *     act(name)            a key or the mouse means this act
 *     tap(cell)            the cell (null outside) was pressed
 *     hold(cell)           it was pressed long
 *     grab(cell)           a drag begins there; true if there is something to drag
 *     hover(cell)          the mouse is over it, or a box is dragged over it; may be missing
 *     drop(cell), letGo()
 *     swipe(direction)     0 to 3 as seen on the screen
 *
 * and asked for *preset* and *swipes*.
 */
export function listen(root, frame, view, player) {
  root.addEventListener("keydown", (event) => onKey(event, player));
  giveKeysBack(root, frame);
  listenToPointers(frame, view, player);
}

/** After a control was used by mouse or finger the keys are the game's again; who reached it by keyboard stays there. */
function giveKeysBack(root, frame) {
  let isPointed = false;
  const point = (now) => {
    isPointed = now;
    root.classList.toggle("by-keys", !now); // a finger needs no frame about what it plays on
  };
  root.addEventListener("pointerdown", () => point(true), true);
  root.addEventListener("keydown", () => point(false), true);
  const give = (controls) => ({ target }) => {
    const control = target.closest(controls);
    const isNowhere = document.activeElement === document.body; // the control has gone with its own act
    if (isPointed && control && (isNowhere || control === document.activeElement)) frame.focus({ preventScroll: true });
  };
  root.addEventListener("click", give(PRESSED));
  root.addEventListener("change", give(CHANGED));
}

/** The same for pointers and the wheel alone. */
export function listenToPointers(frame, view, player) {
  const pointers = new Pointers(frame, view, player);
  frame.addEventListener("pointerdown", (event) => pointers.down(event));
  frame.addEventListener("pointermove", (event) => pointers.move(event));
  frame.addEventListener("pointerup", (event) => pointers.up(event));
  frame.addEventListener("pointercancel", (event) => pointers.cancel(event));
  // No click may follow a tap: it would hit the card that has come over the board by it.
  frame.addEventListener("touchend", (event) => event.cancelable && event.preventDefault());
  frame.addEventListener("wheel", (event) => onWheel(event, view, player), { passive: false });
  frame.addEventListener("contextmenu", (event) => {
    if (event.pointerType !== "touch" && !MOUSE[player.preset].rightButtonUndoes) return;
    event.preventDefault();
    if (event.pointerType !== "touch") player.act("undo-push");
  });
}

function onKey(event, player) {
  if (event.target.closest("input, select, textarea")) return;
  if (["Enter", "Space"].includes(event.code) && event.target.closest("button, a, summary")) return;
  const act = actOf(player.preset, event);
  if (!act) return;
  event.preventDefault();
  player.act(act);
}

function onWheel(event, view, player) {
  if (event.ctrlKey) {
    event.preventDefault();
    view.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX, event.clientY);
  } else if (MOUSE[player.preset].wheelUndoes) {
    event.preventDefault();
    player.act(event.deltaY < 0 ? "undo" : "redo");
  }
}

/** One finger or the mouse plays, two fingers move and zoom the board. */
class Pointers {
  #frame;
  #view;
  #player;
  #down = new Map();
  #press = null; // of the only pointer: {x, y, cell, kind}
  #timer = 0;

  constructor(frame, view, player) {
    this.#frame = frame;
    this.#view = view;
    this.#player = player;
  }

  down(event) {
    if (event.button !== 0) return;
    this.#frame.setPointerCapture(event.pointerId);
    this.#down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.#down.size > 1) {
      this.#end();
      return;
    }
    const cell = this.#view.cellAt(event.clientX, event.clientY);
    this.#press = { x: event.clientX, y: event.clientY, cell, kind: "tap" };
    this.#timer = setTimeout(() => this.#hold(), LONG);
  }

  move(event) {
    const last = this.#down.get(event.pointerId);
    if (!last) {
      if (event.pointerType === "mouse") this.#player.hover?.(this.#view.cellAt(event.clientX, event.clientY));
      return;
    }
    const now = { x: event.clientX, y: event.clientY };
    if (this.#down.size === 2) this.#pinch(event.pointerId, last, now);
    this.#down.set(event.pointerId, now);
    const press = this.#press;
    if (!press) return;
    if (press.kind === "tap" && Math.hypot(now.x - press.x, now.y - press.y) > FAR) {
      clearTimeout(this.#timer);
      press.kind = this.#dragKind(event, press.cell);
    }
    if (press.kind === "box") this.#player.hover?.(this.#view.cellAt(now.x, now.y));
    if (press.kind === "board") this.#view.pan(now.x - last.x, now.y - last.y);
  }

  up(event) {
    this.#down.delete(event.pointerId);
    const press = this.#press;
    this.#press = null;
    clearTimeout(this.#timer);
    if (!press) return;
    const { clientX: x, clientY: y } = event;
    if (press.kind === "tap") this.#player.tap(this.#view.cellAt(x, y));
    if (press.kind === "box") this.#player.drop(this.#view.cellAt(x, y));
    if (press.kind === "swipe") this.#player.swipe(directionOf(x - press.x, y - press.y));
  }

  cancel(event) {
    this.#down.delete(event.pointerId);
    this.#end();
  }

  #dragKind(event, cell) {
    if (cell !== null && this.#player.grab(cell)) return "box";
    return event.pointerType === "touch" && this.#player.swipes ? "swipe" : "board";
  }

  #hold() {
    if (this.#press?.kind !== "tap") return;
    this.#press.kind = "held";
    this.#player.hold(this.#press.cell);
  }

  #end() {
    clearTimeout(this.#timer);
    if (this.#press?.kind === "box") this.#player.letGo();
    this.#press = null;
  }

  #pinch(moving, last, now) {
    const [[, other]] = [...this.#down].filter(([id]) => id !== moving);
    const before = Math.hypot(last.x - other.x, last.y - other.y);
    const after = Math.hypot(now.x - other.x, now.y - other.y);
    if (before > 0) this.#view.zoom(after / before, (now.x + other.x) / 2, (now.y + other.y) / 2);
    this.#view.pan((now.x - last.x) / 2, (now.y - last.y) / 2);
  }
}

function directionOf(x, y) {
  if (Math.abs(x) > Math.abs(y)) return x < 0 ? 0 : 2;
  return y < 0 ? 1 : 3;
}
