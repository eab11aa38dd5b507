// Where a drawing comes from when the page opens, and where it stays: in this browser, or behind the # of a link.

import { PuzzleError } from "../player/rules/errors.js";
import { readOne } from "../player/rules/single.js";
import { cropped, room } from "./drawing.js";
import { levelOf } from "./link.js";

const KEPT = "leitai.editor";
const FIRST_ROOM = [11, 9];

/** The drawing to begin with: what the page brought as *text*, else what this browser kept, else an empty room. */
export function firstDrawing(text, storage) {
  for (const one of [text, storage.getItem(KEPT) ?? ""]) {
    try {
      if (one.trim()) return readOne(one);
    } catch {
      // Not a board any more: the next may be one.
    }
  }
  return room(...FIRST_ROOM);
}

/** Keep every drawing of *sheet* in *storage*; say once that nothing is kept any more: it may be full of games. */
export function keep(sheet, storage) {
  let isLost = false;
  sheet.onChange(({ isPainting }) => {
    if (isPainting) return;
    try {
      storage.setItem(KEPT, cropped(sheet.drawing)?.level.publishedText ?? "");
    } catch {
      if (!isLost) sheet.say("notKept");
      isLost = true;
    }
  });
}

/** Draw the level behind the # of the address; what was drawn before is one undo away. */
export function openLink(sheet) {
  try {
    const level = levelOf(location.hash);
    if (level) sheet.strokes.make(level);
  } catch (error) {
    if (!(error instanceof PuzzleError)) throw error;
    sheet.say("badLink");
  }
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
}
