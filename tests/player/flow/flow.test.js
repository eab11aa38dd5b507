import assert from "node:assert/strict";
import { test } from "node:test";

import { Flow } from "../../../contest/static/contest/player/flow/flow.js";

const flowOf = (facts = {}) => new Flow({ door: "contest", hasName: true, hasNext: true, ...facts });

test("a solution is sent in place, judged, and the next level offered", () => {
  const flow = flowOf();
  const seen = [];
  const note = () => seen.push([flow.at, flow.offer]);
  flow.show("rR");
  note();
  assert.deepEqual(flow.send(), { letters: "rR", door: "contest" });
  note();
  assert.equal(flow.send(), null); // it is under way
  flow.received("rR", "/s/1/");
  note();
  flow.judged("rR", { isAccepted: true });
  note();
  assert.deepEqual(seen, [["solved", "submit"], ["sending", "wait"], ["judging", "wait"], ["judged", "next"]]);
  assert.deepEqual(flow.outcome, { at: "judged", door: "contest", receipt: "/s/1/", verdict: { isAccepted: true } });
});

test("an answer belongs to its solution: one that comes late is kept for it", () => {
  const flow = flowOf();
  flow.show("rR");
  flow.send();
  flow.show(null);
  flow.received("rR", "/s/1/");
  assert.equal(flow.at, "playing");
  flow.show("lrrR");
  assert.equal(flow.offer, "submit");
  flow.show("rR");
  assert.equal(flow.at, "judging");
});

test("a lost solution and a refused one can be sent again", () => {
  const flow = flowOf();
  flow.show("rR");
  flow.send();
  flow.lost("rR", true);
  assert.deepEqual([flow.offer, flow.outcome.isOffline], ["again", true]);
  flow.send();
  flow.refused("rR", { nickname: ["Taken."] });
  assert.deepEqual([flow.at, flow.offer], ["refused", "submit"]);
  assert.equal(flow.send().letters, "rR");
});

test("without a name nothing is sent in place, and a library does not insist on one", () => {
  const flow = flowOf({ hasName: false });
  flow.show("rR");
  assert.deepEqual([flow.offer, flow.send()], ["submit", null]);
  const library = flowOf({ door: "library", hasName: false });
  library.show("rR");
  assert.equal(library.offer, "next");
});

test("nothing is offered where nothing is accepted and no level follows", () => {
  const flow = flowOf({ door: "", hasNext: false });
  flow.show("rR");
  assert.equal(flow.offer, "");
});

test("at the close an unsent solution turns into practice; one sent before keeps its door", () => {
  const flow = flowOf();
  flow.show("rR");
  flow.send();
  flow.lost("rR", false);
  flow.show("lrrR");
  flow.close("practice");
  assert.equal(flow.offer, "practice");
  assert.equal(flow.send().door, "practice");
  flow.show("rR");
  assert.equal(flow.offer, "again");
  assert.equal(flow.send().door, "contest"); // the first time it may have been received
  flow.refused("rR", { round: ["Closed."] });
  assert.equal(flow.offer, "practice");
  const waiting = flowOf();
  waiting.show("rR");
  waiting.close("");
  assert.equal(waiting.offer, "next");
});
