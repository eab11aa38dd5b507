// The free squares of a board as a graph: walks over them, and the blocks into which they fall.

import { FREE, LETTERS } from "./game.js";

/** Walks over free squares by breadth-first search; the arrays are used again and again. */
export class Walks {
  #squares;
  #deltas;
  #distances;
  #rounds;
  #round = 0;
  #queue;
  #count = 0;

  constructor(squares, deltas) {
    this.#squares = squares;
    this.#deltas = deltas;
    this.#distances = new Int32Array(squares.length);
    this.#rounds = new Int32Array(squares.length);
    this.#queue = new Int32Array(squares.length);
  }

  /** Walk from *start* everywhere, or until all *targets* are found. */
  spread(start, targets = null) {
    const squares = this.#squares;
    const distances = this.#distances;
    const rounds = this.#rounds;
    const queue = this.#queue;
    const [left, up, right, down] = this.#deltas;
    const round = ++this.#round;
    let missing = targets ? targets.length : Infinity;
    let tail = 1;
    queue[0] = start;
    rounds[start] = round;
    distances[start] = 0;
    const visit = (square, distance) => {
      if (squares[square] !== FREE || rounds[square] === round) return;
      rounds[square] = round;
      distances[square] = distance;
      queue[tail++] = square;
      if (targets && targets.includes(square)) missing--;
    };
    for (let head = 0; head < tail && missing > 0; head++) {
      const square = queue[head];
      const distance = distances[square] + 1;
      visit(square + left, distance);
      visit(square + up, distance);
      visit(square + right, distance);
      visit(square + down, distance);
    }
    this.#count = tail;
  }

  /** Whether the last spread came to *square*. */
  has(square) {
    return this.#rounds[square] === this.#round;
  }

  distance(square) {
    return this.#distances[square];
  }

  reached() {
    return Array.from(this.#queue.subarray(0, this.#count));
  }

  /** A shortest walk in letters, or null. */
  letters(from, to) {
    if (from === to) return "";
    if (this.#squares[to] !== FREE) return null;
    this.spread(to, [from]);
    if (!this.has(from)) return null;
    const letters = [];
    for (let square = from; square !== to; ) {
      const closer = this.#distances[square] - 1;
      const direction = this.#deltas.findIndex(
        (delta) => this.has(square + delta) && this.#distances[square + delta] === closer,
      );
      letters.push(LETTERS[direction]);
      square += this.#deltas[direction];
    }
    return letters.join("");
  }
}

/**
 * The biconnected blocks of the free squares around *root*: every edge between neighbours lies in exactly one. A search
 * may go as deep as there are squares, so it keeps its own way back. Time O(squares).
 */
export class Blocks {
  #order; // when the search came to a square, from 1
  #block; // the block of the edge on which it came there

  constructor(squares, deltas, root) {
    const order = new Int32Array(squares.length);
    const low = new Int32Array(squares.length); // the earliest square that a way down the search and one edge lead to
    const parent = new Int32Array(squares.length);
    const tried = new Uint8Array(squares.length);
    const found = new Int32Array(squares.length);
    let count = 1;
    let square = root;
    order[root] = low[root] = 1;
    found[0] = root;
    for (;;) {
      if (tried[square] < 4) {
        const next = square + deltas[tried[square]++];
        if (squares[next] !== FREE) continue;
        if (order[next] === 0) {
          found[count++] = next;
          order[next] = low[next] = count;
          parent[next] = square;
          square = next;
        } else if (order[next] < low[square] && next !== parent[square]) {
          low[square] = order[next];
        }
      } else {
        if (square === root) break;
        const back = parent[square];
        if (low[square] < low[back]) low[back] = low[square];
        square = back;
      }
    }
    const block = new Int32Array(squares.length);
    for (let at = 1; at < count; at++) {
      const child = found[at];
      const above = parent[child];
      block[child] = low[child] >= order[above] ? child : block[above]; // a block is named after its first square
    }
    this.#order = order;
    this.#block = block;
  }

  /** The block of the edge between two neighbours: every edge runs up or down the search, and the lower end knows. */
  of(square, neighbour) {
    return this.#block[this.#order[square] > this.#order[neighbour] ? square : neighbour];
  }
}
