// Measure how long half a million moves take to open, enter and draw over in a page. Started by browser_replays.py.

import { Playback } from "../../contest/static/contest/player/play/playback.js";
import { difference } from "../../contest/static/contest/replay/difference.js";
import { load } from "../../contest/static/contest/replay/recording.js";
import { routes } from "../../contest/static/contest/replay/routes.js";
import { Screen } from "../../contest/static/contest/replay/screen.js";
import { visits } from "../../contest/static/contest/replay/visits.js";
import { SHUTTLE, hall, median, timed } from "./browser_paths.js";

const LURD = SHUTTLE.repeat(50_000);
const SIDES = [20, 50, 100];
const OPENINGS = 9;

/** Milliseconds for a board of each size: `first` is the very first opening, the others are medians. */
export async function measureReplays() {
  const rows = [];
  for (const side of SIDES) rows.push(await measured(side));
  return rows;
}

async function measured(side) {
  const level = hall(side);
  const screen = new Screen(frame(), level);
  const address = URL.createObjectURL(new Blob([LURD]));
  const openings = [];
  let playback;
  for (let opening = 0; opening < OPENINGS; opening++) {
    const began = performance.now();
    playback = await load(level, address);
    screen.show(playback.seek(0));
    openings.push(performance.now() - began);
  }
  let at = 1;
  const seek = median(() => screen.show(playback.seek((at = (at * 48_271) % 500_000))), 50);
  return {
    name: `${side}x${side}, 500,000 moves`,
    first: openings[0],
    open: openings.sort((a, b) => a - b)[OPENINGS >> 1],
    piece: await longestPiece(level),
    seek,
    visits: timed(() => visits(playback))[0],
    routes: timed(() => routes(playback))[0],
    difference: timed(() => difference(playback, playback))[0],
  };
}

/** The longest the page has to wait for a piece of the opening. */
async function longestPiece(level) {
  let longest = 0;
  let began = performance.now();
  const note = () => {
    longest = Math.max(longest, performance.now() - began);
    began = performance.now();
  };
  await Playback.open(level, LURD, async () => note());
  note();
  return longest;
}

/** The frame around the board on a replay page. */
function frame() {
  const made = document.createElement("div");
  made.style.cssText = "position: relative; width: 900px; height: 600px";
  for (const name of ["ground", "things", "under", "over"]) {
    const canvas = document.createElement("canvas");
    canvas.className = name;
    made.append(canvas);
  }
  document.body.append(made);
  return made;
}
