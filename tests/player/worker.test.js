import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import vm from "node:vm";

const TEXT = await readFile(new URL("../../contest/static/contest/worker.js", import.meta.url), "utf8");
const PLAY = "/en/rounds/1/main/play/";

/** The browser's store of caches, as much of it as the worker asks for. */
function stores(kept) {
  const named = new Map(Object.entries(kept).map(([name, pages]) => [name, new Map(pages)]));
  const open = (name) => named.get(name) ?? named.set(name, new Map()).get(name);
  return {
    named,
    keys: async () => [...named.keys()],
    delete: async (name) => named.delete(name),
    open: async (name) => ({
      keys: async () => [...open(name).keys()].map((path) => ({ url: `https://leitai.example${path}` })),
      put: async (path, answer) => void open(name).set(path, answer),
      delete: async (path) => open(name).delete(path),
      addAll: async (files) => files.forEach((file) => open(name).set(file, "file")),
    }),
  };
}

/** What is kept after a new version of the worker took over, while the server answers *status*. */
async function takenOver(status) {
  const caches = stores({ "leitai-play-old": [[PLAY, "old"]], "leitai-play-new": [] });
  const heard = {};
  const self = { addEventListener: (name, act) => (heard[name] = act), clients: { claim: async () => {} }, registration: { scope: "https://leitai.example/" } };
  const fetch = async () => ({ ok: status === 200, status });
  vm.runInNewContext(`const VERSION = "new"; const SHELL = ["/a.js"]; const LAB = ["/b.js"]; const ENTRANCE = []; const OFFLINE = {};\n${TEXT}`, { caches, self, fetch, URL });
  await new Promise((done) => heard.activate({ waitUntil: (work) => done(work) }));
  return Object.fromEntries([...caches.named].map(([name, pages]) => [name, [...pages.keys()]]));
}

test("a new version brings its own copies of the levels kept", async () => {
  assert.deepEqual(await takenOver(200), { "leitai-play-new": ["/a.js", PLAY] });
});

test("a level that is gone is not kept on", async () => {
  assert.deepEqual(await takenOver(404), { "leitai-play-new": ["/a.js"] });
});

test("while the server is just starting nothing kept is lost", async () => {
  assert.deepEqual(await takenOver(503), { "leitai-play-old": [PLAY], "leitai-play-new": ["/a.js"] });
});
