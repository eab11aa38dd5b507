// What stands and is marked on one cell, drawn from its corner at 0, 0.

import { CRATE_HERE, CURSOR, FACING, LOST, MAN, ON_GOAL, REACH, SELECTED, THING, UNVISITED, WRONG } from "./marks.js";
import { SMALL, cross, diamond, disc, plain, ring } from "./shapes.js";
import {
  CRATE_AWAY, CRATE_HOME, IMPOSSIBLE, LOST_BOX, PICKED, REACHED, REACHED_AIM, UNSEEN, WALKER,
} from "./skin.js";

/** Draw the thing and the marks of *content*, a number as in marks.js, on a cell of *side* pixels; of a *sheet* if there is one. */
export function drawThing(pen, content, side, { colours, sheet = null }) {
  if (sheet) {
    for (const sprite of spritesOf(content)) sheet.draw(pen, sprite, 0, 0);
    if (content & CURSOR) ring(pen, side, colours.ink, colours.paper, 0.12);
    return;
  }
  const middle = side / 2;
  if (content & UNVISITED) {
    pen.globalAlpha = 0.3;
    pen.fillStyle = colours.accent;
    pen.fillRect(0, 0, side, side);
    pen.globalAlpha = 1;
  }
  if ((content & THING) === CRATE_HERE) drawBox(pen, side, colours, Boolean(content & ON_GOAL));
  if ((content & THING) === MAN) drawMan(pen, side, colours, Boolean(content & ON_GOAL));
  if (content & LOST) {
    pen.strokeStyle = colours.bad;
    pen.lineWidth = Math.max(2, side / 9);
    cross(pen, middle, middle, side * 0.3);
  }
  if (content & REACH && !(content & THING)) drawReach(pen, side, colours, Boolean(content & ON_GOAL));
  if (content & SELECTED) ring(pen, side, colours.player, colours.paper, 0.1);
  if (content & CURSOR) ring(pen, side, colours.ink, colours.paper, 0.12);
  if (content & WRONG) ring(pen, side, colours.bad, colours.paper, 0.16);
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

/** On a goal a box is dark with a bright diamond, elsewhere it is bright with planks: told apart without colours. */
function drawBox(pen, side, colours, isHome) {
  if (side < SMALL) {
    plain(pen, side, isHome ? colours.home : colours.box);
    return;
  }
  const edge = Math.max(1, Math.round(side * 0.08));
  const line = Math.max(1, side / 16);
  const size = side - 2 * edge;
  pen.fillStyle = isHome ? colours.home : colours.box;
  pen.strokeStyle = isHome ? colours.box : colours.edge;
  pen.lineWidth = line;
  pen.beginPath();
  pen.roundRect(edge + line / 2, edge + line / 2, size - line, size - line, side * 0.08);
  pen.fill();
  pen.stroke();
  if (isHome) {
    pen.fillStyle = colours.box;
    diamond(pen, side / 2, side / 2, side * 0.24);
  } else if (side >= 14) {
    pen.globalAlpha = 0.55;
    pen.beginPath();
    for (const part of [0.36, 0.64]) {
      pen.moveTo(edge + line, side * part);
      pen.lineTo(side - edge - line, side * part);
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }
}

function drawMan(pen, side, colours, isOnGoal) {
  if (side < SMALL) {
    plain(pen, side, colours.player);
    return;
  }
  pen.fillStyle = colours.player;
  pen.strokeStyle = colours.edge;
  pen.lineWidth = Math.max(1, side / 16);
  pen.beginPath();
  pen.arc(side / 2, side / 2, side * 0.36, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  pen.fillStyle = colours.paper;
  if (isOnGoal) {
    diamond(pen, side / 2, side / 2, side * 0.2);
  } else if (side >= 14) {
    disc(pen, side * 0.39, side * 0.44, side * 0.06);
    disc(pen, side * 0.61, side * 0.44, side * 0.06);
  }
}

/** In a hue of its own, through which the ground shows; never over a box or the man. Tiny cells of free floor are tinted. */
function drawReach(pen, side, colours, isOnGoal) {
  pen.fillStyle = colours.reach;
  if (side < SMALL) {
    const inset = isOnGoal ? Math.ceil(side / 3) : 0; // the goal stays in sight
    pen.globalAlpha = isOnGoal ? 1 : 0.45;
    pen.fillRect(inset, inset, side - 2 * inset, side - 2 * inset);
  } else {
    pen.globalAlpha = 0.85;
    disc(pen, side / 2, side / 2, isOnGoal && side >= 14 ? side * 0.1 : Math.max(1.5, side * 0.14));
  }
  pen.globalAlpha = 1;
}
