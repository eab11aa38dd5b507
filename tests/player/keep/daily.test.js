import assert from "node:assert/strict";
import { test } from "node:test";

import { kept, solvedOn, streak, switchOff, today } from "../../../contest/static/contest/player/keep/daily.js";

function storage(text) {
  const values = new Map(text === undefined ? [] : [["leitai.daily", text]]);
  return { getItem: (name) => values.get(name) ?? null, setItem: (name, value) => values.set(name, value) };
}
const noon = (day) => Date.parse(`${day}T12:00:00+08:00`);

test("the day changes at midnight in Beijing", () => {
  assert.equal(today(Date.parse("2026-11-22T15:59:59Z")), "2026-11-22");
  assert.equal(today(Date.parse("2026-11-22T16:00:00Z")), "2026-11-23");
});

test("a streak ends today or yesterday, and a gap breaks it", () => {
  const days = ["2026-02-26", "2026-02-28", "2026-03-01", "2026-03-02"];
  assert.equal(streak(days, "2026-03-02"), 3);
  assert.equal(streak(days, "2026-03-03"), 3);
  assert.equal(streak(days, "2026-03-04"), 0);
  assert.equal(streak([], "2026-03-04"), 0);
});

test("a day counts once, and only on the day itself", () => {
  const place = storage();
  solvedOn(place, "2026-11-22", noon("2026-11-22"));
  solvedOn(place, "2026-11-22", noon("2026-11-22"));
  solvedOn(place, "2026-11-22", noon("2026-11-23")); // a page kept for offline play
  assert.deepEqual(kept(place).days, ["2026-11-22"]);
});

test("switched off, the days are forgotten and none is added", () => {
  const place = storage();
  solvedOn(place, "2026-11-22", noon("2026-11-22"));
  switchOff(place, true);
  solvedOn(place, "2026-11-22", noon("2026-11-22"));
  assert.deepEqual(kept(place), { days: [], isOff: true });
  switchOff(place, false);
  solvedOn(place, "2026-11-22", noon("2026-11-22"));
  assert.deepEqual(kept(place), { days: ["2026-11-22"], isOff: false });
});

test("what cannot be read counts as nothing", () => {
  for (const text of ["", "null", "[1", '{"days":3}', "7"]) assert.deepEqual(kept(storage(text)).days, []);
});

test("a browser that keeps nothing plays on", () => {
  const place = { getItem: () => null, setItem: () => { throw new Error("full"); } };
  solvedOn(place, "2026-11-22", noon("2026-11-22"));
  switchOff(place, true);
});
