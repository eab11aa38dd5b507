// Where the player can walk, where one box can be pushed, and the ways there.
//
// Pushing one box about: a state is the box's square and the side on which the player stands. The costly question is
// whether the player gets from one side to another without moving the box. Lift the box; then two sides are connected
// around it exactly when the two edges between the box's square and these sides lie in the same biconnected block of
// the free squares. One depth-first search (Hopcroft and Tarjan, 1973) labels all edges, and then each question is one
// comparison. The method is that of http://sokoban.ws/blog/?p=843.
//
// On a board that is played backwards (pulls.js) all is the same but for where the box goes: it follows the player.

import { CRATE, FREE, LETTERS, PUSH } from "./game.js";
import { Blocks, Walks } from "./regions.js";

// How a state was entered: by the push from this side (0 to 3; the player may have walked on since), or
const AT_START = 4;
const NEVER = 5;

// A cost is one number, moves and pushes, the more important one in the high digits. No route on 40,000 squares has
// 2^33 moves or 2^18 pushes.
const PRICES = {
  moves: { move: 2 ** 18, push: 1 },
  pushes: { move: 1, push: 2 ** 34 },
};

/** The cells the player can walk to, and the one where it stands. Time O(squares). */
export function reach(position) {
  const { arena, squares, man } = position;
  const walks = new Walks(squares, arena.deltas);
  walks.spread(man);
  return walks.reached().map((square) => arena.cell(square));
}

/** A shortest walk of the player to *cell* in letters, or null. Time O(squares). */
export function walk(position, cell) {
  const { arena, squares, man } = position;
  return new Walks(squares, arena.deltas).letters(man, arena.square(cell));
}

/** A shortest walk over the free *squares* from one to another in letters, or null. Time O(squares). */
export function walkBetween(squares, deltas, from, to) {
  return new Walks(squares, deltas).letters(from, to);
}

/**
 * Where the box on *cell* can be pushed, with the fewest pushes to each place. Time O(squares).
 *
 * Of several ways with as few pushes one is shown, whatever its walks: `pushRoutes` compares those.
 */
export function pushTargets(position, cell) {
  const routes = new Routes(position, cell);
  routes.findByPushes();
  return routes;
}

/**
 * Where the box on *cell* can be pushed, with the best way to each place: the fewest "moves", and of those the fewest
 * pushes, or the fewest "pushes", and of those the fewest moves. With *to* only the way to that cell is sought.
 *
 * Dijkstra's algorithm on the states. Time O(squares²) at worst, for the walks; near O(squares log squares) where the
 * ways around the box are short.
 */
export function pushRoutes(position, cell, fewest, to = null) {
  const routes = new Routes(position, cell);
  routes.findByCost(PRICES[fewest], to === null ? -1 : position.arena.square(to));
  return routes;
}

/** Ways of one box to the places it can be pushed to; its own place is none of them. */
class Routes {
  #arena;
  #man;
  #box;
  #sign; // the box goes away from the player, -1, or after him, 1
  #squares; // the box lifted
  #walks;
  #sideEntered;
  #arrivals; // for each square, the state in which the box came there first or cheapest; -1 where it never did
  #pushes;
  #moves = null;

  constructor({ arena, squares, man, isBackward }, cell) {
    this.#sign = isBackward ? 1 : -1;
    this.#arena = arena;
    this.#man = man;
    this.#box = arena.square(cell);
    this.#squares = squares.slice();
    this.#squares[this.#box] = FREE;
    this.#walks = new Walks(this.#squares, arena.deltas);
    this.#sideEntered = new Uint8Array(4 * squares.length).fill(NEVER);
    this.#arrivals = new Int32Array(squares.length).fill(-1);
    this.#pushes = new Int32Array(squares.length);
  }

