// The picture behind push paths: with one box lifted, the free squares fall into biconnected blocks, which hang together
// at cut squares. Round a box the player gets from one side to another exactly within one block. The twin of
// solvers/sokoban/blocks.py; both are tested with the same cases.

import { FREE } from "../../player/rules/game.js";
import { Blocks } from "../../player/rules/regions.js";

/**
 * The blocks around the box on *cell* of a position: a list of sorted lists of cells, in the order of their first cells;
 * a cell in several blocks is a cut cell. Squares that do not hang together with the box's are in none.
 */
export function blocksAround({ arena, squares }, cell) {
  const lifted = squares.slice();
  const root = arena.square(cell);
  lifted[root] = FREE;
  const found = new Blocks(lifted, arena.deltas, root);
  const blocks = new Map();
  const seen = new Set([root]);
  for (const square of seen) {
    for (const delta of arena.deltas) {
      const beside = square + delta;
      if (lifted[beside] !== FREE) continue;
      seen.add(beside);
      const block = found.of(square, beside);
      if (!blocks.has(block)) blocks.set(block, new Set());
      blocks.get(block).add(arena.cell(square)).add(arena.cell(beside));
    }
  }
  const sorted = [...blocks.values()].map((cells) => [...cells].sort((one, other) => one - other));
  return sorted.sort(compared);
}

/** The cells that lie in more than one block, sorted. */
export function cutCells(blocks) {
  const seen = new Set();
  const cuts = new Set();
  for (const cell of blocks.flat()) (seen.has(cell) ? cuts : seen).add(cell);
  return [...cuts].sort((one, other) => one - other);
}

function compared(one, other) {
  const at = one.findIndex((cell, place) => cell !== other[place]);
  return at < 0 ? one.length - other.length : one[at] - (other[at] ?? -1);
}
