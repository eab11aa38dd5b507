import assert from "node:assert/strict";
import { test } from "node:test";

import { listenToPads } from "../../../contest/static/contest/player/input/pads.js";

test("an act that fails does not end the looking", (t) => {
  const [heard, frames] = [{}, []];
  const left = { buttons: Array.from({ length: 17 }, (_, number) => ({ pressed: number === 14 })), axes: [0, 0] };
  const browser = {
    document: { hasFocus: () => true },
    navigator: { getGamepads: () => [{ ...left, mapping: "standard" }, null] },
    requestAnimationFrame: (look) => frames.push(look),
    window: { addEventListener: (name, listen) => (heard[name] = listen) },
  };
  for (const [name, value] of Object.entries(browser)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true });
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
  }
  const acts = [];
  listenToPads({
    act(name) {
      acts.push(name);
      if (acts.length === 1) throw new Error("as ordered");
    },
  });
  heard.gamepadconnected();
  assert.throws(() => frames.shift()(0), /as ordered/);
  frames.shift()(1_000);
  assert.deepEqual(acts, ["left", "left"]);
});
