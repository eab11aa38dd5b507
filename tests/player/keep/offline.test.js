// A whole set is kept page by page, and where one page does not come it goes on there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { keeperOf } from "../../../contest/static/contest/player/keep/offline.js";

/** A worker that notes what it is asked for; `answer` says that a page is kept. */
function aWorker() {
  const asked = [];
  const heard = [];
  const serviceWorker = {
    ready: Promise.resolve({ active: { postMessage: (path) => asked.push(path) } }),
    addEventListener: (_kind, hear) => heard.push(hear),
  };
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker }, configurable: true });
  return { asked, answer: (kept) => heard.forEach((hear) => hear({ data: { kept } })) };
}

const soon = () => new Promise((done) => setImmediate(done));

test("pages are asked for one after the other", async () => {
  const { asked, answer } = aWorker();
  const told = [];
  const keep = keeperOf(["/1", "/2"], (count) => told.push(count));
  answer("/1"); // the page itself, before anybody asked for the set
  assert.deepEqual(told, []);
  keep();
  await soon();
  assert.deepEqual(asked, ["/1"]);
  answer("/1");
  await soon();
  answer("/2");
  await soon();
  assert.deepEqual([asked, told], [["/1", "/2"], [1, 2]]);
});

test("where a page did not come, asking again goes on there", async () => {
  const { asked, answer } = aWorker();
  const keep = keeperOf(["/1", "/2"], () => {});
  keep();
  await soon();
  answer("/1");
  await soon();
  keep(); // "/2" was never answered
  await soon();
  assert.deepEqual(asked, ["/1", "/2", "/2"]);
  answer("/2");
  keep();
  await soon();
  assert.equal(asked.length, 3);
});
