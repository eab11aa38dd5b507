import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { SKINS } from "../../../contest/static/contest/player/view/skin.js";
import { AIM, BARE, CRATE_AWAY, FLOOR, INNER, UNSEEN, WALKER, wallSprites } from "../../../contest/static/contest/player/view/sprites.js";

const TABLE = JSON.parse(readFileSync(new URL("../../../solvers/sokoban/drawing/skins/skins.json", import.meta.url), "utf8"));
const NAMES = Object.keys(TABLE.skins.classic.sprites);

test("the table has the skins that can be chosen, and the sprites where they are looked for", () => {
  assert.deepEqual(Object.keys(TABLE.skins), SKINS);
  assert.deepEqual([0, 15, INNER, FLOOR, AIM, WALKER, CRATE_AWAY, UNSEEN, BARE].map((sprite) => NAMES[sprite]),
    ["wall0", "wall15", "inNE", "floor", "goal", "manU", "box", "unseen", "bareNE"]);
});

test("every sprite is made of paths that both languages read, in paints that have a colour by day and by night", () => {
  for (const [name, { day, night, sprites }] of Object.entries(TABLE.skins)) {
    for (const [sprite, layers] of Object.entries({ ...TABLE.small, ...sprites })) {
      assert.ok(NAMES.includes(sprite), sprite);
      for (const [paint, path] of layers) {
        assert.match(path, /^(M[\d.]+ [\d.]+([hvlcq][-\d. ]+)+z)+$/, `${name} ${sprite}`);
        assert.match(day[paint] + night[paint], /^(#[0-9a-f]{6}){2}$/, `${name} ${sprite} ${paint}`);
      }
    }
  }
});

test("a wall is drawn by its neighbours: bare corners before the floor, curves within an angle", () => {
  const walls = ["0,-1", "1,0"];
  const sprites = wallSprites((right, down) => walls.includes(`${right},${down}`), () => true);
  assert.deepEqual(sprites, [BARE + 2, 1 + 2, INNER]);
});
