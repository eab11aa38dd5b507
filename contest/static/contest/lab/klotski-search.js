// Shortest ways in Klotski: by look-up to the exit, by search in the page to any other layout whose pieces have no
// names. The twin of numbering, atlas and a part of solve in solvers/klotski.
//
// All 363,480 layouts are numbered by an automaton that reads them cell by cell, covered cells skipped: by horizontal
// dominoes, then alphabetically in the order of LETTERS. See solvers/klotski/numbering.py.

import {
  CELLS,
  COLUMNS,
  COVER,
  EXIT,
  MIRRORS,
  cellsOf,
  imageOf,
  layoutAfter,
  neighbour,
  question,
  ways,
} from "./klotski.js";

const LETTERS = ".oHVC";
// The cells ahead that a piece covers, as bits, by letter.
const AHEAD = [0, 0, 1 << 1, 1 << COLUMNS, (1 << 1) | (1 << COLUMNS) | (1 << (COLUMNS + 1))];
const NEVER = 1 << 30; // more layouts than there are: this letter cannot follow
const CAO = 4;
const LOST = 3; // no way to the exit

// For the letters of a layout, kinds by number: the bits that a piece covers, and the cells beside each cell or -1.
const COVERS = Int32Array.from([...LETTERS].flatMap((letter) => COVER[letter] ?? Array(CELLS).fill(0)));
const BESIDE = Int8Array.from(
  Array.from({ length: CELLS }, (_, cell) => Array.from("lurd", (letter) => neighbour(cell, letter))).flat(),
);
const ALL = (1 << CELLS) - 1;

// Where the first cell of a piece comes to in a mirror image, by mirror, letter and cell.
const IMAGES = Object.fromEntries(
  MIRRORS.map((mirror) => [mirror, Array.from(LETTERS, (letter) => COVER[letter] && imagesOf(mirror, letter))]),
);

function imagesOf(mirror, kind) {
  return Array.from({ length: CELLS }, (_, cell) => {
    return Math.min(...cellsOf(kind, cell).map((covered) => imageOf(mirror, covered)));
  });
}

const automata = [];

/** The automaton of the class with so many horizontal dominoes: {cell, step, before, size}. Some milliseconds, once. */
function automaton(horizontals) {
  return (automata[horizontals] ??= build(horizontals));
}

function build(horizontals) {
  const states = [{ cell: 0, covered: 0, left: [2, 4, horizontals, 5 - horizontals, 1] }];
  const numbers = new Map([[key(states[0]), 0]]);
  const followers = [];
  for (const state of states) {
    followers.push(state.cell < CELLS ? AHEAD.map((_, letter) => stateAfter(state, letter)) : []);
    for (const follower of followers.at(-1)) {
      if (follower && !numbers.has(key(follower))) numbers.set(key(follower), states.push(follower) - 1);
    }
  }
  const sizes = new Int32Array(states.length);
  const step = new Int32Array(5 * states.length);
  const before = new Int32Array(5 * states.length).fill(NEVER);
  for (let number = states.length - 1; number >= 0; number--) {
    if (states[number].cell === CELLS) sizes[number] = 1;
    followers[number].forEach((follower, letter) => {
      const there = follower && numbers.get(key(follower));
      if (!follower || !sizes[there]) return;
      step[5 * number + letter] = there;
      before[5 * number + letter] = sizes[number];
      sizes[number] += sizes[there];
    });
  }
  return { cell: Uint8Array.from(states, ({ cell }) => cell), step, before, size: sizes[0] };
}

const key = ({ cell, covered, left }) => `${cell} ${covered} ${left}`;

/** The state after a letter, at the next cell that is not covered, or null. */
function stateAfter({ cell, covered, left }, letter) {
  const ahead = AHEAD[letter];
  const isTooWide = ahead & 2 && cell % COLUMNS === COLUMNS - 1;
  const isTooLow = ahead >> COLUMNS && cell + COLUMNS >= CELLS;
  if (!left[letter] || isTooWide || isTooLow || ahead & covered) return null;
  let after = cell + 1;
  let still = (covered | ahead) >> 1;
  for (; still & 1; still >>= 1) after++;
  return { cell: after, covered: still, left: left.map((count, at) => count - (at === letter ? 1 : 0)) };
}

