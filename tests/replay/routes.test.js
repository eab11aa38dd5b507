import assert from "node:assert/strict";
import { test } from "node:test";

import { Level } from "../../contest/static/contest/player/rules/level.js";
import { Playback } from "../../contest/static/contest/player/play/playback.js";
import { pushAt } from "../../contest/static/contest/replay/pushlist.js";
import { lines, routes, written } from "../../contest/static/contest/replay/routes.js";

// Two boxes, of which the upper is number 1.
const level = Level.parse("######|#-.-##|#-$@-#|##-$-#|#-.--#|######");

test("each box has the cells it stood on, first where it started", () => {
  const [upper, lower] = routes(new Playback(level, "DrdLulU"));
  assert.deepEqual(upper.cells, [14, 8]);
  assert.deepEqual(lower.cells, [21, 27, 26]);
});

test("a route has runs of pushes in one direction", () => {
  const wide = Level.parse("########|#@$----#|#------#|#-----.#|########");
  const [{ legs }] = routes(new Playback(wide, "RRRR"));
  assert.deepEqual(legs, [{ direction: 2, count: 4 }]);
  assert.equal(written(legs), "→4");
});

test("what a box goes over again is drawn once", () => {
  assert.deepEqual(lines([10, 11, 12, 11, 10, 20, 21, 11]), [
    [10, 11, 12],
    [10, 20, 21, 11],
  ]);
  assert.deepEqual(lines([10]), []);
});

test("a route of many legs is written with an end", () => {
  const legs = [0, 1, 2, 3].map((direction) => ({ direction, count: 1 }));
  assert.equal(written(legs), "←1 ↑1 →1 ↓1");
  assert.equal(written(legs, 2), "←1 ↑1 …");
});

test("a box that is never pushed stays where it is", () => {
  const [upper, lower] = routes(new Playback(level, "D"));
  assert.deepEqual([upper.cells, upper.legs], [[14], []]);
  assert.equal(lower.cells.length, 2);
});

test("a push has its box, the moment after it, and where it went", () => {
  const playback = new Playback(level, "DrdLulU");
  assert.deepEqual(pushAt(playback, 1), { moment: 4, box: 1, from: 27, to: 26 });
  assert.deepEqual(pushAt(playback, 2), { moment: 7, box: 0, from: 14, to: 8 });
});
