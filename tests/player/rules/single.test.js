import assert from "node:assert/strict";
import { test } from "node:test";

import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { levelsIn, readOne } from "../../../contest/static/contest/player/rules/single.js";
import { cases } from "../vectors.js";

for (const { name, text, board, error } of cases("single_levels")) {
  test(name, () => {
    if (error) assert.throws(() => readOne(text), { code: error });
    else assert.equal(readOne(text).publishedText, board);
  });
}

test("every text that the pages offer for copying is read", () => {
  const level = Level.parse("-####--|##+$-##|#---*-#|#--#--#|--##--#|-------|-######");
  for (const text of [
    level.toString(),
    level.publishedText,
    level.runLengthText,
    level.mf8Text,
    level.compactText,
    `[soko=${level.width},${level.height}]${level.mf8Text}[/soko]`,
    `http://127.0.0.1:8000/sokoplayer/?${level.sokoPlayerQuery}`,
    `http://127.0.0.1:8000/editor/#level=${level.compactText}`,
    `http://127.0.0.1:8000/check/#${new URLSearchParams({ level: level.publishedText, moves: "r" })}`,
  ]) {
    assert.equal(readOne(text).publishedText, level.publishedText, text);
  }
});

test("a text with too many lines for one level is refused before it is read", () => {
  const text = `${"\n".repeat(2_001)}#####\n#@$.#\n#####`;
  assert.throws(() => readOne(text), { code: "too_many_lines", values: { limit: 2_000 } });
});

test("all levels of a text are found", () => {
  const texts = ["#####\n#@$.#\n#####", "######\n#@ $.#\n######"];
  assert.deepEqual(levelsIn(`One\n\n${texts.join("\n\nTwo\n\n")}\n`).map(String), texts.map((text) => text.replaceAll(" ", "-")));
});
