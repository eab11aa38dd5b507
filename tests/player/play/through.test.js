import assert from "node:assert/strict";
import { test } from "node:test";

import { Arena, CRATE, FREE, toSteps } from "../../../contest/static/contest/player/rules/game.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { throughWay } from "../../../contest/static/contest/player/play/through.js";

const start = (text) => Arena.of(Level.parse(text)).start;

test("a box in a corridor is pushed into the room, walked around and pushed back", () => {
  const position = start("#########|#@-$---##|####---##|####--.##|#########");
  assert.equal(throughWay(position, 9 + 6), "rRRdrruLLrr");
  const after = played(position, throughWay(position, 9 + 6));
  assert.deepEqual([after.player, after.boxes], [9 + 6, position.boxes]);
});

test("a box that cannot be passed is no door", () => {
  assert.equal(throughWay(start("########|#@-$--.#|########"), 8 + 5), null);
});

test("where a walk leads there, it is the walk", () => {
  assert.equal(throughWay(start("######|#@--*#|#-$.-#|######"), 6 + 3), "rr");
});

test("on random boards every box is back, and no way is missed that one box at a time can open", () => {
  const random = numbers(7);
  let doors = 0;
  for (let round = 0; round < 400; round++) {
    const position = start(board(random, 6, 5, 3));
    const ways = byBruteForce(position);
    position.squares.forEach((content, square) => {
      if (content !== FREE) return;
      const cell = position.arena.cell(square);
      const way = throughWay(position, cell);
      assert.equal(way === null, !ways.has(square));
      if (way === null) return;
      const after = played(position, way);
      if (after.pushes) doors++;
      assert.deepEqual([after.player, after.boxes], [cell, position.boxes]);
      assert.ok(way.length >= ways.get(square));
    });
  }
  assert.ok(doors > 50);
});

function played(position, way) {
  const steps = toSteps(way);
  steps.forEach((step, at) => assert.equal(position.after(steps.slice(0, at)).step(step & 3), step));
  return position.after(steps);
}

/** The least steps to every square with all boxes home, one at most being away at a time: over all such positions. */
function byBruteForce({ arena, squares, man }) {
  const boxes = [...squares.keys()].filter((square) => squares[square] === CRATE);
  const found = new Map();
  const seen = new Set();
  const queue = [[man, boxes, 0]];
  for (const [at, now, length] of queue) {
    const name = `${at} ${now}`;
    if (seen.has(name)) continue;
    seen.add(name);
    if (now.every((box, which) => box === boxes[which]) && !found.has(at)) found.set(at, length);
    for (const delta of arena.deltas) {
      const to = at + delta;
      const which = now.indexOf(to);
      const isOpen = (square) => squares[square] !== 1 && squares[square] !== 3;
      if (which === -1) {
        if (isOpen(to)) queue.push([to, now, length + 1]);
      } else if (isOpen(to + delta) && !now.includes(to + delta)) {
        const next = now.with(which, to + delta);
        if (next.filter((box, one) => box !== boxes[one]).length <= 1) queue.push([to, next, length + 1]);
      }
    }
  }
  return found;
}

function numbers(seed) {
  return (below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
}

function board(random, width, height, boxes) {
  const cells = Array.from({ length: width * height }, () => (random(5) ? "-" : "#"));
  const places = [...cells.keys()].filter((cell) => cells[cell] === "-");
  const take = () => places.splice(random(places.length), 1)[0];
  cells[take()] = "@";
  for (let box = 0; box < boxes; box++) cells[take()] = "*";
  cells[take()] = "$";
  cells[take()] = ".";
  const rows = Array.from({ length: height }, (_, row) => `#${cells.slice(row * width, (row + 1) * width).join("")}#`);
  const edge = "#".repeat(width + 2);
  return [edge, ...rows, edge].join("|");
}
