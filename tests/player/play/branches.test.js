import assert from "node:assert/strict";
import { test } from "node:test";

import { toLetters, toSteps } from "../../../contest/static/contest/player/rules/game.js";
import { History } from "../../../contest/static/contest/player/play/history.js";

function history(...words) {
  const made = new History();
  for (const word of words) made.add(toSteps(word));
  return made;
}

const line = (made) => toLetters(made.steps(0, made.length));
const letters = (bytes) => toLetters(bytes.map((byte) => byte & 7));
const branches = (made) => made.branches.all.map(({ id, parent, at, steps }) => [id, parent, at, letters(steps)]);

test("what was taken back becomes a branch as soon as something else is played", () => {
  const made = history("r", "uuL");
  made.undo();
  assert.deepEqual(branches(made), []);
  made.add(toSteps("d"));
  assert.equal(line(made), "rd");
  assert.deepEqual(branches(made), [[1, null, 1, "uuL"]]);
});

test("a branch leaves where it differs", () => {
  const made = history("ruuLd");
  made.seek(1);
  made.add(toSteps("uur"));
  assert.deepEqual(branches(made), [[1, null, 3, "Ld"]]);
});

test("the same steps played by hand are no branch", () => {
  const made = history("ruuL");
  made.seek(0);
  for (const step of "ruuL") made.add(toSteps(step));
  assert.equal(line(made), "ruuL");
  assert.deepEqual(branches(made), []);
});

test("a branch taken up again becomes the line, and the line a branch", () => {
  const made = history("r", "uuL");
  made.undo();
  made.add(toSteps("dd"));
  assert.equal(made.take(1), true);
  assert.equal(line(made), "ruuL");
  assert.equal(made.at, 4);
  assert.deepEqual(branches(made), [[2, null, 1, "dd"]]);
  assert.equal(made.take(7), false);
});

test("branches of branches know what they leave", () => {
  const made = history("rrrr");
  made.seek(2);
  made.add(toSteps("uu")); // rr|rr is 1
  made.seek(3);
  made.add(toSteps("d")); // rru|u is 2
  made.seek(1);
  made.add(toSteps("l")); // r|rud is 3, and both leave that now
  assert.deepEqual(branches(made), [[1, 3, 2, "rr"], [2, 3, 3, "u"], [3, null, 1, "rud"]]);
  made.take(2);
  assert.equal(line(made), "rruu");
  assert.deepEqual(branches(made), [[1, null, 2, "rr"], [4, null, 1, "l"], [5, null, 3, "d"]]);
});

test("every line ever played can be taken up again", () => {
  const made = new History();
  const played = new Set();
  let random = 5;
  const next = (most) => (random = (random * 48271) % 2147483647) % most;
  for (let round = 0; round < 60; round++) {
    made.seek(next(made.length + 1));
    made.add(Array.from({ length: 1 + next(3) }, () => next(4)));
    played.add(line(made));
  }
  const whole = [...played].filter((one) => ![...played].some((other) => other !== one && other.startsWith(one)));
  const found = new Set([line(made)]);
  for (const { id } of made.branches.all) {
    const again = History.from(made.bytes(), made.at, structuredClone(made.branches.all));
    again.take(id);
    found.add(line(again));
  }
  for (const one of whole) assert.ok(found.has(one), one);
});

test("branches stored and brought back are the same; damaged ones are left out", () => {
  const made = history("rrrr");
  made.seek(2);
  made.add(toSteps("uu"));
  made.seek(1);
  made.add(toSteps("l"));
  const kept = made.branches.all;
  assert.deepEqual(branches(History.from(made.bytes(), 0, kept)), branches(made));
  const damaged = [...kept, { id: 9, parent: 8, at: 1, steps: toSteps("r") }, { id: 10, parent: null, at: 99, steps: toSteps("r") }];
  assert.deepEqual(branches(History.from(made.bytes(), 0, damaged)), branches(made));
});

test("of many branches the oldest are forgotten", () => {
  const made = history("r".repeat(300));
  for (let at = 299; at >= 0; at--) {
    made.seek(at);
    made.add(toSteps("u"));
  }
  assert.ok(made.branches.all.length <= 200);
  assert.equal(made.branches.all.at(-1).parent, null);
});

test("half a million steps with branches: an undo and another step stay instant", () => {
  const made = new History();
  made.add(new Uint8Array(500_000));
  for (let round = 0; round < 20; round++) {
    made.undo("step");
    made.undo("step");
    made.add(Uint8Array.of(1 + (round % 3), 0));
  }
  const begin = process.cpuUsage();
  for (let round = 0; round < 20; round++) {
    made.undo("step");
    made.add(Uint8Array.of(3 - (round % 3)));
  }
  const { user } = process.cpuUsage(begin);
  assert.ok(user / 20 < 16_000, `${user / 20} µs`);
});
