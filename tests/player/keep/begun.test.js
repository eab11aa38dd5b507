import assert from "node:assert/strict";
import { test } from "node:test";

import { begun, noteBegun } from "../../../contest/static/contest/player/keep/begun.js";

function storage(text = null) {
  const kept = new Map(text === null ? [] : [["leitai.begun", text]]);
  return {
    written: 0,
    getItem: (name) => kept.get(name) ?? null,
    setItem(name, value) {
      kept.set(name, value);
      this.written += 1;
    },
  };
}

const paths = (place) => begun(place).map((one) => one.path);

test("the level played last comes first, whatever the language of its page", () => {
  const place = storage();
  noteBegun(place, "/en/rounds/1/main/play/", "Round 1 · Main", true);
  noteBegun(place, "/en/rounds/2/main/play/", "Round 2 · Main", true);
  noteBegun(place, "/zh-hans/rounds/1/main/play/", "第 1 期 · 主关", true);
  assert.deepEqual(begun(place), [
    { path: "/rounds/1/main/play/", name: "第 1 期 · 主关" },
    { path: "/rounds/2/main/play/", name: "Round 2 · Main" },
  ]);
});

test("who plays on writes nothing", () => {
  const place = storage();
  for (let move = 0; move < 9; move++) noteBegun(place, "/en/a/", "A", true);
  noteBegun(place, "/en/b/", "B", false);
  assert.equal(place.written, 1);
});

test("what is solved or taken back to its start is gone", () => {
  const place = storage();
  noteBegun(place, "/en/a/", "A", true);
  noteBegun(place, "/en/b/", "B", true);
  noteBegun(place, "/en/a/", "A", false);
  assert.deepEqual(paths(place), ["/b/"]);
});

test("the twelve played last are remembered", () => {
  const place = storage();
  for (let level = 0; level < 20; level++) noteBegun(place, `/en/${level}/`, "", true);
  assert.deepEqual(paths(place), Array.from({ length: 12 }, (_, back) => `/${19 - back}/`));
});

test("what cannot be read counts for nothing", () => {
  for (const text of ["", "{", "7", "{}", '[1, null, {"path": 3}]']) assert.deepEqual(begun(storage(text)), []);
});
