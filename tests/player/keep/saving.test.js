import assert from "node:assert/strict";
import { test } from "node:test";

import { Shelf, toBytes, toText } from "../../../contest/static/contest/player/keep/saving.js";

/** Storage of at most *most* characters that counts what is written. */
function storage(most = Infinity) {
  const kept = new Map();
  const size = () => [...kept.values()].reduce((sum, value) => sum + value.length, 0);
  return {
    kept,
    written: 0,
    getItem: (name) => kept.get(name) ?? null,
    removeItem: (name) => kept.delete(name),
    setItem(name, value) {
      const before = kept.get(name);
      kept.set(name, value);
      this.written += value.length;
      if (size() <= most) return;
      if (before === undefined) kept.delete(name);
      else kept.set(name, before);
      throw new Error("full");
    },
  };
}

const steps = (count) => Uint8Array.from({ length: count }, (_, at) => at % 16);

test("every value a step can have comes back from its letter", () => {
  assert.deepEqual(toBytes(toText(steps(16))), steps(16));
});

test("of a damaged text the steps before the damage come back", () => {
  assert.deepEqual(toBytes("ABC?DE"), Uint8Array.of(0, 1, 2));
});

test("a game comes back with its facts", () => {
  const place = storage();
  new Shelf(place, "x").save({ bytes: steps(50_000), at: 7 });
  const { bytes, at } = new Shelf(place, "x").load();
  assert.equal(at, 7);
  assert.deepEqual(bytes, steps(50_000));
});

test("a step added to a long game writes one part, not the game", () => {
  const place = storage();
  const shelf = new Shelf(place, "x");
  shelf.save({ bytes: steps(500_000), at: 1 });
  const before = place.written;
  shelf.save({ bytes: steps(500_001), at: 2 });
  assert.ok(place.written - before < 21_000);
});

test("a game that got shorter leaves nothing behind", () => {
  const place = storage();
  const shelf = new Shelf(place, "x");
  shelf.save({ bytes: steps(90_000), at: 0 });
  shelf.save({ bytes: steps(10), at: 0 });
  assert.equal(place.kept.size, 2);
  assert.deepEqual(new Shelf(place, "x").load().bytes, steps(10));
});

test("a full storage is told, and a later save is whole again", () => {
  const place = storage(30_000);
  const shelf = new Shelf(place, "x");
  assert.equal(shelf.save({ bytes: steps(60_000), at: 0 }), false);
  assert.equal(shelf.save({ bytes: steps(20_000), at: 0 }), true);
  assert.deepEqual(new Shelf(place, "x").load().bytes, steps(20_000));
});

test("nothing kept, or nonsense, is nothing", () => {
  const place = storage();
  assert.equal(new Shelf(place, "x").load(), null);
  place.setItem("leitai.play.x", "{");
  assert.equal(new Shelf(place, "x").load(), null);
});

test("a game that moves elsewhere leaves only word of it, and its room", () => {
  const place = storage();
  const shelf = new Shelf(place, "x");
  shelf.save({ bytes: steps(90_000), at: 0 });
  assert.equal(shelf.leave({ isDeep: true }), true);
  assert.equal(place.kept.size, 1);
  assert.equal(new Shelf(place, "x").load().isDeep, true);
});

test("where another window has written, everything is written again", () => {
  const place = storage();
  const [mine, other] = [new Shelf(place, "x"), new Shelf(place, "x")];
  mine.save({ bytes: steps(50_000), at: 1 });
  other.save({ bytes: steps(30_000).fill(3), at: 2 });
  mine.forget();
  mine.save({ bytes: steps(50_000), at: 3 });
  assert.deepEqual(new Shelf(place, "x").load().bytes, steps(50_000));
});