/** The number of a layout, 0 to 363,479; names do not count. */
export function numberOf(layout) {
  return firstOf(layout.horizontals) + numberIn(automaton(layout.horizontals), lettersOf(layout));
}

/** The number of the first layout with so many horizontal dominoes. */
function firstOf(horizontals) {
  let first = 0;
  for (let fewer = 0; fewer < horizontals; fewer++) first += automaton(fewer).size;
  return first;
}

/** Every move of a layout with the number in its class of the layout after it. */
function* numberedMoves(machine, layout) {
  const letters = lettersOf(layout);
  for (const piece of layout.pieces) {
    const letter = letters[piece.cell];
    letters[piece.cell] = 0;
    for (const [stop, path] of ways(layout, piece)) {
      letters[stop] = letter;
      yield [{ start: piece.cell, path, stop }, numberIn(machine, letters)];
      letters[stop] = 0;
    }
    letters[piece.cell] = letter;
  }
}

function lettersOf(layout) {
  const letters = new Uint8Array(CELLS);
  for (const { kind, cell } of layout.pieces) letters[cell] = LETTERS.indexOf(kind);
  return letters;
}

/** The number in its class of the layout that has these kinds at the first cells of its pieces, 0 elsewhere. */
function numberIn({ cell, step, before }, letters) {
  let number = 0;
  for (let state = 0; cell[state] < CELLS; ) {
    const at = 5 * state + letters[cell[state]];
    number += before[at];
    state = step[at];
  }
  return number;
}

/**
 * A shortest way, as moves, to a goal of `question` without regard to names; null proves that there is none. Time
 * O(layouts that can be reached), at most 109,260; to a mirror image, only of those half as far.
 */
export function solve(layout, goal = "exit") {
  const { start, target } = question(layout, goal);
  if (target && target.horizontals !== start.horizontals) return null;
  const machine = automaton(start.horizontals);
  const first = numberIn(machine, lettersOf(start));
  const wanted = target && numberIn(machine, lettersOf(target));
  if (target ? first === wanted : start.isSolved) return [];
  const cameFrom = new Int32Array(machine.size).fill(-1);
  if (MIRRORS.includes(goal)) return half(machine, start, first, goal, cameFrom);
  const isEnd = target ? (number) => number === wanted : (_number, letters) => letters[EXIT] === CAO;
  const last = search(machine, first, cameFrom, isEnd);
  return last < 0 ? null : movesAlong(machine, start, chain(cameFrom, first, last));
}

/**
 * The way from x to its mirror image Mx. Mirrors keep distances: the way from Mx to z is as long as that from x to Mz.
 * So the search stops half way, at the first depth where it has met a z and its image too; the shortest of these counts.
 */
function half(machine, start, first, mirror, cameFrom) {
  const depths = new Int16Array(machine.size);
  const imageLetters = new Uint8Array(CELLS);
  const images = IMAGES[mirror];
  const imageNumber = (letters) => {
    imageLetters.fill(0);
    for (let cell = 0; cell < CELLS; cell++) {
      if (letters[cell]) imageLetters[images[letters[cell]][cell]] = letters[cell];
    }
    return numberIn(machine, imageLetters);
  };
  let meeting = null;
  search(machine, first, cameFrom, (number, letters) => {
    const depth = (depths[number] = depths[cameFrom[number]] + 1);
    if (meeting && depth > meeting.depth) return true;
    const image = imageNumber(letters);
    const length = depth + depths[image];
    if (cameFrom[image] >= 0 && (!meeting || length < meeting.length)) meeting = { number, image, depth, length };
    return false;
  });
  if (!meeting) return null;
  const there = movesAlong(machine, start, chain(cameFrom, first, meeting.number));
  const back = layoutsAlong(start, movesAlong(machine, start, chain(cameFrom, first, meeting.image)));
  const numbers = back.slice(0, -1).reverse().map((layout) => numberIn(machine, lettersOf(layout.mirrored(mirror))));
  return [...there, ...movesAlong(machine, layoutsAlong(start, there).at(-1), numbers)];
}

