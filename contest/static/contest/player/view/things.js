// What stands and is marked on one cell, drawn from its corner at 0, 0.

import { CRATE_HERE, CURSOR, FACING, LOST, MAN, ON_GOAL, REACH, SELECTED, THING, UNVISITED, WRONG } from "./marks.js";
import {
  CRATE_AWAY, CRATE_HOME, IMPOSSIBLE, LOST_BOX, PICKED, REACHED, REACHED_AIM, UNSEEN, WALKER,
} from "./sprites.js";

const RING = 0.12; // of a cell

/** Draw the thing and the marks of *content*, a number as in marks.js, with the sprites of a *sheet*, if that has come. */
export function drawThing(pen, content, side, { colours, sheet }) {
  for (const sprite of spritesOf(content)) sheet?.draw(pen, sprite, 0, 0);
  if (content & CURSOR) drawRing(pen, side, colours);
}

/** Which sprites *content* is drawn of, one over the other. */
function spritesOf(content) {
  const thing = content & THING;
  const isOnGoal = Boolean(content & ON_GOAL);
  const looks = (Math.floor(content / FACING) + 3) & 3; // sprites begin with up, directions with left
  return [
    content & UNVISITED && UNSEEN,
    thing === CRATE_HERE && (isOnGoal ? CRATE_HOME : CRATE_AWAY),
    thing === MAN && WALKER + (isOnGoal ? 4 : 0) + looks,
    content & LOST && LOST_BOX,
    content & REACH && !thing && (isOnGoal ? REACHED_AIM : REACHED),
    content & SELECTED && PICKED,
    content & WRONG && IMPOSSIBLE,
  ].filter(Boolean);
}

/** A frame in two colours: on any ground, at least one is visible. */
function drawRing(pen, side, { ink, paper }) {
  const line = Math.max(2, side * RING);
  pen.strokeStyle = paper;
  pen.lineWidth = line;
  pen.strokeRect(line / 2, line / 2, side - line, side - line);
  pen.strokeStyle = ink;
  pen.lineWidth = Math.max(1, line * 0.6);
  pen.strokeRect(line / 3, line / 3, side - (2 * line) / 3, side - (2 * line) / 3);
}

/** Write the *number* of a box on its cell, where that is large enough to be read. */
export function drawNumber(pen, number, { x, y, side }, colours) {
  if (side < 14) return;
  pen.font = `600 ${Math.round(side * (number > 99 ? 0.34 : 0.44))}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineWidth = Math.max(2, side / 10);
  pen.lineJoin = "round";
  pen.strokeStyle = colours.paper;
  pen.strokeText(number, x + side / 2, y + side / 2);
  pen.fillStyle = colours.ink;
  pen.fillText(number, x + side / 2, y + side / 2);
}
