// Times the player's own path search in this browser: all squares of one box in the hall, and the path to the goal.

import { Arena } from "../player/rules/game.js";
import { GOAL } from "../player/rules/letters.js";
import { Level } from "../player/rules/level.js";
import { pushRoutes, pushTargets } from "../player/rules/paths.js";
import { opened } from "./opening.js";

const RUNS = 9;
const LEAST = 20; // milliseconds of a run: a browser's clock is coarse, so a short search is repeated
const MOST = 200; // searches of a run

const root = document.querySelector("[data-speed]");
const { facts, words } = opened(root);
const says = root.querySelector("[data-says]");
const button = root.querySelector("[data-measure]");

/** Milliseconds of one call of *search*: the median of some runs of many calls each. */
function timeOf(search) {
  const spent = [];
  for (let run = 0; run < RUNS; run++) {
    const begin = performance.now();
    let calls = 0;
    do {
      search();
      calls++;
    } while (performance.now() - begin < LEAST && calls < MOST);
    spent.push((performance.now() - begin) / calls);
  }
  return spent.sort((one, other) => one - other)[RUNS >> 1];
}

const breathe = () => new Promise((resolve) => setTimeout(resolve));

async function measure() {
  const level = Level.parse(facts.level);
  const { start } = Arena.of(level);
  const [box] = level.boxes;
  const goal = level.cells.findIndex((content) => content & GOAL);
  const searches = {
    pushes: () => pushTargets(start, box),
    moves: () => pushRoutes(start, box, "moves"),
    path: () => pushRoutes(start, box, "moves", goal).path(goal),
  };
  for (const [name, search] of Object.entries(searches)) {
    await breathe(); // so that the page shows what is measured
    const time = timeOf(search);
    const text = time < 0.01 ? words("below", { time: (0.01).toLocaleString() }) : words("time", { time: time.toLocaleString(undefined, { maximumSignificantDigits: 3 }) });
    root.querySelector(`[data-time="${name}"]`).textContent = text;
  }
  const targets = pushTargets(start, box);
  return { squares: targets.cells.length, pushes: targets.pushes(goal), moves: searches.path().length };
}

button.addEventListener("click", async () => {
  button.disabled = true;
  says.textContent = words("running");
  root.querySelector("[data-results]").hidden = false;
  const found = await measure();
  const isRight = Object.entries(facts.answers).every(([name, value]) => found[name] === value);
  says.textContent = words(isRight ? "right" : "wrong", found);
  button.disabled = false;
});