/**
 * Search breadth first until *isEnd*, asked of each layout when it is met, with its number and letters, says so. Return
 * its number, or -1. *cameFrom* takes the layout before each, and must be -1 everywhere.
 */
function search(machine, first, cameFrom, isEnd) {
  const { cell, step, before, size } = machine;
  const queue = new Int32Array(size);
  const letters = new Uint8Array(CELLS);
  const reached = new Uint8Array(CELLS);
  const states = new Int32Array(CELLS); // where the automaton is at a cell, and what it has counted so far: a moved
  const counted = new Int32Array(CELLS); // piece changes the number from its first cell on only
  let met = 1;
  queue[0] = first;
  cameFrom[first] = first;
  for (let done = 0; done < met; done++) {
    letters.fill(0);
    let left = queue[done];
    let free = ALL;
    for (let state = 0; cell[state] < CELLS; ) {
      const at = cell[state];
      let letter = CAO;
      while (before[5 * state + letter] > left) letter--;
      states[at] = state;
      counted[at] = queue[done] - left;
      left -= before[5 * state + letter];
      letters[at] = letter;
      free &= ~COVERS[CELLS * letter + at];
      state = step[5 * state + letter];
    }
    for (let start = 0; start < CELLS; start++) {
      const letter = letters[start];
      if (letter === 0) continue;
      const covers = CELLS * letter;
      const room = free | COVERS[covers + start];
      let seen = 1 << start;
      let ends = 1;
      reached[0] = start;
      letters[start] = 0;
      for (let at = 0; at < ends; at++) {
        for (let way = 4 * reached[at], last = way + 4; way < last; way++) {
          const there = BESIDE[way];
          if (there < 0 || (seen >> there) & 1) continue;
          const covered = COVERS[covers + there];
          if (covered === 0 || covered & ~room) continue;
          seen |= 1 << there;
          reached[ends++] = there;
          letters[there] = letter;
          const changed = start < there ? start : there;
          let state = states[changed];
          let number = counted[changed];
          for (let here = changed; here < CELLS; here = cell[state]) {
            const entry = 5 * state + letters[here];
            number += before[entry];
            state = step[entry];
          }
          if (cameFrom[number] < 0) {
            cameFrom[number] = queue[done];
            if (isEnd(number, letters)) return number;
            queue[met++] = number;
          }
          letters[there] = 0;
        }
      }
      letters[start] = letter;
    }
  }
  return -1;
}

function chain(cameFrom, first, last) {
  const numbers = [];
  for (let at = last; at !== first; at = cameFrom[at]) numbers.push(at);
  return numbers.reverse();
}

/** The moves that lead from a layout through the layouts with these numbers in its class. */
function movesAlong(machine, layout, numbers) {
  let here = layout;
  return numbers.map((number) => {
    const [move] = [...numberedMoves(machine, here)].find(([, after]) => after === number);
    here = layoutAfter(here, move);
    return move;
  });
}

/** A layout and those after each move. */
function layoutsAlong(layout, moves) {
  const layouts = [layout];
  for (const move of moves) layouts.push(layoutAfter(layouts.at(-1), move));
  return layouts;
}

/** The way to the exit for every layout, from the bytes of solvers/klotski/exit.bin: two bits a layout, see atlas.py. */
export class Atlas {
  #bytes;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  /** All moves that begin a shortest way out; none at the exit, or where there is no way. */
  bestMoves(layout) {
    const mine = this.#residue(numberOf(layout));
    if (layout.isSolved || mine === LOST) return [];
    const first = firstOf(layout.horizontals);
    const moves = [...numberedMoves(automaton(layout.horizontals), layout)];
    return moves.filter(([, after]) => this.#residue(first + after) === (mine + 2) % 3).map(([move]) => move);
  }

  /** A shortest way out, or null if there is none. */
  solution(layout) {
    if (this.#residue(numberOf(layout)) === LOST) return null;
    const way = [];
    for (let here = layout, [move] = this.bestMoves(here); move; [move] = this.bestMoves(here)) {
      way.push(move);
      here = layoutAfter(here, move);
    }
    return way;
  }

  #residue(number) {
    return (this.#bytes[number >> 2] >> (2 * (number & 3))) & 3;
  }
}
