// The rules of the impartial games: positions, and what each move makes of one. The twins of the modules of the same
// names in solvers/games, where the theory stands; both are tested with the same cases.
//
// A position is one heap (a number), one row (a number), one pair of heaps, one bar of chocolate (lengths of rows) or
// one board (nine characters). A move makes of it a list of positions, for it may fall apart. A game may know more:
// canonical(position) one of all that are alike, grundy(position) its value, winsMisere(positions) the outcome of a sum
// of its own, worthTrying(position, rest) the moves among which all winning ones are. `read` checks what a person gave.

import { PuzzleError } from "../player/rules/errors.js";

const LARGEST_HEAP = 1_000_000; // xor works on 32 bits
const LONGEST_ROW = 1_000;
const LARGEST_PAIR = 100;
const LARGEST_BAR = 60; // squares

/** What is left where a move took all but *left*. */
const oneLess = (heap) => Array.from({ length: heap }, (_, left) => [left]);

const nim = () => ({
  key: "nim",
  moves: oneLess,
  read: (given) => number("nim", given, LARGEST_HEAP),
  grundy: (heap) => heap,
  winsMisere: (heaps) => {
    if (Math.max(0, ...heaps) <= 1) return heaps.filter(Boolean).length % 2 === 0;
    return heaps.reduce((one, other) => one ^ other) !== 0;
  },
  worthTrying: (heap, rest) => {
    const lefts = [...new Set([rest, 0, 1])].sort((one, other) => one - other);
    return lefts.filter((left) => left < heap).map((left) => [left]);
  },
});

const chomp = () => ({
  key: "chomp",
  isWhole: true,
  moves: (bar) => bites(bar).map(([row, column]) => [bite(bar, row, column)]),
  canonical: (bar) => {
    const mirror = Array.from({ length: bar[0] }, (_, column) => bar.filter((length) => length > column).length);
    return isAfter(bar, mirror) ? bar : mirror;
  },
  read: (given) => {
    const bar = list("chomp", given).map((length) => number("chomp", length, LARGEST_BAR));
    const isBar = bar.length && !bar.includes(0) && bar.every((length, at) => !at || length <= bar[at - 1]);
    if (!isBar) throw noPosition("chomp", given);
    const squares = bar.reduce((one, other) => one + other);
    if (squares > LARGEST_BAR) throw tooLarge("chomp", LARGEST_BAR, squares);
    return bar;
  },
});

/** The squares of a bar of chocolate that may be bitten: all but the poisoned one. */
export function bites(bar) {
  return bar.flatMap((length, row) => Array.from({ length }, (_, column) => [row, column])).slice(1);
}

/** What is left of a bar after a bite at a square. */
export function bite(bar, row, column) {
  return bar.map((length, at) => (at < row ? length : Math.min(length, column))).filter(Boolean);
}

function isAfter(one, other) {
  const at = one.findIndex((length, index) => length !== other[index]);
  return at < 0 ? one.length >= other.length : one[at] > (other[at] ?? 0);
}

export const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
// For each of the eight symmetries of a board, where the content of each square comes from.
const SYMMETRIES =
  "012345678 210543876 678345012 876543210 036147258 258147036 630741852 852741630".split(" ");

// What each live board, in its canonical form, is worth in misère play: see solvers/games/notakto.py.
const WORDS = {
  "": "-X------- X-------- X----X-X-",
  a: "-X-----X- -X-X----- -X-X-X-X- X-------X X---XX--- X-X----X- X-X---X-X X-X-X---- XX-----XX XX----X-- XX---XX-X " +
    "XX---XXX- XX--XXX-- XX-X----X XX-X-X--- XX-X-X-XX XX-XX----",
  ab: "-X-XX---- X-X---X-- XX---X--X XX---X-X- XX--X----",
  ad: "XX-------",
  b: "-X--X---- -X-X-X--- X----X--- X---X---- X---XX-X- X-X------ X-X-X--X- XX----X-X XX----XX- XX---XX-- XX--X-X-- " +
    "XX--XX--- XX-X----- XX-X-X--X XX-X-X-X-",
  c: "---------",
  cc: "----X----",
  d: "XX------X XX-----X- XX---X---",
};
const WORD_OF = new Map(
  Object.entries(WORDS).flatMap(([word, boards]) => boards.split(" ").map((board) => [board, word])),
);
const RULES = Object.entries({ aa: "", bbb: "b", bbc: "c", ccc: "acc", bbd: "d", cd: "ad", dd: "cc" });
const LOST = ["a", "bb", "bc", "cc"];

