import assert from "node:assert/strict";
import { test } from "node:test";

import { Level } from "../../contest/static/contest/player/rules/level.js";
import { Playback } from "../../contest/static/contest/player/play/playback.js";
import { alikeAtFirst, difference } from "../../contest/static/contest/replay/difference.js";

const hall = Level.parse("#########|#-------#|#-@$----#|#-------#|#-$---..#|#-------#|#########");
const played = (lurd) => new Playback(hall, lurd);

test("solutions that push alike differ nowhere, however they walk", () => {
  const [own, other] = [played("RRR"), played("lrRlrRR")];
  assert.equal(alikeAtFirst(own, other), 3);
  assert.deepEqual(difference(own, other), [{ isSame: true, own: [0, 3], other: [0, 3] }]);
});

test("they part at the first push that is another", () => {
  const own = played("RRurD");
  const other = played("RRRurD");
  assert.equal(alikeAtFirst(own, other), 2);
});

test("pushing two boxes in another order leads to one position, from where they go on together", () => {
  const own = played("RdlldRR");
  const other = played("dldRuuRdldR");
  assert.equal(alikeAtFirst(own, other), 0);
  assert.deepEqual(difference(own, other), [
    { isSame: false, own: [0, 2], other: [0, 2] },
    { isSame: true, own: [2, 3], other: [2, 3] },
  ]);
});

test("a detour that leads back to a position is a part of its own", () => {
  const own = played("RurrdLulldR");
  const other = played("R");
  assert.deepEqual(difference(own, other), [
    { isSame: true, own: [0, 1], other: [0, 1] },
    { isSame: false, own: [1, 3], other: [1, 1] },
  ]);
});

test("the parts cover both from the start to the end", () => {
  const own = played("RRdllldRR");
  const other = played("RurDldR");
  const parts = difference(own, other);
  for (const [side, playback] of Object.entries({ own, other })) {
    assert.equal(parts[0][side][0], 0);
    parts.slice(1).forEach((part, at) => assert.equal(part[side][0], parts[at][side][1]));
    assert.equal(parts.at(-1)[side][1], playback.pushes.length);
  }
});

test("half a million moves are compared with themselves", () => {
  const shuttle = played("RurrdLulld".repeat(50_000));
  assert.deepEqual(difference(shuttle, shuttle), [{ isSame: true, own: [0, 100_000], other: [0, 100_000] }]);
});
