import assert from "node:assert/strict";
import { test } from "node:test";

import { Store } from "../../../contest/static/contest/player/keep/store.js";
import { startNotes } from "../../../contest/static/contest/player/page/notes.js";

/** A field on a page whose browser has *room* characters for each thing it keeps. */
function writingOn(level, kept, room = 1_000) {
  const heard = {};
  globalThis.window = { localStorage: {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => {
      if (text.length > room) throw new Error("no room");
      kept.set(name, text);
    },
    removeItem: (name) => kept.delete(name),
  } };
  const field = { value: "", addEventListener: (name, hear) => (heard[name] = hear) };
  const warning = { hidden: true };
  startNotes(field, new Store(level), warning);
  const write = (text) => {
    field.value = text;
    heard.input();
  };
  return { field, warning, write };
}

test("what is written about a level is there again, beside no other level", () => {
  const kept = new Map();
  writingOn("one", kept).write("The left box first.");
  assert.equal(writingOn("one", kept).field.value, "The left box first.");
  assert.equal(writingOn("two", kept).field.value, "");
});

test("where a browser has no room for notes it says so, until it has", () => {
  const { warning, write } = writingOn("one", new Map(), 20);
  write("x".repeat(40));
  assert.equal(warning.hidden, false);
  write("short");
  assert.equal(warning.hidden, true);
});
