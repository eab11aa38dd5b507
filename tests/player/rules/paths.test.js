import assert from "node:assert/strict";
import { test } from "node:test";

import { Arena, toSteps } from "../../../contest/static/contest/player/rules/game.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { pushRoutes, pushTargets, reach, walk } from "../../../contest/static/contest/player/rules/paths.js";
import { cases } from "../vectors.js";

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

for (const { name, board, box, fewest_moves, fewest_pushes } of cases("paths")) {
  const level = Level.parse(board.join("\n"));
  const { start } = new Arena(level);

  test(`${name}: fewest moves`, () => {
    const routes = pushRoutes(start, box, "moves");
    assert.deepEqual(picture(level, routes, (cell) => routes.moves(cell)), fewest_moves.moves);
    assert.deepEqual(picture(level, routes, (cell) => routes.pushes(cell)), fewest_moves.pushes);
    assertPathsLead(start, box, routes);
  });

  test(`${name}: fewest pushes`, () => {
    const routes = pushRoutes(start, box, "pushes");
    assert.deepEqual(picture(level, routes, (cell) => routes.moves(cell)), fewest_pushes.moves);
    assert.deepEqual(picture(level, routes, (cell) => routes.pushes(cell)), fewest_pushes.pushes);
    assertPathsLead(start, box, routes);
  });

  test(`${name}: marks`, () => {
    const targets = pushTargets(start, box);
    assert.deepEqual(picture(level, targets, (cell) => targets.pushes(cell)), fewest_pushes.pushes);
    assertPathsLead(start, box, targets);
  });

  test(`${name}: the way to one place alone is the same`, () => {
    const all = pushRoutes(start, box, "moves");
    for (const cell of all.cells) {
      const one = pushRoutes(start, box, "moves", cell);
      assert.equal(one.moves(cell), all.moves(cell));
      assert.equal(one.path(cell).length, all.moves(cell));
    }
  });
}

function picture(level, routes, number) {
  return level.rows().map((row, y) =>
    Array.from(row, (glyph, x) => {
      const cell = y * level.width + x;
      if (routes.has(cell)) return DIGITS[number(cell)];
      return "#$".includes(glyph) ? glyph : "-";
    }).join(""),
  );
}

/** Every path is possible, pushes that box alone, ends where it should, and costs what was said. */
function assertPathsLead(start, box, routes) {
  const others = start.boxes.filter((cell) => cell !== box);
  for (const cell of routes.cells) {
    const path = routes.path(cell);
    let position = start;
    for (const step of toSteps(path)) {
      assert.equal(position.step(step & 3), step, path);
      position = position.after([step]);
    }
    assert.deepEqual(position.boxes, [...others, cell].sort((a, b) => a - b), path);
    assert.equal(position.moves, routes.moves(cell));
    assert.equal(position.pushes, routes.pushes(cell));
  }
}

test("the player reaches what a flood reaches", () => {
  const level = Level.parse("#######|#@-#--#|#--$-.#|#--#--#|#######");
  assert.deepEqual(new Set(reach(Arena.of(level).start)), level.region);
});

test("a walk is shortest, and goes round boxes", () => {
  const { start } = Arena.of(Level.parse("#######|#-----#|#@$---#|#-----#|#---.-#|#######"));
  const path = walk(start, 17);
  assert.equal(path.length, 4);
  assert.equal(start.after(toSteps(path)).player, 17);
});

test("a walk to where the player stands is empty, to a box or a wall there is none", () => {
  const { start } = Arena.of(Level.parse("#####|#@$.#|#####"));
  assert.deepEqual([walk(start, 6), walk(start, 7), walk(start, 0)], ["", null, null]);
});

test("a cell the box cannot be pushed to has no path", () => {
  const { start } = Arena.of(Level.parse("#####|#@$.#|#####"));
  const targets = pushTargets(start, 7);
  assert.deepEqual([targets.cells, targets.has(6), targets.path(6)], [[8], false, null]);
});

test("a search as deep as the board has squares does not overflow", () => {
  const behind = serpentine("#@$");
  assert.equal(pushTargets(Arena.of(behind).start, behind.boxes[0]).cells.length, 196);
  const before = serpentine("#$@");
  assert.equal(walk(Arena.of(before).start, before.goals[0]).length, 19_698);
});

/** One corridor to and fro through 200 x 200 cells, with *start* at one end and a goal at the other. */
function serpentine(start) {
  const side = 200;
  const wall = "#".repeat(side);
  const rows = [wall];
  for (let row = 1; row < side - 1; row++) {
    if (row % 2) rows.push(`#${"-".repeat(side - 2)}#`);
    else rows.push(row % 4 ? `${wall.slice(2)}-#` : `#-${wall.slice(2)}`);
  }
  rows.push(wall);
  rows[1] = start + rows[1].slice(start.length);
  rows[side - 3] = `${rows[side - 3].slice(0, -2)}.#`;
  return Level.parse(rows.join("\n"));
}
