// The fewest turns until an edge of a constraint graph points where it should, or that there is no way: the twin of
// solvers/logic/exploring.py, which says what is left out and why nothing is lost; both are tested with the same cases.

import { PuzzleError } from "../../player/rules/errors.js";
import { LEAST } from "./graphs.js";

// A configuration is two numbers of so many bits, so that both together are one exact number.
const LOW_BITS = 26;
const MOST_ROWS = 52;

/**
 * Look for the fewest turns, a slice of configurations at a time: yields how many were met, returns {turns, met}, where
 * turns is null if there is no way. Throw a PuzzleError where more than *most* were met, or there are too many rows.
 */
export function* exploring(graph, heads, [goal, vertex], most) {
  if (heads[goal] === vertex) return { turns: [], met: 1 };
  const rows = rowsOf(graph, heads, goal);
  if (rows.length > MOST_ROWS) throw new PuzzleError("too_many_configurations", { most });
  const wanted = rows.findIndex(({ edges }) => edges[0] === goal);
  const ways = rows.map((_row, at) => waysOff(graph, heads, rows, at));
  const came = new Map([[0, { cost: 0, before: -1, at: -1 }]]);
  const waiting = [[0]]; // by cost
  for (let cost = 0; cost < waiting.length; cost++) {
    for (const now of waiting[cost] ?? []) {
      if (came.get(now).cost < cost) continue;
      const high = Math.floor(now / 2 ** LOW_BITS);
      const low = now % 2 ** LOW_BITS;
      if (wanted >= 0 && isSet(low, high, wanted)) return { turns: turnsTo(rows, came, now), met: came.size };
      for (let at = 0; at < rows.length; at++) {
        const isFar = isSet(low, high, at);
        if (!ways[at][isFar].some((one) => (low & one.low) === one.lowBits && (high & one.high) === one.highBits)) continue;
        const bit = 2 ** at;
        const then = isFar ? now - bit : now + bit;
        const price = cost + rows[at].edges.length;
        const known = came.get(then);
        if (known && known.cost <= price) continue;
        if (!known && came.size === most) throw new PuzzleError("too_many_configurations", { most });
        came.set(then, { cost: price, before: now, at });
        (waiting[price] ??= []).push(then);
        if (!known && came.size % 2000 === 0) yield came.size;
      }
    }
    waiting[cost] = null;
  }
  return { turns: null, met: came.size };
}

/** The rows that a search has to turn: {edges, near, far}; the edge *goal* is a row of its own, if it can turn at all. */
export function rowsOf(graph, heads, goal) {
  const turning = worthTurning(graph, heads, goal);
  let rows = turning.map((number) => ({
    edges: [number],
    near: heads[number],
    far: graph.otherEnd(number, heads[number]),
  }));
  for (let vertex = 0; vertex < graph.vertices; vertex++) {
    const held = heldAt(graph, heads, turning, vertex);
    const at = graph.at[vertex].filter((number) => turning.includes(number));
    const least = Math.min(...at.map((number) => graph.edges[number].weight));
    if (at.length !== 2 || at.includes(goal) || held >= LEAST || held + least < LEAST) continue;
    const first = rows.find(({ far, edges }) => far === vertex && at.includes(edges.at(-1)));
    const then = rows.find(({ near, edges }) => near === vertex && at.includes(edges[0]));
    if (!first || !then || first.near === then.far) continue;
    rows = rows.filter((row) => row !== first && row !== then);
    rows.push({ edges: [...first.edges, ...then.edges], near: first.near, far: then.far });
  }
  return rows;
}

function worthTurning(graph, heads, goal) {
  const free = new Set();
  const mayTurn = (number) => {
    const head = heads[number];
    const others = graph.at[head].filter((one) => one !== number && (free.has(one) || heads[one] === head));
    return others.reduce((sum, one) => sum + graph.edges[one].weight, 0) >= LEAST;
  };
  const between = [...graph.edges.keys()].filter((number) => graph.edges[number].one !== graph.edges[number].other);
  for (let more = between; more.length; ) {
    more = between.filter((number) => !free.has(number) && mayTurn(number));
    for (const number of more) free.add(number);
  }
  const turning = between.filter((number) => free.has(number));
  const isSettled = (vertex) => heldAt(graph, heads, turning, vertex) >= LEAST;
  return turning.filter((number) => number === goal || !isSettled(graph.otherEnd(number, heads[number])));
}

/** What points to *vertex* whatever turns. */
function heldAt(graph, heads, turning, vertex) {
  const held = graph.at[vertex].filter((number) => heads[number] === vertex && !turning.includes(number));
  return held.reduce((sum, number) => sum + graph.edges[number].weight, 0);
}

/** What lets the row *at* leave its near end (false) and its far end (true): any of these masks with these bits. */
function waysOff(graph, heads, rows, at) {
  const turning = rows.flatMap(({ edges }) => edges);
  const others = (vertex) => {
    const held = heldAt(graph, heads, turning, vertex);
    if (held >= LEAST) return [masked([])];
    const pointing = rows.flatMap(({ near, far, edges }, row) => {
      if (row === at) return [];
      const found = [];
      if (near === vertex) found.push({ weight: graph.edges[edges[0]].weight, row, isFar: false });
      if (far === vertex) found.push({ weight: graph.edges[edges.at(-1)].weight, row, isFar: true });
      return found;
    });
    const alone = pointing.filter(({ weight }) => held + weight >= LEAST).map((one) => masked([one]));
    const weak = pointing.filter(({ weight }) => held + weight < LEAST);
    if (held + 1 >= LEAST) return alone;
    return [...alone, ...weak.flatMap((one, here) => weak.slice(here + 1).map((other) => masked([one, other])))];
  };
  return { false: others(rows[at].near), true: others(rows[at].far) };
}

function masked(ends) {
  const found = { low: 0, lowBits: 0, high: 0, highBits: 0 };
  for (const { row, isFar } of ends) {
    const [part, bits, bit] = row < LOW_BITS ? ["low", "lowBits", row] : ["high", "highBits", row - LOW_BITS];
    found[part] |= 1 << bit;
    if (isFar) found[bits] |= 1 << bit;
  }
  return found;
}

function isSet(low, high, at) {
  return Boolean(at < LOW_BITS ? (low >> at) & 1 : (high >> (at - LOW_BITS)) & 1);
}

function turnsTo(rows, came, last) {
  const turns = [];
  for (let now = last; now; ) {
    const { before, at } = came.get(now);
    const { edges } = rows[at];
    turns.push(...(Math.floor(before / 2 ** at) % 2 ? edges : [...edges].reverse()));
    now = before;
  }
  return turns.reverse();
}