  /** The cells the box can be pushed to, in reading order. */
  get cells() {
    const found = [];
    this.#arrivals.forEach((state, square) => {
      if (state >= 0) found.push(this.#arena.cell(square));
    });
    return found;
  }

  has(cell) {
    return this.#arrivals[this.#arena.square(cell)] >= 0;
  }

  /** The pushes of the way to *cell*. */
  pushes(cell) {
    return this.#pushes[this.#arena.square(cell)];
  }

  /** The moves, pushes among them, of the way to *cell*. */
  moves(cell) {
    return this.#moves ? this.#moves[this.#arena.square(cell)] : this.path(cell).length;
  }

  /** The way to *cell* in letters, a capital for each push, or null. Time O(squares) for each push. */
  path(cell) {
    const state = this.#arrivals[this.#arena.square(cell)];
    return state < 0 ? null : this.#pathTo(state);
  }

  #pathTo(state) {
    const { deltas } = this.#arena;
    const parts = [];
    for (;;) {
      const box = state >> 2;
      const stands = box + deltas[state & 3];
      const side = this.#sideEntered[state];
      const came = side === AT_START ? this.#man : box + deltas[side];
      parts.push(this.#around(box, () => this.#walks.letters(came, stands)));
      if (side === AT_START) return parts.reverse().join("");
      parts.push(LETTERS[(this.#sign > 0 ? side : opposite(side)) | PUSH]);
      state = ((box - this.#sign * deltas[side]) << 2) | side;
    }
  }

  /** Do *work* while the box stands on *square*. */
  #around(square, work) {
    this.#squares[square] = CRATE;
    const result = work();
    this.#squares[square] = FREE;
    return result;
  }

  /** Breadth first over the states, all sides of one block at once. */
  findByPushes() {
    const { deltas } = this.#arena;
    const squares = this.#squares;
    const entered = this.#sideEntered;
    const blocks = new Blocks(squares, deltas, this.#box);
    const queue = new Int32Array(4 * squares.length);
    let tail = 0;
    this.#around(this.#box, () => this.#walks.spread(this.#man));
    for (let side = 0; side < 4; side++) {
      if (!this.#walks.has(this.#box + deltas[side])) continue;
      entered[(this.#box << 2) | side] = AT_START;
      queue[tail++] = (this.#box << 2) | side;
    }
    let head = 0;
    for (let pushes = 1; head < tail; pushes++) {
      for (const end = tail; head < end; head++) {
        const side = queue[head] & 3;
        const to = (queue[head] >> 2) + this.#sign * deltas[side];
        if (squares[to] !== FREE || squares[to + deltas[side]] !== FREE || entered[(to << 2) | side] !== NEVER) continue;
        if (this.#arrivals[to] < 0 && to !== this.#box) {
          this.#arrivals[to] = (to << 2) | side;
          this.#pushes[to] = pushes;
        }
        const block = blocks.of(to, to + deltas[side]);
        for (let other = 0; other < 4; other++) {
          const stands = to + deltas[other];
          const state = (to << 2) | other;
          if (squares[stands] !== FREE || entered[state] !== NEVER || blocks.of(to, stands) !== block) continue;
          entered[state] = side;
          queue[tail++] = state;
        }
      }
    }
  }

  /** Dijkstra over the states; a walk around the box is measured when a push has brought the box there. */
  findByCost(price, target) {
    const { deltas } = this.#arena;
    const squares = this.#squares;
    const entered = this.#sideEntered;
    const blocks = new Blocks(squares, deltas, this.#box);
    const costs = new Float64Array(4 * squares.length).fill(Infinity);
    const heap = new Heap();
    const enter = (state, side, cost) => {
      if (cost >= costs[state]) return;
      costs[state] = cost;
      entered[state] = side;
      heap.add(cost, state);
    };
    this.#moves = new Float64Array(squares.length);
    this.#around(this.#box, () => this.#walks.spread(this.#man));
    for (let side = 0; side < 4; side++) {
      const stands = this.#box + deltas[side];
      if (this.#walks.has(stands)) enter((this.#box << 2) | side, AT_START, this.#walks.distance(stands) * price.move);
    }
    while (heap.size) {
      const cost = heap.key;
      const state = heap.take();
      if (cost > costs[state]) continue;
      const side = state & 3;
      const box = state >> 2;
      if (this.#arrivals[box] < 0 && box !== this.#box) this.#arrive(state, cost, price);
      if (box === target) return;
      if (entered[state] === side) this.#walkOn(state, cost, price, { blocks, costs, enter });
      const to = box + this.#sign * deltas[side];
      if (squares[to] === FREE && squares[to + deltas[side]] === FREE) enter((to << 2) | side, side, cost + price.move + price.push);
    }
  }

  #arrive(state, cost, price) {
    const square = state >> 2;
    const large = Math.max(price.move, price.push);
    const [high, low] = [Math.floor(cost / large), cost % large];
    this.#arrivals[square] = state;
    this.#moves[square] = price.move === large ? high : low;
    this.#pushes[square] = price.move === large ? low : high;
  }

  /** Enter the other sides that the player can walk to from where it stands after the push. */
  #walkOn(state, cost, price, { blocks, costs, enter }) {
    const { deltas } = this.#arena;
    const box = state >> 2;
    const stands = box + deltas[state & 3];
    const block = blocks.of(box, stands);
    const sides = [];
    for (let side = 0; side < 4; side++) {
      const other = box + deltas[side];
      if (other === stands || this.#squares[other] !== FREE || blocks.of(box, other) !== block) continue;
      if (costs[(box << 2) | side] > cost + 2 * price.move) sides.push(side); // no way around is shorter than two steps
    }
    if (!sides.length) return;
    this.#around(box, () => this.#walks.spread(stands, sides.map((side) => box + deltas[side])));
    for (const side of sides) {
      enter((box << 2) | side, state & 3, cost + this.#walks.distance(box + deltas[side]) * price.move);
    }
  }
}

function opposite(side) {
  return side ^ 2;
}

/** A binary heap of numbers with keys: the smallest key comes out first. */
export class Heap {
  #keys = [];
  #values = [];

  get size() {
    return this.#keys.length;
  }

  /** The smallest key. */
  get key() {
    return this.#keys[0];
  }

  add(key, value) {
    const keys = this.#keys;
    const values = this.#values;
    let at = keys.length;
    keys.push(key);
    values.push(value);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent] <= key) break;
      keys[at] = keys[parent];
      values[at] = values[parent];
      at = parent;
    }
    keys[at] = key;
    values[at] = value;
  }

  /** Take out the value with the smallest key. */
  take() {
    const keys = this.#keys;
    const values = this.#values;
    const taken = values[0];
    const key = keys.pop();
    const value = values.pop();
    const size = keys.length;
    if (!size) return taken;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && keys[child + 1] < keys[child]) child++;
      if (keys[child] >= key) break;
      keys[at] = keys[child];
      values[at] = values[child];
      at = child;
    }
    keys[at] = key;
    values[at] = value;
    return taken;
  }
}
