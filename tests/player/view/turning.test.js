import assert from "node:assert/strict";
import { test } from "node:test";

import { Arena } from "../../../contest/static/contest/player/rules/game.js";
import { Level } from "../../../contest/static/contest/player/rules/level.js";
import { Turning } from "../../../contest/static/contest/player/view/turning.js";

const LEVEL = Level.parse("######|#@$-.#|#--$.#|#---##|####");
const SYMMETRIES = [0, 1, 2, 3, 4, 5, 6, 7];

for (const symmetry of SYMMETRIES) {
  test(`after symmetry ${symmetry} cells are seen where Level.transformed puts them`, () => {
    const turned = LEVEL.transformed(symmetry);
    const turning = new Turning(LEVEL, symmetry);
    assert.deepEqual([turning.width, turning.height], [turned.width, turned.height]);
    LEVEL.cells.forEach((content, cell) => {
      const [column, row] = turning.place(cell);
      assert.equal(turned.cells[row * turned.width + column], content);
      assert.equal(turning.cell(column, row), cell);
    });
  });

  test(`after symmetry ${symmetry} a step goes where it is seen to go`, () => {
    const turning = new Turning(LEVEL, symmetry);
    const { start } = Arena.of(LEVEL);
    const [column, row] = turning.place(start.player);
    [[-1, 0], [0, -1], [1, 0], [0, 1]].forEach(([x, y], seen) => {
      const direction = turning.published(seen);
      const step = start.step(direction);
      if (step === null) return;
      assert.deepEqual(turning.place(start.after([step]).player), [column + x, row + y]);
    });
  });

  test(`symmetry ${symmetry} turned is seen turned clockwise, mirrored is seen mirrored`, () => {
    const seen = LEVEL.transformed(symmetry);
    const turning = new Turning(LEVEL, symmetry);
    assert.equal(LEVEL.transformed(turning.turned()).publishedText, seen.transformed(1).publishedText);
    assert.equal(LEVEL.transformed(turning.mirrored()).publishedText, seen.transformed(4).publishedText);
  });
}

test("outside the board there is no cell", () => {
  const turning = new Turning(LEVEL, 1);
  assert.equal(turning.cell(-1, 0), null);
  assert.equal(turning.cell(0, LEVEL.width), null);
});

test("a step is seen as the step that would be published for it", () => {
  for (let symmetry = 0; symmetry < 8; symmetry++) {
    const turning = new Turning({ width: 5, height: 3 }, symmetry);
    assert.deepEqual([0, 1, 2, 3].map((seen) => turning.seen(turning.published(seen))), [0, 1, 2, 3]);
  }
});
