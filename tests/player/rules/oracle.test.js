// Where a box can be pushed, beside the plain method: every push tried from every square the player walks to.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Arena, CRATE, FREE } from "../../../contest/static/contest/player/rules/game.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { pushTargets } from "../../../contest/static/contest/player/rules/paths.js";

test("marks on 600 random boards are those of the plain method", () => {
  const random = numbers(11);
  let marks = 0;
  for (let round = 0; round < 600; round++) {
    const { start } = Arena.of(Level.parse(board(random, 7 + random(6), 6 + random(5), 1 + random(6))));
    for (const box of start.boxes) {
      const found = new Set(pushTargets(start, box).cells);
      assert.deepEqual(found, plainly(start, box));
      marks += found.size;
    }
  }
  assert.ok(marks > 10_000);
});

function plainly({ arena, squares, man }, cell) {
  const lifted = squares.slice();
  const from = arena.square(cell);
  lifted[from] = FREE;
  const seen = new Set();
  const found = new Set();
  const queue = [[from, man]];
  for (const [box, player] of queue) {
    lifted[box] = CRATE;
    const region = flood(lifted, arena.deltas, player);
    lifted[box] = FREE;
    for (const delta of arena.deltas) {
      const to = box + delta;
      const state = `${to} ${delta}`;
      if (!region.has(box - delta) || lifted[to] !== FREE || seen.has(state)) continue;
      seen.add(state);
      if (to !== from) found.add(arena.cell(to));
      queue.push([to, box]);
    }
  }
  return new Set([...found].sort((one, other) => one - other));
}

function flood(squares, deltas, start) {
  const region = new Set([start]);
  for (const square of region) {
    for (const delta of deltas) if (squares[square + delta] === FREE) region.add(square + delta); // and comes to it
  }
  return region;
}

function numbers(seed) {
  return (below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
}

function board(random, width, height, boxes) {
  const cells = Array.from({ length: width * height }, () => (random(6) ? "-" : "#"));
  const places = [...cells.keys()].filter((cell) => cells[cell] === "-");
  const take = () => places.splice(random(places.length), 1)[0];
  cells[take()] = "@";
  for (let box = 0; box < boxes; box++) {
    cells[take()] = "$";
    cells[take()] = ".";
  }
  const rows = Array.from({ length: height }, (_, row) => `#${cells.slice(row * width, (row + 1) * width).join("")}#`);
  const edge = "#".repeat(width + 2);
  return [edge, ...rows, edge].join("|");
}
