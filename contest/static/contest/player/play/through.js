// Through moves (穿越): the player comes to a square that boxes shut off, by pushing one box after the other aside and
// back, so that in the end every box stands where it stood.
//
// Each box that the player can stand beside is tried as a door: pushed about alone, all others at rest, until it is home
// again with the player on another side of it. The regions of the board are entered one by one in the order of their
// cost; each is left from where it was entered first. So the way found is short, but not always the shortest, and what
// needs two boxes out of their places at once is not found. Nobody waits longer than a second: on the largest boards only
// so many doors are tried.

import { CRATE, FREE, LETTERS, PUSH } from "../rules/game.js";
import { Heap } from "../rules/paths.js";
import { Blocks, Walks } from "../rules/regions.js";

const SIDES = [0, 1, 2, 3];
const NONE = -1;
const BUDGET = 1_000_000; // squares of all boards on which a door is tried

/**
 * A way of the player to *cell* in letters that leaves every box where it is, or null: a walk where there is one.
 *
 * Dijkstra's algorithm over the regions, and within each door over the states of its box (see paths.js). Time
 * O(doors × squares²) at worst; near O(doors × squares) where the ways around a box are short.
 */
export function throughWay({ arena, squares, man }, cell) {
  const target = arena.square(cell);
  if (squares[target] !== FREE) return null;
  const walks = new Walks(squares, arena.deltas);
  const region = new Int32Array(squares.length).fill(NONE);
  const heap = new Heap();
  const entries = [{ square: man, way: "" }];
  let doors = Math.floor(BUDGET / squares.length);
  heap.add(0, 0);
  while (heap.size) {
    const { square, way } = entries[heap.take()];
    if (region[square] !== NONE) continue;
    walks.spread(square);
    const reached = walks.reached();
    for (const one of reached) region[one] = square;
    if (region[target] === square) return way + walks.letters(square, target);
    for (const box of boxesBeside(reached, squares, arena.deltas)) {
      if (doors-- <= 0) return null;
      for (const exit of new Door(arena, squares, box, square).exits((one) => region[one] === NONE)) {
        const longer = way + exit.way;
        heap.add(longer.length, entries.push({ square: exit.square, way: longer }) - 1);
      }
    }
  }
  return null;
}

function boxesBeside(reached, squares, deltas) {
  const found = new Set();
  for (const square of reached) {
    for (const delta of deltas) if (squares[square + delta] === CRATE) found.add(square + delta);
  }
  return found;
}

/** One box pushed about by a player who starts on *man*. States are the box's square and the player's side of it. */
class Door {
  #deltas;
  #squares;
  #box;
  #man;
  #walks;
  #blocks;
  #cost;
  #from; // the state before, which a push or a walk around the box left; NONE at the start

  constructor(arena, squares, box, man) {
    this.#deltas = arena.deltas;
    this.#squares = squares.slice();
    this.#squares[box] = FREE;
    this.#box = box;
    this.#man = man;
    this.#walks = new Walks(this.#squares, arena.deltas);
    this.#blocks = new Blocks(this.#squares, arena.deltas, box);
    this.#cost = new Float64Array(4 * squares.length).fill(Infinity);
    this.#from = new Int32Array(4 * squares.length).fill(NONE);
  }

  /** The sides of the box, home again, on which the player is new: [{square, way}]. */
  exits(isNew) {
    const heap = new Heap();
    const enter = (state, from, cost) => {
      if (cost >= this.#cost[state]) return;
      this.#cost[state] = cost;
      this.#from[state] = from;
      heap.add(cost, state);
    };
    this.#around(this.#box, () => this.#walks.spread(this.#man));
    for (const side of SIDES) {
      const stands = this.#box + this.#deltas[side];
      if (this.#walks.has(stands)) enter((this.#box << 2) | side, NONE, this.#walks.distance(stands));
    }
    while (heap.size) {
      const cost = heap.key;
      const state = heap.take();
      if (cost > this.#cost[state]) continue;
      const [box, side] = [state >> 2, state & 3];
      this.#walkAround(state, cost, enter);
      const to = box - this.#deltas[side];
      if (this.#squares[to] === FREE) enter((to << 2) | side, state, cost + 1);
    }
    return this.#found(isNew);
  }

  /** From this side to those that the player can walk to; costs count, so that the way is a short one. */
  #walkAround(state, cost, enter) {
    const [box, side] = [state >> 2, state & 3];
    const stands = box + this.#deltas[side];
    const block = this.#blocks.of(box, stands);
    const others = SIDES.filter((other) => {
      const square = box + this.#deltas[other];
      return other !== side && this.#squares[square] === FREE && this.#blocks.of(box, square) === block && this.#cost[(box << 2) | other] > cost + 2;
    });
    if (!others.length) return;
    const squares = others.map((other) => box + this.#deltas[other]);
    this.#around(box, () => this.#walks.spread(stands, squares));
    const distances = squares.map((square) => this.#walks.distance(square));
    others.forEach((other, at) => enter((box << 2) | other, state, cost + distances[at]));
  }

  #found(isNew) {
    const exits = SIDES.map((side) => ({ side, square: this.#box + this.#deltas[side], state: (this.#box << 2) | side }));
    return exits
      .filter(({ square, state }) => this.#cost[state] < Infinity && this.#squares[square] === FREE && isNew(square))
      .map(({ square, state }) => ({ square, way: this.#way(state) }));
  }

  #way(state) {
    const parts = [];
    for (;;) {
      const [box, side, from] = [state >> 2, state & 3, this.#from[state]];
      const stands = box + this.#deltas[side];
      if (from === NONE) {
        parts.push(this.#around(this.#box, () => this.#walks.letters(this.#man, stands)));
        return parts.reverse().join("");
      }
      const isPush = from >> 2 !== box;
      const came = box + this.#deltas[from & 3];
      parts.push(isPush ? LETTERS[(side ^ 2) | PUSH] : this.#around(box, () => this.#walks.letters(came, stands)));
      state = from;
    }
  }

  /** Do *work* while the box stands on *square*. */
  #around(square, work) {
    this.#squares[square] = CRATE;
    const result = work();
    this.#squares[square] = FREE;
    return result;
  }
}
