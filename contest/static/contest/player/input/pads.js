// Looks at the controllers that are there, and tells what is held on them.

import { Pads } from "./gamepad.js";

/** Tell *player* (`act(name)`) what controllers mean, from when one is there until the last has gone. */
export function listenToPads(player) {
  let pads = null;
  const look = (now) => {
    const found = navigator.getGamepads().filter(Boolean);
    const due = document.hasFocus() ? pads.due(found, now) : [];
    // Before anything is done: an act that fails must not be the last look.
    if (found.length) requestAnimationFrame(look);
    else pads = null;
    for (const act of due) player.act(act);
  };
  window.addEventListener("gamepadconnected", () => {
    if (pads) return;
    pads = new Pads();
    requestAnimationFrame(look);
  });
}
