// Run-length text: counts and groups, one grammar for boards and moves.
//
//     text  = item*
//     item  = [count] ( symbol | "(" text ")" )
//     count = digit+          at most 9 digits; missing means 1
//
// The decoded size is known before anything is expanded, so a text of 20 characters that means 10^18 costs nothing.

import { PuzzleError, foreignCharacter } from "./errors.js";

const MAX_DEPTH = 64;
const MAX_DIGITS = 9;
const LARGEST_NAMED = 1e18;
const CEILING = 1e20;

/**
 * Expand *text*, whose symbols are the characters of *symbols*, to at most *limit* symbols.
 *
 *     decode("2(3(#-)#)", "#-", 100)  →  "#-#-#-##-#-#-#"
 *
 * Throw a PuzzleError with its index: foreign_character, dangling_count, unbalanced_bracket, nested_too_deep, too_long.
 */
export function decode(text, symbols, limit) {
  const items = read(text, symbols);
  const size = measure(items);
  if (size > limit) throw tooLong(size, limit);
  const outer = [];
  let parts = [];
  let skipping = 0; // depth inside groups that are taken no times: their content may be of any size
  for (const { count, symbol } of items) {
    if (symbol === "(") {
      if (skipping || count === 0) {
        skipping++;
      } else {
        outer.push({ parts, count });
        parts = [];
      }
    } else if (symbol === ")") {
      if (skipping) {
        skipping--;
      } else {
        const group = parts.join("");
        const before = outer.pop();
        parts = before.parts;
        parts.push(group.repeat(before.count));
      }
    } else if (!skipping) {
      parts.push(symbol.repeat(count));
    }
  }
  return parts.join("");
}

/**
 * The offset in *text* of the character that the decoded symbol at *position* came from. Nothing is expanded.
 *
 *     sourceIndex("2(3(dr)R)", "drR", 13)  →  7
 */
export function sourceIndex(text, symbols, position) {
  const items = read(text, symbols);
  const groups = groupSizes(items);
  for (let at = 0; ; at++) {
    const { count, symbol, index } = items[at];
    if (symbol === "(") {
      const { size, closing } = groups.get(at);
      if (position < size * count) {
        position %= size;
      } else {
        position -= size * count;
        at = closing;
      }
    } else if (symbol !== ")") {
      if (position < count) return index;
      position -= count;
    }
  }
}

/** Write runs of *shortestRun* or more as count and symbol, never groups: "rrrUU" → "3rUU". */
export function encode(text, shortestRun = 3) {
  const run = new RegExp(`(.)\\1{${shortestRun - 1},}`, "gs");
  return text.replace(run, (letters, letter) => letters.length + letter);
}

/** An error that says how long a text would be; nobody is told a size beyond 10^18. */
export function tooLong(size, limit) {
  return new PuzzleError("too_long", { size: size <= LARGEST_NAMED ? size : null, limit });
}

/** The items of *text*: {count, symbol or bracket, index of the symbol}. */
function read(text, symbols) {
  const items = [];
  const openings = [];
  let digits = "";
  for (let index = 0; index < text.length; index++) {
    const symbol = text[index];
    if (symbol >= "0" && symbol <= "9") {
      digits += symbol;
      continue;
    }
    if (symbol !== "(" && symbol !== ")" && !symbols.includes(symbol)) throw foreignCharacter(text, index);
    if (symbol === ")") {
      if (digits) throw danglingCount(digits, index);
      if (!openings.length) throw new PuzzleError("unbalanced_bracket", { index, bracket: ")" });
      openings.pop();
    }
    if (symbol === "(") {
      if (openings.length === MAX_DEPTH) throw new PuzzleError("nested_too_deep", { index, limit: MAX_DEPTH });
      openings.push(index);
    }
    items.push({ count: toCount(digits), symbol, index });
    digits = "";
  }
  if (digits) throw danglingCount(digits, text.length);
  if (openings.length) throw new PuzzleError("unbalanced_bracket", { index: openings.at(-1), bracket: "(" });
  return items;
}

function danglingCount(digits, end) {
  return new PuzzleError("dangling_count", { index: end - digits.length, count: digits.slice(0, 20) });
}

/** A count of more digits than allowed is too long whatever it says. */
function toCount(digits) {
  if (digits.length <= MAX_DIGITS) return Number(digits || 1);
  if (digits.length > 20) return CEILING;
  return Math.max(Number(digits), 10 ** MAX_DIGITS);
}

/** The decoded size by arithmetic alone: exact where it matters, and never more than about 10^20. */
function measure(items) {
  const outer = [];
  let size = 0;
  let largest = 0;
  for (const { count, symbol } of items) {
    largest = Math.max(largest, count);
    if (symbol === "(") {
      outer.push({ size, times: count });
      size = 0;
    } else if (symbol === ")") {
      const before = outer.pop();
      size = Math.min(before.size + size * before.times, CEILING);
    } else {
      size = Math.min(size + count, CEILING);
    }
  }
  return largest >= 10 ** MAX_DIGITS ? Math.max(size, largest) : size;
}

/** From each opening bracket's place to the decoded size of its group taken once, and its closing bracket's place. */
function groupSizes(items) {
  const groups = new Map();
  const outer = [];
  let size = 0;
  items.forEach(({ count, symbol }, at) => {
    if (symbol === "(") {
      outer.push({ at, before: size });
      size = 0;
    } else if (symbol === ")") {
      const opening = outer.pop();
      groups.set(opening.at, { size, closing: at });
      size = opening.before + size * items[opening.at].count;
    } else {
      size += count;
    }
  });
  return groups;
}