const notakto = () => ({
  key: "notakto",
  moves: (board) => {
    if (isDead(board)) return [];
    const free = [...board].flatMap((content, square) => (content === "-" ? [square] : []));
    return free.map((square) => [`${board.slice(0, square)}X${board.slice(square + 1)}`]);
  },
  canonical: (board) => {
    if (isDead(board)) return "XXXXXXXXX";
    return SYMMETRIES.map((symmetry) => Array.from(symmetry, (square) => board[square]).join("")).sort().at(-1);
  },
  winsMisere(boards) {
    const words = boards.filter((board) => !isDead(board)).map((board) => WORD_OF.get(this.canonical(board)));
    return !LOST.includes(words.reduce(product, ""));
  },
  read: (given) => {
    if (typeof given !== "string" || !/^[X-]{9}$/.test(given)) throw noPosition("notakto", given);
    return given;
  },
});

/** Whether a board of Notakto has a line of three crosses. */
export function isDead(board) {
  return LINES.some((line) => line.every((square) => board[square] === "X"));
}

/** The product of two words of Notakto's monoid, as short as it goes. */
export function product(one, other) {
  let word = [...one, ...other].sort().join("");
  for (;;) {
    const rule = RULES.find(([long]) => word.includes(long));
    if (!rule) return word;
    word = [...word.replace(...rule)].sort().join("");
  }
}

const sequences = new Map(); // the values found so far, by game

/** The rules of a game of rows or heaps in which the value of each is found from those of all shorter ones. */
function sequential(key, name, moves) {
  if (!sequences.has(key)) sequences.set(key, []);
  const found = sequences.get(key);
  const value = (parts) => parts.reduce((one, part) => one ^ found[part], 0);
  const grundy = (row) => {
    while (found.length <= row) found.push(mex(moves(found.length).map(value)));
    return found[row];
  };
  return { key, moves, grundy, read: (given) => number(name, given, LONGEST_ROW) };
}

function octal({ code }, name = "octal") {
  if (typeof code !== "string" || !/^0?\.[0-7]{1,12}$/.test(code)) {
    throw new PuzzleError("bad_code", { shown: shorten(code), limit: 12 });
  }
  const digits = Array.from(code.split(".")[1], Number);
  const moves = (row) =>
    digits.flatMap((digit, at) => {
      const left = row - at - 1;
      const pairs = digit & 4 ? Math.max(0, left >> 1) : 0;
      const splits = Array.from({ length: pairs }, (_, part) => [part + 1, left - part - 1]);
      return [...(left === 0 && digit & 1 ? [[]] : []), ...(left > 0 && digit & 2 ? [[left]] : []), ...splits];
    });
  return sequential(`octal ${code}`, name, moves);
}

function subtraction({ set }) {
  const isSet = Array.isArray(set) && set.length >= 1 && set.length <= 20;
  if (!isSet || !set.every((one) => Number.isInteger(one) && one >= 1 && one <= 1_000)) {
    throw new PuzzleError("bad_subtractions", { shown: shorten(set), limit: 20, most: 1_000 });
  }
  const numbers = [...new Set(set)].sort((a, b) => a - b);
  const moves = (heap) => numbers.filter((one) => one <= heap).map((one) => [heap - one]);
  return sequential(`subtraction ${numbers}`, "subtraction", moves);
}

const wythoff = () => ({
  key: "wythoff",
  isWhole: true,
  moves: ([one, other]) => [
    ...oneLess(one).map(([left]) => [[left, other]]),
    ...oneLess(other).map(([left]) => [[one, left]]),
    ...oneLess(Math.min(one, other)).map(([taken]) => [[one - taken - 1, other - taken - 1]]),
  ],
  canonical: ([one, other]) => (one <= other ? [one, other] : [other, one]),
  read: (given) => {
    if (list("wythoff", given).length !== 2) throw noPosition("wythoff", given);
    return given.map((heap) => number("wythoff", heap, LARGEST_PAIR));
  },
});

/** The games by name; each makes its rules from an object with game, position and what else the game needs. */
export const GAMES = {
  nim,
  chomp,
  notakto,
  kayles: () => octal({ code: "0.77" }, "kayles"),
  dawsons_chess: () => octal({ code: "0.137" }, "dawsons_chess"),
  octal,
  subtraction,
  wythoff,
};

/** The least number from 0 on that is not among *values*. */
export function mex(values) {
  const found = new Set(values);
  let least = 0;
  while (found.has(least)) least++;
  return least;
}

function number(game, given, limit) {
  if (!Number.isInteger(given)) throw new PuzzleError("not_whole", { name: game, shown: shorten(given) });
  if (given < 0) throw new PuzzleError("negative_number", { game, number: given });
  if (given > limit) throw tooLarge(game, limit, given);
  return given;
}

/** The given value if it is a list. Throw a PuzzleError not_a_position. */
export function list(game, given) {
  if (!Array.isArray(given)) throw noPosition(game, given);
  return given;
}

const noPosition = (game, given) => new PuzzleError("not_a_position", { game, shown: shorten(given) });
const tooLarge = (game, limit, given) => new PuzzleError("too_large_number", { game, limit, number: given });

function shorten(value) {
  const shown = JSON.stringify(value) ?? String(value);
  return shown.length <= 40 ? shown : `${shown.slice(0, 40)}…`;
}
