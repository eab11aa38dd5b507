// How two solutions of one level differ, by their pushes: where they part, and the stretches they have in common.

import { PUSH } from "../player/rules/game.js";

/** How many pushes the two begin with alike. */
export function alikeAtFirst(own, other) {
  const [a, b] = [pushed(own), pushed(other)];
  const shorter = Math.min(a.length, b.length);
  for (let push = 0; push < shorter; push++) if (a[push] !== b[push]) return push;
  return shorter;
}

/**
 * The two solutions in parts, from the start to the end of both: {isSame, own: [from, to], other: [from, to]}, counted
 * in pushes made. In a part that *isSame* they push in the same way; at each border the boxes stand alike in both.
 *
 * What stands alike is found by positions of the boxes that each solution has exactly once, as in a patience
 * difference; of these the longest rising sequence is kept. Time O(pushes * log pushes).
 */
export function difference(own, other) {
  const [a, b] = [pushed(own), pushed(other)];
  const parts = [];
  let [i, j] = [0, 0];
  const add = (isSame, toOwn, toOther) => {
    if (toOwn > i || toOther > j) parts.push({ isSame, own: [i, toOwn], other: [j, toOther] });
    [i, j] = [toOwn, toOther];
  };
  const same = () => {
    let length = 0;
    while (i + length < a.length && j + length < b.length && a[i + length] === b[j + length]) length++;
    add(true, i + length, j + length);
  };
  same();
  for (const [alikeOwn, alikeOther] of anchors(own, other)) {
    if (alikeOwn < i || alikeOther < j || (alikeOwn === i && alikeOther === j)) continue;
    add(false, alikeOwn, alikeOther);
    same();
  }
  add(false, a.length, b.length);
  return parts;
}

/** For each push the square its box left and the direction, as one number. */
function pushed({ keyframes, steps, pushes }) {
  const { arena, man } = keyframes[0];
  const found = new Uint32Array(pushes.length);
  let square = man;
  let count = 0;
  for (let at = 0; at < steps.length; at++) {
    square += arena.deltas[steps[at] & 3];
    if (steps[at] & PUSH) found[count++] = square * 4 + (steps[at] & 3);
  }
  return found;
}

/** Pairs of push counts after which the boxes stand alike, both rising. */
function anchors(own, other) {
  const pairs = [];
  const where = onlyOnce(positions(other));
  for (const [position, push] of onlyOnce(positions(own))) {
    if (where.has(position)) pairs.push([push, where.get(position)]);
  }
  return longestRising(pairs.sort(([a], [b]) => a - b));
}

/** After each push a number that tells where the boxes stand: the exclusive or of a random number for each square. */
function positions(playback) {
  const { arena, squares } = playback.keyframes[0];
  const high = scattered(squares.length, 1);
  const low = scattered(squares.length, 2);
  const moves = pushed(playback);
  const found = new Float64Array(moves.length + 1);
  let [left, right] = [0, 0];
  for (let push = 0; push < moves.length; push++) {
    const from = moves[push] >> 2;
    const to = from + arena.deltas[moves[push] & 3];
    left ^= high[from] ^ high[to];
    right ^= low[from] ^ low[to];
    found[push + 1] = (left >>> 0) * 2 ** 21 + (right >>> 11);
  }
  return found;
}

/** The same random numbers each time, by the mixing step of SplitMix32. */
function scattered(length, seed) {
  return Uint32Array.from({ length }, (_, place) => {
    let mixed = Math.imul(place * 2 + seed, 0x9e3779b9);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return mixed ^ (mixed >>> 16);
  });
}

function onlyOnce(values) {
  const found = new Map();
  values.forEach((value, place) => found.set(value, found.has(value) ? -1 : place));
  for (const [value, place] of found) if (place === -1) found.delete(value);
  return found;
}

/** Of *pairs*, which rise by their first, the most that rise by their second too (patience sorting). */
function longestRising(pairs) {
  const ends = []; // the pair that ends the best sequence of each length
  const before = new Int32Array(pairs.length);
  pairs.forEach(([, second], place) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]][1] < second) low = middle + 1;
      else high = middle;
    }
    before[place] = low ? ends[low - 1] : -1;
    ends[low] = place;
  });
  const found = [];
  for (let place = ends.at(-1) ?? -1; place >= 0; place = before[place]) found.push(pairs[place]);
  return found.reverse();
}
