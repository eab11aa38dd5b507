import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { turnedBack } from "../../../contest/static/contest/player/rules/moves.js";
import { cases } from "../vectors.js";

const READERS = {
  xsb: Level.parse,
  mf8: Level.parseMf8,
  compact: Level.parseCompact,
  sokoplayer: Level.parseSokoPlayer,
};

const FACTS = {
  published: (level) => level.publishedText,
  width: (level) => level.width,
  height: (level) => level.height,
  players: (level) => level.players,
  boxes: (level) => level.boxes,
  goals: (level) => level.goals,
  problems: (level) => Object.fromEntries(level.problems.map(({ code, values }) => [code, values])),
  canonical: (level) => level.canonicalForm,
  level_key: (level) => sha256(level.canonicalForm),
  level_sha256: (level) => sha256(level.publishedText),
  run_length: (level) => level.runLengthText,
  mf8: (level) => level.mf8Text,
  compact: (level) => level.compactText,
  sokoplayer: (level) => level.sokoPlayerQuery,
};

for (const { name, text, reader = "xsb", error, ...facts } of cases("levels")) {
  test(name, () => {
    if (error) {
      assert.throws(() => READERS[reader](text), error);
      return;
    }
    const level = READERS[reader](text);
    for (const [fact, expected] of Object.entries(facts)) assert.deepEqual(FACTS[fact](level), expected, fact);
  });
}

test("a level without exactly one player has no canonical form", () => {
  assert.throws(() => Level.parse("#####|#-$.#|#####").canonicalForm, { code: "bad_level" });
});

test("every output of a level reads back as the same level", () => {
  const level = Level.parse("-####--|##+$-##|#---*-#|#--#--#|--##--#|-------|-######");
  assert.equal(Level.parse(level.toString()).publishedText, level.publishedText);
  assert.equal(Level.parse(level.publishedText).publishedText, level.publishedText);
  assert.equal(Level.parse(level.runLengthText).publishedText, level.publishedText);
  assert.equal(Level.parseMf8(level.mf8Text).publishedText, level.publishedText);
  assert.equal(Level.parseCompact(level.compactText).publishedText, level.publishedText);
  assert.equal(Level.parseSokoPlayer(level.sokoPlayerQuery).publishedText, level.publishedText);
});

test("a symmetry exchanges left and right first, then turns clockwise", () => {
  const level = Level.parse("####|#@-#|#$.#|#--#|####");
  assert.equal(level.transformed(1).publishedText, "#####|#-$@#|#-.-#|#####");
  assert.equal(level.transformed(4).publishedText, "####|#-@#|#.$#|#--#|####");
  assert.equal(level.transformed(7).publishedText, "#####|#@$-#|#-.-#|#####");
});

test("the canonical form is the same from all eight symmetries", () => {
  const level = Level.parse("-####--|##+$-##|#---*-#|#--#--#|#-##--#|#------|-######");
  for (let symmetry = 0; symmetry < 8; symmetry++) {
    assert.equal(level.transformed(symmetry).canonicalForm, level.canonicalForm, `symmetry ${symmetry}`);
  }
});

test("moves for a transformed board are turned back for the published one", () => {
  const directions = { l: [0, -1], u: [-1, 0], r: [0, 1], d: [1, 0] };
  for (let symmetry = 0; symmetry < 8; symmetry++) {
    for (const [letter, [down, right]] of Object.entries(directions)) {
      // The letter's picture: a player with a box on that side. Turned, the box stands where the other letter points.
      const cells = ["---", "-@-", "---"].map((row) => [...row]);
      const [downBack, rightBack] = directions[turnedBack(letter, symmetry)];
      cells[1 + downBack][1 + rightBack] = "$";
      const turned = Level.parse(`#####|${cells.map((row) => `#${row.join("")}#`).join("|")}|#####`).transformed(symmetry);
      assert.equal(turned.boxes[0] - turned.player, 5 * down + right, `${letter} in symmetry ${symmetry}`);
    }
  }
});

function sha256(text) {
  return createHash("sha256").update(text).digest("hex");
}
