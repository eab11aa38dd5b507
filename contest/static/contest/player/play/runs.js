// The moves of a game as a list: a run is a walk with the pushes that follow it.

import { PUSH } from "../rules/game.js";

/**
 * Where a key leads in the list of *runs* from the moment *at* of a game of *length* steps: up and down from run to run,
 * left and right by a step, Home and End to the ends. Null where the key, by its `code`, means nothing to the list.
 */
export function momentAfter(code, { runs, at, length }) {
  if (code === "Home") return 0;
  if (code === "End") return length;
  if (code === "ArrowLeft") return Math.max(0, at - 1);
  if (code === "ArrowRight") return Math.min(length, at + 1);
  if (code === "ArrowUp") return runs.findLast(({ from }) => from < at)?.from ?? 0;
  if (code === "ArrowDown") return runs.find(({ to }) => to > at)?.to ?? length;
  return null;
}

/** So many steps about the present place are looked at, however long the game is. */
const SPAN = 3_000;

/**
 * The runs about the moment *at* of a game of *length* steps, {from, to, steps}, at most *most* on either side of the one
 * that leads there. *stepsOf(from, to)* reads the steps between two moments. Time O(SPAN).
 */
export function runsAbout({ at, length, most }, stepsOf) {
  const from = Math.max(0, at - SPAN);
  const to = Math.min(length, at + SPAN);
  const steps = stepsOf(from, to);
  const runs = [];
  let start = 0;
  for (let place = 1; place <= steps.length; place++) {
    const isEnd = place === steps.length || (steps[place - 1] & PUSH && !(steps[place] & PUSH));
    if (!isEnd) continue;
    runs.push({ from: from + start, to: from + place, steps: steps.subarray(start, place) });
    start = place;
  }
  if (from > 0 && runs.length > 1 && runs[0].to < at) runs.shift(); // nobody looked where it begins
  const present = runs.findIndex((run) => at <= run.to);
  return runs.slice(Math.max(0, present - most), present + most + 1);
}
