// How many pushes a level takes at least: each box goes to a goal of its own, alone on the board, and the cheapest such
// pairing is the bound (the least-cost assignment of Kuhn and Munkres). Time O(boxes³ + boxes × cells), memory O(boxes²).

import { GOAL, WALL } from "../player/rules/letters.js";

const MOST_BOXES = 250; // beyond which the answer would come later than the next stroke
const NO_WAY = 1e9;

/** At least so many pushes; Infinity where some box can come to no goal left for it; null where nothing can be said. */
export function leastPushes(level) {
  const { boxes, goals, players, reach, isClosed } = level;
  if (players.length !== 1 || !boxes.length || boxes.length !== goals.length || !isClosed) return null;
  if (boxes.length > MOST_BOXES || boxes.some((box) => !reach.has(box) && !(level.cells[box] & GOAL))) return null;
  const costs = goals.map((goal) => {
    const far = pushesTo(level, goal);
    return boxes.map((box) => (far[box] < 0 ? NO_WAY : far[box]));
  });
  const least = assigned(costs);
  return least >= NO_WAY ? Infinity : least;
}

/** From each cell the pushes a box alone needs to *goal*, wherever the man stands; -1 where it cannot come there. */
function pushesTo({ width, cells }, goal) {
  const pushes = new Int32Array(cells.length).fill(-1);
  pushes[goal] = 0;
  const waiting = [goal];
  const isFree = (cell, column) => cell >= 0 && cell < cells.length && column >= 0 && column < width && !(cells[cell] & WALL);
  for (const cell of waiting) {
    const column = cell % width;
    for (const [step, aside] of [[1, 1], [-1, -1], [width, 0], [-width, 0]]) {
      // The box was on *from* and was pushed from behind it.
      const from = cell + step;
      if (!isFree(from, column + aside) || !isFree(from + step, column + 2 * aside) || pushes[from] >= 0) continue;
      pushes[from] = pushes[cell] + 1;
      waiting.push(from); // and the loop will come to it
    }
  }
  return pushes;
}

/** The least sum of *costs*, a square of rows, with one of each row and column. */
function assigned(costs) {
  const size = costs.length;
  const rows = new Float64Array(size + 1);
  const columns = new Float64Array(size + 1);
  const rowOf = new Int32Array(size + 1);
  for (let row = 1; row <= size; row++) {
    const least = new Float64Array(size + 1).fill(Infinity);
    const before = new Int32Array(size + 1);
    const done = new Uint8Array(size + 1);
    let column = 0;
    rowOf[0] = row;
    while (rowOf[column]) {
      done[column] = 1;
      const here = rowOf[column];
      let next = 0;
      let delta = Infinity;
      for (let other = 1; other <= size; other++) {
        if (done[other]) continue;
        const cost = costs[here - 1][other - 1] - rows[here] - columns[other];
        if (cost < least[other]) {
          least[other] = cost;
          before[other] = column;
        }
        if (least[other] < delta) {
          delta = least[other];
          next = other;
        }
      }
      for (let other = 0; other <= size; other++) {
        if (done[other]) {
          rows[rowOf[other]] += delta;
          columns[other] -= delta;
        } else least[other] -= delta;
      }
      column = next;
    }
    for (; column; column = before[column]) rowOf[column] = rowOf[before[column]];
  }
  return costs.reduce((sum, _, index) => sum + costs[rowOf[index + 1] - 1][index], 0);
}
