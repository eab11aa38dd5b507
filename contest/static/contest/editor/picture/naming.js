// What the groups of a picture are likely to be, and the level that their names make. Knows no page.
//
// Every way to choose the man, the walls' look and the floor's look is judged by what a level must be: walls around the
// man's room, floor in it, and as many boxes as goals. Time O(groups³ × cells) at most, with few groups to choose among.

import { BOX, FLOOR, GOAL, PLAYER, WALL } from "../../player/rules/letters.js";
import { Level } from "../../player/rules/level.js";
import { distance } from "./groups.js";

/** What a group may be called, and what then lies on its cells. */
export const NAMES = {
  wall: WALL,
  floor: FLOOR,
  goal: GOAL,
  box: BOX,
  boxOnGoal: BOX | GOAL,
  man: PLAYER,
  manOnGoal: PLAYER | GOAL,
  outside: FLOOR,
};
const MOST_MEN = 8; // groups of one cell to take for the man
const MOST_GROUNDS = 5; // large groups to take for walls and floor
const WALLS_APART = 28; // of 255: walls that run into each other differ by less, at the edge of a cell
const FEW = 4; // kinds of things that may be anything; more are left to the person

/** The cells of a level, row by row, of each cell's group and the groups' names. */
export function cellsOf(of, names) {
  return Uint8Array.from(of, (group) => NAMES[names[group]]);
}

/** *drawn* with the cells of *now* that were changed by hand since the picture gave *before*, if the board is the same. */
export function corrected(drawn, before, now) {
  if (!before || now.cells.length !== before.cells.length || now.width !== before.width) return drawn;
  const cells = drawn.cells.map((content, cell) => (now.cells[cell] === before.cells[cell] ? content : now.cells[cell]));
  return new Level(drawn.width, drawn.height, cells);
}

/** A name for each of *groups*, as `grouped` gives them with *of*, on a board of so many columns. */
export function guess({ groups, of }, columns) {
  const numbers = [...groups.keys()];
  const men = numbers.filter((number) => groups[number].cells.length === 1).slice(0, MOST_MEN);
  const grounds = numbers.filter((number) => groups[number].cells.length > 1).slice(0, MOST_GROUNDS);
  let best = { score: -Infinity, names: groups.map((_, number) => (number === 0 ? "wall" : "floor")) };
  for (const floor of grounds) {
    for (const wall of grounds) {
      if (wall === floor) continue;
      for (const man of men) {
        const one = supposed(groups, of, columns, { man, wall, floor });
        if (one.score > best.score) best = one;
      }
    }
  }
  return best.names;
}

/** What follows if *man*, *wall* and *floor* are what they are called here: {score, names}. */
function supposed(groups, of, columns, { man, wall, floor }) {
  const look = (number) => groups[number].look;
  const isWall = groups.map((_, number) => {
    if (number === wall) return true;
    if (number === floor || number === man) return false;
    const off = frameDistance(look(number), look(wall));
    return off < WALLS_APART && off < frameDistance(look(number), look(floor));
  });
  const { reached, leaks } = enclosed(of, columns, groups[man].cells[0], {
    isWall,
    isOpen: (number) => number === floor || number === man,
    offWall: (number) => frameDistance(look(number), look(wall)),
  });
  const isInside = (number) => groups[number].cells.some((cell) => reached[cell]);
  const names = groups.map((_, number) => (isWall[number] ? "wall" : isInside(number) ? "floor" : "outside"));
  names[man] = "man";
  const things = [...groups.keys()].filter((number) => names[number] === "floor" && number !== floor);
  const { score, named } = thingsOf(groups, things, floor);
  things.forEach((number, index) => {
    names[number] = named[index];
  });
  const men = groups[man].cells.length;
  if (countOf(groups, names, ["box"]) === countOf(groups, names, ["goal"]) + 1 && men === 1) names[man] = "manOnGoal";
  const open = leaks ? 6 : 0;
  const room = reached.reduce((sum, one) => sum + one, 0);
  const ofFloor = groups[floor].cells.filter((cell) => reached[cell]).length;
  // The floor is what most of the room is made of, and a man stands out from it as much as a goal does.
  const share = 4 * (ofFloor / room) + ofFloor / groups[floor].cells.length + room / of.length;
  const off = (number) => covers(look(number), look(floor));
  const goals = things.filter((number) => names[number] === "goal");
  const isMarked = goals.every((goal) => off(goal) < off(man));
  const [box, home] = ["box", "boxOnGoal"].map((name) => names.indexOf(name));
  const apart = (one, other) => covers(look(one), look(other));
  const areAlike = box < 0 || home < 0 || apart(box, home) < Math.min(apart(box, man), apart(home, man));
  const shape = (isMarked ? 0.6 : 0) + (areAlike ? 0.6 : 0) - 0.1 * isWall.filter(Boolean).length;
  return { score: score - open + share + shape, names };
}

