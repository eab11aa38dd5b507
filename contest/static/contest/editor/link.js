// A level in the address of a page, behind the #: it is never sent to the server.

import { Level } from "../player/rules/level.js";

/** The part of an address that says *level*: letters and digits only, so that forums and messengers leave it whole. */
export function fragmentOf(level) {
  return `#level=${level.compactText}`;
}

/** The level that a fragment says, in our own code or as XSB, or null. Throw a PuzzleError where it cannot be read. */
export function levelOf(fragment) {
  const text = new URLSearchParams(fragment.replace(/^#/, "").replaceAll("+", "%2B")).get("level");
  if (!text) return null;
  return /^[A-H0-9]+$/.test(text) ? Level.parseCompact(text) : Level.parse(text);
}
