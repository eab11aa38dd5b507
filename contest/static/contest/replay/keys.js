// Which key means which act while a replay is watched. Keys go by their place, as in the player.

import { chord } from "../player/input/keys.js";

const KEYS = {
  Space: "play",
  KeyP: "play",
  ArrowLeft: "back",
  ArrowRight: "forth",
  Comma: "back",
  Period: "forth",
  "Shift+ArrowLeft": "previous-push",
  "Shift+ArrowRight": "next-push",
  BracketLeft: "previous-change",
  BracketRight: "next-change",
  Home: "first",
  End: "last",
  ArrowUp: "faster",
  ArrowDown: "slower",
  KeyH: "heat",
  KeyB: "routes",
  KeyG: "ghost",
  Equal: "zoom-in",
  "Shift+Equal": "zoom-in",
  NumpadAdd: "zoom-in",
  Minus: "zoom-out",
  NumpadSubtract: "zoom-out",
  Digit0: "fit",
  KeyQ: "turn",
};

/** The act of a key event, or null. */
export function actOf(event) {
  return event.isComposing || event.metaKey ? null : (KEYS[chord(event)] ?? null);
}
