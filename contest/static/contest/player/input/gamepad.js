// Game controllers of the standard layout (W3C Gamepad), told as acts by name: what a button does, and goes on doing.

/** Buttons by their number in that layout, as they are written on most, and their acts. */
const BUTTONS = [
  [14, "←", "left"],
  [12, "↑", "up"],
  [15, "→", "right"],
  [13, "↓", "down"],
  [1, "B", "undo"],
  [3, "Y", "redo"],
  [4, "LB", "undo-push"],
  [5, "RB", "redo-push"],
  [2, "X", "cursor"],
  [0, "A", "enter"],
  [8, "Back", "restart"],
  [9, "Start", "menu"],
];
const REPEATED = new Set(["left", "up", "right", "down", "undo", "redo", "undo-push", "redo-push"]);
const [FIRST, NEXT] = [350, 110]; // milliseconds until a button that is held does it again, and again
const [PUSHED, LET_GO] = [0.6, 0.4]; // of the stick's way: it trembles, and must not step at each of its tremblings

/** Every act with its buttons, in the order of the table: [act, [button, …]]. */
export const padSheet = () => BUTTONS.map(([, name, act]) => [act, [name]]);

/** What is held on game controllers, from one look to the next. */
export class Pads {
  #held = new Map(); // act: when it is due again

  /** The acts that are due at *now*, in milliseconds, by *pads* as `navigator.getGamepads()` gives them. */
  due(pads, now) {
    const held = new Set([...pads].filter((pad) => pad?.mapping === "standard").flatMap((pad) => this.#actsOf(pad)));
    for (const act of this.#held.keys()) if (!held.has(act)) this.#held.delete(act);
    return [...held].filter((act) => this.#isDue(act, now));
  }

  #isDue(act, now) {
    const isNew = !this.#held.has(act);
    if (!isNew && (!REPEATED.has(act) || now < this.#held.get(act))) return false;
    this.#held.set(act, now + (isNew ? FIRST : NEXT));
    return true;
  }

  #actsOf(pad) {
    const pressed = BUTTONS.filter(([number]) => pad.buttons[number]?.pressed).map(([, , act]) => act);
    return [...pressed, ...this.#stick(pad.axes)];
  }

  /** Where the left stick points, along its longer way. */
  #stick([x = 0, y = 0]) {
    const [way, act] = Math.abs(x) > Math.abs(y) ? [x, x < 0 ? "left" : "right"] : [y, y < 0 ? "up" : "down"];
    return Math.abs(way) > (this.#held.has(act) ? LET_GO : PUSHED) ? [act] : [];
  }
}
