// The run that is not received yet: this browser keeps it until its receipt has come or the player discards it.

import { read, storage, write } from "../player/keep/settings.js";

const KEPT = "leitai.run";

/** The run that waits: {mode, solved, fields}, or null. */
export function waitingRun(kept = storage()) {
  return read(kept, KEPT, null);
}

/** Keep the run; false where the browser has no room, and only this page knows it. */
export function keepRun(run, kept = storage()) {
  return write(kept, KEPT, run);
}

export function forgetRun(kept = storage()) {
  kept.removeItem(KEPT);
}