/** How unlike two looks are at the edge of their cells: things stand in the middle of their ground. */
function frameDistance(one, other) {
  const side = Math.round(Math.sqrt(one.length / 3 - 1));
  let sum = 0;
  let count = 0;
  for (let window = 0; window < side * side; window++) {
    const column = window % side;
    const row = Math.floor(window / side);
    const isCorner = (column === 0 || column === side - 1) && (row === 0 || row === side - 1);
    const isEdge = column === 0 || row === 0 || column === side - 1 || row === side - 1;
    if (!isEdge) continue;
    const weight = isCorner ? 3 : 1;
    for (let channel = 3 * window; channel < 3 * window + 3; channel++) sum += weight * Math.abs(one[channel] - other[channel]);
    count += weight;
  }
  return sum / count;
}

/** Where a man walks; as long as he leaves the board, of the kinds he leaves it over the one most like the walls is one. */
function enclosed(of, columns, start, { isWall, isOpen, offWall }) {
  for (;;) {
    const { reached, leaks } = walked(of, columns, start, isWall);
    const open = leaks.map((cell) => of[cell]).filter((group) => !isOpen(group));
    if (!open.length) return { reached, leaks: leaks.length > 0 };
    isWall[open.reduce((best, one) => (offWall(one) < offWall(best) ? one : best))] = true;
  }
}

/** Where a man on *start* can walk if boxes do not stop him, and the cells from which he leaves the board. */
function walked(of, columns, start, isWall) {
  const reached = new Uint8Array(of.length);
  reached[start] = 1;
  const leaks = [];
  const waiting = [start];
  while (waiting.length) {
    const cell = waiting.pop();
    for (const next of neighbours(cell, columns, of.length)) {
      if (next === null) leaks.push(cell);
      else if (!reached[next] && !isWall[of[next]]) {
        reached[next] = 1;
        waiting.push(next);
      }
    }
  }
  return { reached, leaks };
}

function neighbours(cell, columns, count) {
  const column = cell % columns;
  return [
    cell < columns ? null : cell - columns,
    cell + columns < count ? cell + columns : null,
    column ? cell - 1 : null,
    column < columns - 1 ? cell + 1 : null,
  ];
}

/** How much of one look lies over the other: the mean difference of all windows. */
function covers(one, other) {
  let sum = 0;
  for (let index = 0; index < one.length - 3; index++) sum += Math.abs(one[index] - other[index]);
  return sum / (one.length - 3);
}

/** The best names for the things that stand in the room, and how well they fit: boxes must be as many as goals. */
function thingsOf(groups, things, floor) {
  const off = things.map((number) => covers(groups[number].look, groups[floor].look));
  const counts = things.map((number) => groups[number].cells.length);
  if (!things.length) return { score: -4, named: [] };
  const kinds = ["floor", "goal", "box", "boxOnGoal"];
  const all = things.length > FEW + 2 ? 0 : kinds.length ** things.length;
  let best = { score: -5, named: things.map(() => "floor") };
  for (let code = 0; code < all; code++) {
    const named = things.map((_, index) => kinds[Math.floor(code / kinds.length ** index) % kinds.length]);
    const score = fitOf(named, counts, off, things.map((number) => groups[number].look));
    if (score > best.score) best = { score, named };
  }
  return best;
}

function fitOf(named, counts, off, looks) {
  const sum = (name) => named.reduce((all, one, index) => all + (one === name ? counts[index] : 0), 0);
  const mean = (name) => {
    const some = off.filter((_, index) => named[index] === name);
    return some.reduce((all, one) => all + one, 0) / some.length;
  };
  const [boxes, goals, home] = [sum("box"), sum("goal"), sum("boxOnGoal")];
  if (!boxes && !home) return -Infinity;
  let score = boxes === goals ? 3 : boxes === goals + 1 ? 1.5 : -Math.min(3, Math.abs(boxes - goals) / 2);
  // A goal is a mark on the floor, a box lies over it. A floor of another shade is many cells.
  if (boxes && goals) score += mean("box") > mean("goal") ? 1 : -1;
  if (home && boxes) {
    const [own, other] = [named.indexOf("boxOnGoal"), named.indexOf("box")];
    const goal = named.indexOf("goal");
    if (goal >= 0) score += distance(looks[own], looks[other]) < distance(looks[goal], looks[other]) ? 0.7 : -0.7;
    if (home > boxes + 2) score -= 1;
  }
  if (!boxes) score -= 2;
  named.forEach((name, index) => {
    if (name === "floor") score -= off[index] > 12 ? 0.8 : 0.25;
  });
  const used = ["goal", "box", "boxOnGoal"].map((name) => named.filter((one) => one === name).length);
  return score - 0.5 * used.reduce((more, one) => more + Math.max(0, one - 1), 0);
}

function countOf(groups, names, wanted) {
  return groups.reduce((sum, { cells }, number) => sum + (wanted.includes(names[number]) ? cells.length : 0), 0);
}
