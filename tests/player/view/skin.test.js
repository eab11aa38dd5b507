import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { CRATE_AWAY, FLOOR, INNER, SKINS, UNSEEN, WALKER } from "../../../contest/static/contest/player/view/skin.js";

const FOLDER = new URL("../../../contest/static/contest/skins/", import.meta.url);
const SPRITES = [
  ...Array.from({ length: 16 }, (_, sides) => `wall${sides}`), "inNE", "inSE", "inSW", "inNW", "floor", "odd", "goal", "lost",
  "manU", "manR", "manD", "manL", "manGU", "manGR", "manGD", "manGL", "box", "home", "reach", "reachG", "dead", "pick", "wrong", "unseen",
];

test("every skin has a picture for the day and one for the night", () => {
  assert.deepEqual(readdirSync(FOLDER).sort(), SKINS.flatMap((skin) => [`${skin}-day.svg`, `${skin}-night.svg`]).sort());
});

test("sprites lie in every picture where they are looked for", () => {
  for (const file of readdirSync(FOLDER)) {
    const picture = readFileSync(new URL(file, FOLDER), "utf8");
    assert.match(picture, /viewBox="0 0 128 80"/);
    for (const [, x, y, name] of picture.matchAll(/<g transform="translate\((\d+) (\d+)\)"><g id="(\w+)"/g)) {
      assert.equal(SPRITES[Number(x) / 16 + (Number(y) / 16) * 8], name, file);
    }
    for (const name of SPRITES) if (!name.startsWith("in")) assert.ok(picture.includes(`id="${name}"`), `${file} ${name}`);
  }
  assert.deepEqual([INNER, FLOOR, WALKER, CRATE_AWAY, UNSEEN].map((sprite) => SPRITES[sprite]), ["inNE", "floor", "manU", "box", "unseen"]);
});

test("a picture carries neither scripts nor addresses of others", () => {
  for (const file of readdirSync(FOLDER)) {
    const picture = readFileSync(new URL(file, FOLDER), "utf8").replace('xmlns="http://www.w3.org/2000/svg"', "");
    assert.doesNotMatch(picture, /script|style|https?:|data:|\son\w+=/);
  }
});
