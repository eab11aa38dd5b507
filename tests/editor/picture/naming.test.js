import assert from "node:assert/strict";
import { test } from "node:test";

import { looksOf } from "../../../contest/static/contest/editor/picture/grid.js";
import { grouped } from "../../../contest/static/contest/editor/picture/groups.js";
import { cellsOf, corrected, guess } from "../../../contest/static/contest/editor/picture/naming.js";
import { Pixels } from "../../../contest/static/contest/editor/picture/pixels.js";
import { BOX, WALL } from "../../../contest/static/contest/player/rules/letters.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { LOOKS, chanceOf, drawn, noisy } from "./looks.js";

const LEVELS = {
  small: Level.parse("-####|##-.#|#@$-#|#-$-#|#.-##|####"),
  wide: Level.parse(
    "----#####|----#---#|----#$--#|--###--$##|--#--$-$-#|###-#-##-#---######|#---#-##-#####--..#|" +
      "#-$--$----------..#|#####-###-#@##--..#|----#-----#########|----#######",
  ),
  open: Level.parse("############|#--@-------#|#-$--$--$--#|#-..-*--.--#|#-----##---#|#-$--.-----#|############"),
};

const READ = new Map();

/** What is read from a picture of *level*, which is drawn once. */
function read(level, look) {
  const key = `${look} ${level}`;
  if (!READ.has(key)) READ.set(key, readAgain(level, look, 24));
  return READ.get(key);
}

function readAgain(level, look, side) {
  const picture = noisy(drawn(level, look, side), 6, chanceOf(3));
  const found = grouped(looksOf(new Pixels(picture), { left: 0, top: 0, size: side, columns: level.width, rows: level.height }));
  return { found, names: guess(found, level.width) };
}

for (const look of Object.keys(LOOKS)) {
  test(`cells with the same on them are one kind, and no others: ${look}`, () => {
    for (const level of Object.values(LEVELS)) {
      const { found } = read(level, look);
      const contents = found.groups.map(({ cells }) => new Set(cells.map((cell) => level.cells[cell])));
      assert.ok(contents.every(({ size }) => size === 1));
      assert.ok(found.groups.length <= 9, `${found.groups.length} kinds`);
    }
  });

  for (const [name, level] of Object.entries(LEVELS)) {
    test(`the first guess gives the level: ${look}, ${name}`, () => {
      const { found, names } = read(level, look);
      assert.equal(new Level(level.width, level.height, cellsOf(found.of, names)).toString(), level.toString());
    });
  }
}

test("a larger tolerance puts more into one kind", () => {
  const { width, height } = LEVELS.open;
  const looks = looksOf(new Pixels(drawn(LEVELS.open, "checked", 24)), { left: 0, top: 0, size: 24, columns: width, rows: height });
  assert.ok(grouped(looks, 90).groups.length < grouped(looks, 10).groups.length);
});

test("what was corrected by hand stays when a name changes", () => {
  const before = Level.parse("#####|#@$.#|#####");
  const cells = Uint8Array.from(before.cells);
  cells[8] |= BOX;
  const now = new Level(5, 3, cells);
  const renamed = new Level(5, 3, before.cells.map((content) => (content === WALL ? 0 : content)));
  assert.equal(corrected(renamed, before, now).cells[8], cells[8]);
  assert.equal(corrected(renamed, before, now).cells[0], 0);
  assert.equal(corrected(renamed, null, now), renamed);
});
