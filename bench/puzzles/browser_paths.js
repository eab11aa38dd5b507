// Measure the player's path finding and playback where it runs: in a page and in node. Started by browser_paths.py.

import { Arena, CRATE, FREE, replay } from "../../contest/static/contest/player/rules/game.js";
import { BOX, GOAL, PLAYER, WALL } from "../../contest/static/contest/player/rules/letters.js";
import { Level } from "../../contest/static/contest/player/rules/level.js";
import { Moves } from "../../contest/static/contest/player/rules/moves.js";
import { pushRoutes, pushTargets } from "../../contest/static/contest/player/rules/paths.js";
import { Playback } from "../../contest/static/contest/player/play/playback.js";

const ROOMS = [
  { name: "20x20, 15 % walls, 10 boxes", side: 20, walls: 0.15, boxes: 10, isFlooded: true },
  { name: "50x50, 12 % walls, 60 boxes", side: 50, walls: 0.12, boxes: 60, isFlooded: true },
  { name: "50x50, 22 % walls, 10 boxes", side: 50, walls: 0.22, boxes: 10, isFlooded: true },
  { name: "100x100, 5 % walls, 1 box", side: 100, walls: 0.05, boxes: 1, isFlooded: true },
  { name: "100x100, 15 % walls, 200 boxes", side: 100, walls: 0.15, boxes: 200, isFlooded: true },
  { name: "150x150, 15 % walls, 200 boxes", side: 150, walls: 0.15, boxes: 200 },
  { name: "200x200, 15 % walls, 200 boxes", side: 200, walls: 0.15, boxes: 200 },
];

export const SHUTTLE = "RurrdLulld";

/** Milliseconds for each room; `first` is the very first call for the room, the others are medians. */
export function measurePaths() {
  return ROOMS.map(({ name, side, walls, boxes, isFlooded }) => {
    const level = room(side, walls, boxes);
    const { start } = new Arena(level);
    const [first] = timed(() => pushTargets(start, level.boxes[0]));
    const box = widest(start);
    const targets = pushTargets(start, box);
    return {
      name,
      floor: level.reach.size,
      targets: targets.cells.length,
      first,
      pushes: median(() => pushTargets(start, box), 15),
      moves: median(() => pushRoutes(start, box, "moves"), 3),
      flood: isFlooded ? flooded(start, box, targets.cells.length) : null,
    };
  });
}

/** Milliseconds to open a recording of half a million moves, and to enter it anywhere. */
export function measurePlayback() {
  return [50, 100].map((side) => {
    const level = hall(side);
    const [verify, result] = timed(() => replay(level, Moves.parse(SHUTTLE.repeat(50_000))));
    if (result.moves !== 500_000) throw new Error(`the recording stops after ${result.moves} moves`);
    const [keyframes, playback] = timed(() => new Playback(level, result.lurd));
    let at = 1;
    const seek = median(() => playback.seek((at = (at * 48_271) % 500_000)), 200);
    return { name: `${side}x${side}, 500,000 moves`, verify, keyframes, seek };
  });
}

/** A room of random walls, the same in every run. */
function room(side, walls, boxes) {
  let state = 20_261;
  const random = () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff;
  const cells = walled(side).map((content) => (content || random() < walls ? WALL : content));
  const free = () => {
    for (;;) {
      const cell = Math.floor(random() * cells.length);
      if (!cells[cell]) return cell;
    }
  };
  for (let box = 0; box < boxes; box++) cells[free()] = BOX;
  cells[free()] = PLAYER;
  for (let goal = 0; goal < boxes; goal++) cells[free()] = GOAL;
  return new Level(side, side, cells);
}

/** An empty hall in which SHUTTLE pushes a box right and left again and comes back. */
export function hall(side) {
  const cells = walled(side);
  cells[2 * side + 1] = PLAYER;
  cells[2 * side + 2] = BOX;
  cells[(side - 1) * side - 2] = GOAL;
  return new Level(side, side, cells);
}

function walled(side) {
  return new Uint8Array(side * side).map((_, cell) => {
    const row = Math.floor(cell / side);
    const column = cell % side;
    return [row, column].some((place) => place === 0 || place === side - 1) ? WALL : 0;
  });
}

/** The box that can be pushed to the most places. */
function widest(start) {
  const counts = start.boxes.map((box) => [pushTargets(start, box).cells.length, box]);
  return counts.reduce((best, next) => (next[0] > best[0] ? next : best))[1];
}

/** The plain method: for every push, flood the whole floor to see on which sides of the box the player can stand. */
function flooded(start, box, expected) {
  const [time, count] = timed(() => floodTargets(start, box));
  if (count !== expected) throw new Error(`the flood finds ${count} places, the blocks ${expected}`);
  return time;
}

function floodTargets({ arena, squares, man }, cell) {
  const { deltas } = arena;
  const floor = squares.slice();
  const seen = new Uint8Array(4 * squares.length);
  const places = new Set();
  const box = arena.square(cell);
  const todo = [[box, man]];
  while (todo.length) {
    const [from, player] = todo.pop();
    floor[from] = CRATE;
    const reached = flood(floor, deltas, player);
    floor[from] = FREE;
    deltas.forEach((delta, side) => {
      const to = from - delta;
      if (!reached[from + delta] || (to !== box && squares[to] !== FREE) || seen[4 * to + side]) return;
      seen[4 * to + side] = 1;
      if (to !== box) places.add(to);
      todo.push([to, from]);
    });
  }
  return places.size;
}

function flood(floor, deltas, start) {
  const reached = new Uint8Array(floor.length);
  const queue = new Int32Array(floor.length);
  let tail = 1;
  queue[0] = start;
  reached[start] = 1;
  for (let head = 0; head < tail; head++) {
    for (let side = 0; side < 4; side++) {
      const next = queue[head] + deltas[side];
      if (reached[next] || floor[next] !== FREE) continue;
      reached[next] = 1;
      queue[tail++] = next;
    }
  }
  return reached;
}

export function timed(work) {
  const began = performance.now();
  const result = work();
  return [performance.now() - began, result];
}

/** The median of *samples* of compiled code, each long enough for a coarse clock. */
export function median(work, samples) {
  let calls = 0;
  const [warming] = timed(() => {
    for (const end = performance.now() + 100; performance.now() < end; calls++) work();
  });
  const times = Math.ceil((5 * calls) / warming);
  const found = [];
  for (let sample = 0; sample < samples; sample++) {
    const [time] = timed(() => {
      for (let at = 0; at < times; at++) work();
    });
    found.push(time / times);
  }
  return found.sort((a, b) => a - b)[samples >> 1];
}
