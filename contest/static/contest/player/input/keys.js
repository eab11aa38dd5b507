// Which key means which act, in the presets that hands are used to. Keys go by their place (`KeyZ`), not by the letter
// an input method makes of them.

const ARROWS = { ArrowLeft: "left", ArrowUp: "up", ArrowRight: "right", ArrowDown: "down" };
const RUNS = {
  "Shift+ArrowLeft": "push-left",
  "Shift+ArrowUp": "push-up",
  "Shift+ArrowRight": "push-right",
  "Shift+ArrowDown": "push-down",
  "Ctrl+ArrowLeft": "run-left",
  "Ctrl+ArrowUp": "run-up",
  "Ctrl+ArrowRight": "run-right",
  "Ctrl+ArrowDown": "run-down",
};
const DIGITS = Object.fromEntries(
  [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((digit) => [
    [`Shift+Digit${digit}`, `keep-${digit}`],
    [`Digit${digit}`, `recall-${digit}`],
  ]),
);
const COMMON = {
  ...ARROWS,
  ...RUNS,
  ...DIGITS,
  KeyC: "cursor",
  Escape: "escape",
  "Ctrl+Enter": "submit",
  PageDown: "next",
  "Shift+Slash": "keys",
  Equal: "zoom-in",
  "Shift+Equal": "zoom-in",
  NumpadAdd: "zoom-in",
  Minus: "zoom-out",
  NumpadSubtract: "zoom-out",
  Digit0: "fit",
  KeyB: "reverse",
  "Shift+KeyB": "meet",
  KeyM: "mark-line",
  KeyI: "instant",
  KeyT: "through",
  KeyN: "numbers",
  KeyQ: "turn",
  "Shift+KeyQ": "mirror",
  "Shift+KeyL": "paste",
  "Shift+KeyM": "copy",
  "Alt+Shift+KeyM": "copy-rest",
  BracketLeft: "previous-change",
  BracketRight: "next-change",
  Comma: "back",
  Period: "forth",
};
const DEFAULT = {
  ...COMMON,
  KeyA: "left",
  KeyW: "up",
  KeyD: "right",
  KeyS: "down",
  "Shift+KeyA": "push-left",
  "Shift+KeyW": "push-up",
  "Shift+KeyD": "push-right",
  "Shift+KeyS": "push-down",
  KeyZ: "undo",
  Backspace: "undo",
  KeyX: "redo",
  Space: "redo",
  "Shift+KeyZ": "undo-push",
  "Shift+KeyX": "redo-push",
  "Alt+KeyZ": "back",
  "Alt+KeyX": "forth",
  KeyR: "restart",
  Home: "first",
  End: "last",
  KeyP: "play",
  KeyE: "parity",
  Enter: "enter",
};
/** The keys of 推箱快手 (BoxMan) for Windows, but for those that belong to the browser. */
const BOXMAN = {
  ...COMMON,
  KeyZ: "undo",
  Backspace: "undo",
  KeyX: "redo",
  Space: "redo",
  Enter: "redo",
  KeyA: "back",
  KeyS: "forth",
  "Ctrl+Home": "restart",
  "Ctrl+End": "last",
  Home: "play-back",
  End: "play",
  KeyE: "parity",
  Slash: "turn",
  NumpadDivide: "turn",
  NumpadMultiply: "unturn",
  "Shift+Digit8": "unturn",
  "Shift+Digit5": "keep-5",
  "Shift+Digit6": "keep-6",
  "Shift+Digit7": "keep-7",
  KeyC: "enter",
};
const VIM = {
  ...COMMON,
  KeyH: "left",
  KeyJ: "down",
  KeyK: "up",
  KeyL: "right",
  "Shift+KeyH": "push-left",
  "Shift+KeyJ": "push-down",
  "Shift+KeyK": "push-up",
  "Shift+KeyL": "push-right",
  KeyU: "undo",
  "Ctrl+KeyR": "redo",
  "Shift+KeyU": "undo-push",
  "Alt+KeyU": "back",
  KeyX: "forth",
  "Shift+KeyR": "restart",
  "Shift+KeyG": "last",
  KeyG: "first",
  KeyP: "play",
  KeyE: "parity",
  Enter: "enter",
  "Shift+KeyP": "paste",
  KeyY: "copy",
  "Shift+KeyY": "copy-rest",
};

export const PRESETS = { default: DEFAULT, boxman: BOXMAN, vim: VIM };

/** What else the hands of a preset expect of the mouse. */
export const MOUSE = {
  default: {},
  boxman: { wheelUndoes: true, rightButtonUndoes: true },
  vim: {},
};

/** The act of a key event in *preset*, or null. Keys that an input method is composing with mean nothing. */
export function actOf(preset, event) {
  if (event.isComposing || event.metaKey) return null;
  return PRESETS[preset][chord(event)] ?? null;
}

/** The first key of *act* in *preset* as people write it, such as "Shift+Z"; empty where it has none. */
export function keyOf(preset, act) {
  const found = Object.entries(PRESETS[preset]).find(([, meant]) => meant === act);
  return found ? written(found[0]) : "";
}

/** Every act of *preset* with all its keys, in the order of the table: [act, [key, …]]. */
export function sheet(preset) {
  const keys = new Map();
  for (const [key, act] of Object.entries(PRESETS[preset])) {
    if (!keys.has(act)) keys.set(act, []);
    keys.get(act).push(written(key));
  }
  return [...keys];
}

/** A key event by the key's place and what is held with it, such as "Shift+KeyZ". */
export function chord({ code, ctrlKey, altKey, shiftKey }) {
  return `${ctrlKey ? "Ctrl+" : ""}${altKey ? "Alt+" : ""}${shiftKey ? "Shift+" : ""}${code}`;
}

const WRITTEN = {
  ArrowLeft: "←",
  ArrowUp: "↑",
  ArrowRight: "→",
  ArrowDown: "↓",
  BracketLeft: "[",
  BracketRight: "]",
  Comma: ",",
  Period: ".",
  Slash: "/",
  Equal: "=",
  Minus: "-",
  Escape: "Esc",
  NumpadAdd: "Num +",
  NumpadSubtract: "Num -",
  NumpadDivide: "Num /",
  NumpadMultiply: "Num *",
};

function written(key) {
  const parts = key.split("+");
  const code = parts.pop();
  return [...parts, WRITTEN[code] ?? code.replace(/^(Key|Digit)/, "")].join("+");
}
