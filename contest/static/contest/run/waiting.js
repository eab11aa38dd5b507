// The run of each mode that is not received yet: this browser keeps it until its receipt has come or the player discards it.

import { read, storage, write } from "../player/keep/settings.js";

const keyOf = (mode) => `leitai.run.${mode}`;

/** The run of *mode* that waits: {mode, solved, fields}, or null. */
export function waitingRun(mode, kept = storage()) {
  return read(kept, keyOf(mode), null);
}

/** Keep the run; false where the browser has no room, and only this page knows it. */
export function keepRun(run, kept = storage()) {
  return write(kept, keyOf(run.mode), run);
}

export function forgetRun(mode, kept = storage()) {
  kept.removeItem(keyOf(mode));
}
