// Find the moves in whatever somebody pastes: heads, notes, quotes, arrows and commas around and between are no
// obstacle. The twin of the lenient reader in solvers/sokoban/reading/readers.py; both are tested with the same cases. Boards in
// the text are other text here: the server knows which level they name.
//
// Every index is one of the text as it was pasted, in code points: what is folded keeps its place.

import { PuzzleError, codePoints, foreignCharacter } from "./errors.js";
import { replay } from "./game.js";
import { Moves } from "./moves.js";

const MAX_MOVES = 1_000_000; // of a submission, decoded and before any cut
const MAX_CANDIDATES = 200;
const MAX_PARTS = 40_000; // digits, brackets and line ends of a text
const BUDGET = 4; // times the limit: the steps that all candidates of one text may decode to

// What Python's str.isspace says, so that both readers part the same lines.
const SPACE = "\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const ONLY_SPACE = new RegExp(`^[${SPACE}]*$`);
const NOTHING = new RegExp(`^[${SPACE}0-9()]*$`);

const FULL_WIDTH = "#@+$*.-_|()[]{}0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FOLDED = new Map([
  ...Array.from(FULL_WIDTH, (character) => [String.fromCharCode(character.charCodeAt(0) + 0xfee0), character]),
  ...Array.from("←↑→↓左上右下", (arrow, at) => [arrow, "lurd"[at % 4]]),
]);
const TO_BLANK = /[,\uff0c\xa0\xad\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/g;
const TO_LETTER = /[←↑→↓左上右下\uff00-\uff5f]/g;

const CHANGES = {
  full_width: /[\uff01-\uff5e]/,
  arrows: /[←↑→↓左上右下]/,
  blanks: /[\xa0\xad\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/,
  commas: /[,\uff0c]/,
  quotes: /^>/m,
  position_mark: /\*/,
};

const LINE = /[^\r\n]+/g;
const LINE_END = /^(?:\r\n|\n\r|\n|\r)$/;
const QUOTE_MARKS = /^>(?: ?>){0,2}/;
const MOVES_LINE = /^[lurdLURD0-9()* \t]+$/;
const MARKED_LINE = /^[lurdLURD0-9()* \t[\]{}]+$/;
const HEAD = /^[ \t]*(?:best\s+solution|solution|answer|save\s?game|saved\s+game|snapshot|lurd|udlr|moves|答案)(?![a-z])/iu;
const WRAP_MARK = /[\\+-](?=[ \t]*(?:[\r\n]|$))/g;
const PARTED = " \\t:：=;；|";
const WORD = "[0-9()*]*[lurdLURD][lurdLURD0-9()*]*";
// From one word of moves to another, with only counts and brackets between them. Linear: no part matches in two ways.
const STRETCH = new RegExp(`(?:^|[${PARTED}])(${WORD}(?:[ \\t]+(?:[0-9()*]+[ \\t]+)*${WORD})*)(?![^${PARTED}])`, "g");

/**
 * Where in *text* the moves are, before any level is asked.
 *
 * *candidates* are the blocks of moves in order: {start, text, moves}, or {start, text, error} where a block cannot be
 * read. *error* says why there is none; no error and no candidate mean an empty text. Never throws.
 */
export function candidates(text, limit = MAX_MOVES) {
  if (hasTooManyParts(text)) return { candidates: [], error: tooManyParts(), changes: [] };
  const finder = new Finder(text, limit);
  const found = [finder, finder.withoutCounts()].flatMap((one) => one?.readAll() ?? []).slice(0, MAX_CANDIDATES);
  return {
    candidates: found,
    error: found.length ? null : finder.reasonForNone(),
    changes: finder.changes(finder.blocks.map(({ start, end }) => [start, end])),
  };
}

/**
 * Read *text* and play it on *levels*: each block of moves, and the parts of those that solve nothing. Every candidate
 * takes the first level it solves; the outcome is the best of them by moves, and *solved* lists all.
 *
 * *outcome* is a verdict of `replay`, or malformed or too_long with an *error*; *level* is the place in *levels* of the
 * level solved, or of the one on which the text got furthest; *index*, *step* and *why* point at the first mistake.
 * Levels that cannot be judged are passed over; if all are such, the outcome is bad_level with its *problem*. Never
 * throws.
 */
export function judge(levels, text, limit = MAX_MOVES) {
  const problem = levels[0]?.unjudgeable ?? null;
  if (problem && levels.every((level) => level.unjudgeable)) {
    return judgement({ outcome: "bad_level", why: problem.code, problem });
  }
  if (hasTooManyParts(text)) return unreadable(tooManyParts());
  const finder = new Finder(text, limit);
  const { tries, unread } = playAll(levels, finder);
  const solutions = (found) => found.tries.filter(({ result }) => result.verdict === "solved");
  let solved = solutions({ tries });
  const bare = solved.length ? null : finder.withoutCounts();
  if (bare) solved = solutions(playAll(levels, bare));
  return {
    ...(solved.length ? played(solved.reduce(better), bare ?? finder) : unsolved(tries, unread, finder)),
    solved: solved.map(({ candidate, level, result }) => ({ start: candidate.start, level, replay: result })),
  };
}

/** The blocks of moves in a text, and candidates made of them within a budget of steps. */
class Finder {
  constructor(text, limit, left = BUDGET * limit, bare = null) {
    this.text = text;
    this.limit = limit;
    this.left = left;
    this.isWithoutCounts = bare !== null;
    this.folded = bare ?? text.replace(TO_BLANK, " ").replace(TO_LETTER, (character) => FOLDED.get(character) ?? character);
    this.blocks = blocksOf(this.folded);
  }

  /** Finds moves without claimed counts and marks of wrapped lines, in what is left; null where there are none. */
  withoutCounts() {
    const folded = withoutCounts(this.folded);
    return folded === this.folded ? null : new Finder(this.text, this.limit, this.left, folded);
  }

  /** The first blocks, read; those of other games are left out. */
  readAll() {
    const usable = this.blocks.filter((block) => !block.refused);
    return usable.slice(0, MAX_CANDIDATES).map((block) => this.read(block.start, block.end));
  }

  /** Read the moves between two offsets of the text. */
  read(from, to) {
    let part = this.folded.slice(from, to);
    if (part.includes(">")) part = withoutQuotes(part);
    part = part.replace("*", " "); // the one that marks a current position
    const start = codePoints(this.text, from);
    const span = [from, to];
    try {
      const moves = Moves.parse(part, { limit: Math.min(this.limit, this.left) });
      this.left -= moves.steps.length;
      return { start, span, text: part, moves };
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      return { start, span, text: part, error: error.index === null ? error : error.at({ index: error.index + start }) };
    }
  }

  get refusal() {
    const refused = this.blocks.find((block) => block.refused);
    if (!refused) return null;
    const { code, offset } = refused.refused;
    return new PuzzleError(code, { index: codePoints(this.text, offset) });
  }

  /** Why there is no candidate: a refused block, or the first foreign character; null for nothing but blanks. */
  reasonForNone() {
    if (this.refusal) return this.refusal;
    if (NOTHING.test(this.folded)) return null;
    try {
      Moves.parse(this.folded, { limit: this.limit });
    } catch (error) {
      if (error instanceof PuzzleError) return error;
      throw error;
    }
    return foreignCharacter(this.text, Math.max(0, this.text.search(new RegExp(`[^lurdLURD${SPACE}]`))));
  }

  /** What was changed inside the parts between the offsets *covered*, and whether anything stands outside them. */
  changes(covered) {
    const found = Object.entries(CHANGES)
      .filter(([, characters]) => covered.some(([start, end]) => characters.test(this.text.slice(start, end))))
      .map(([change]) => change);
    const ends = [0, ...covered.map(([, end]) => end)];
    const starts = [...covered.map(([start]) => start), this.text.length];
    const hasOtherText = starts.some((start, at) => !ONLY_SPACE.test(this.text.slice(ends[at], start)));
    if (hasOtherText) found.push("other_text");
    return this.isWithoutCounts ? [...found, "counts"] : found;
  }
}

/** Blank out the marks of mail quotes; every character keeps its place. */
function withoutQuotes(part) {
  return part.replace(LINE, (line) => line.replace(QUOTE_MARKS, (marks) => " ".repeat(marks.length)));
}

/** Folded moves text with claimed counts and the marks of wrapped lines as blanks; every character keeps its place. */
function withoutCounts(folded) {
  const unwrapped = folded.replace(WRAP_MARK, " ");
  return /[0-9]/.test(unwrapped) ? unwrapped.replace(LINE, lineWithoutCounts) : unwrapped;
}

/** Keep the longest stretch of moves in a line that has a number beside it; not in one with marks of other games. */
function lineWithoutCounts(line) {
  const quoted = line.match(QUOTE_MARKS)?.[0] ?? "";
  const text = line.slice(quoted.length);
  if (!/[0-9]/.test(text) || /[[\]{}]/.test(text)) return line;
  let moves = "";
  let end = 0;
  for (const { 0: whole, 1: stretch, index } of text.matchAll(STRETCH)) {
    if (stretch.length > moves.length) [moves, end] = [stretch, index + whole.length];
  }
  const before = text.slice(0, end - moves.length);
  const behind = text.slice(end);
  if (!moves || !/[0-9]/.test(before + behind)) return line;
  const head = before.match(HEAD)?.[0];
  const label = head ? `${head.padEnd(before.length - 1)}:` : " ".repeat(before.length);
  return quoted + label + moves + " ".repeat(behind.length);
}

/**
 * The blocks of moves of a folded text: consecutive moves lines, blank lines aside. *lines* are their offsets,
 * *paragraphs* the places of the lines that follow a blank line.
 */
function blocksOf(folded) {
  const blocks = [];
  let block = null;
  let lastEnd = 0;
  let isNew = true;
  for (const { 0: line, index } of folded.matchAll(LINE)) {
    const end = index + line.length;
    const isBlank = ONLY_SPACE.test(line);
    isNew ||= !isBlank && !LINE_END.test(folded.slice(lastEnd, index)); // two line ends have a blank line between them
    lastEnd = end;
    if (isBlank) {
      isNew = true;
      continue;
    }
    const { begins, isQuoted, kind } = movesIn(line);
    if (block && (!kind || begins || isQuoted !== block.isQuoted)) block = null;
    if (kind) {
      const start = index + begins;
      if (!block) {
        block = { lines: [[start, end]], paragraphs: [0], isQuoted, refused: null, start, end };
        blocks.push(block);
      } else {
        if (isNew) block.paragraphs.push(block.lines.length);
        block.lines.push([start, end]);
        block.end = end;
      }
      if (kind !== "moves") block.refused ??= { code: kind, offset: start + folded.slice(start, end).search(/[[\]{}]/) };
    }
    isNew = false;
  }
  return blocks;
}

/** A block without its first line, which may be a title; then each of its paragraphs. */
function partsOf({ lines, paragraphs, end }) {
  const parts = lines.length > 1 ? [[lines[1][0], end]] : [];
  if (paragraphs.length < 2) return parts;
  const following = [...paragraphs.slice(1), lines.length];
  return [...parts, ...paragraphs.map((first, at) => [lines[first][0], lines[following[at] - 1][1]])];
}

/** Where moves begin in *line* (behind a head), whether it is quoted, and what moves they are. */
function movesIn(line) {
  const quoted = line.match(QUOTE_MARKS)?.[0].length ?? 0;
  const isQuoted = quoted > 0;
  const kind = kindOf(line.slice(quoted));
  if (kind) return { begins: 0, isQuoted, kind };
  const colon = Math.max(line.lastIndexOf(":"), line.lastIndexOf("："));
  if (colon === -1 || !HEAD.test(line.slice(quoted))) return { begins: 0, isQuoted, kind: null };
  const behind = kindOf(line.slice(colon + 1));
  return { begins: behind ? colon + 1 : 0, isQuoted, kind: behind };
}

function kindOf(line) {
  if (!MARKED_LINE.test(line)) return null;
  const hasStep = /[lurd]/i.test(line);
  if (MOVES_LINE.test(line)) return hasStep ? "moves" : null;
  if (/[{}]/.test(line)) return "several_pushers";
  return hasStep || /^[ \t]*\[\][ \t]*$/.test(line) ? "reverse_mode" : null;
}

// Judging

/** Play the blocks, and the parts of those that solve nothing. */
function playAll(levels, finder) {
  const tries = [];
  const unread = [];
  let read = 0;
  for (const block of finder.blocks) {
    if (block.refused) continue;
    const spans = [[block.start, block.end], ...partsOf(block)].slice(0, MAX_CANDIDATES - read);
    for (const [at, [start, end]] of spans.entries()) {
      read++;
      const candidate = finder.read(start, end);
      const isWhole = at === 0;
      if (candidate.error) {
        if (isWhole) unread.push(candidate.error);
        continue;
      }
      const best = furthest(levels, candidate);
      if (!best) continue;
      const isSolved = best.result.verdict === "solved";
      // Parts are a second guess: of them only a solution matters, the failure is that of the whole block.
      if (best.result.verdict !== "empty" && (isWhole || isSolved)) tries.push(best);
      if (isSolved && isWhole) break;
    }
    if (read >= MAX_CANDIDATES || finder.left <= 0) break;
  }
  return { tries, unread };
}

/** The first level that *candidate* solves, else the one on which it got furthest; null where there is none. */
function furthest(levels, candidate) {
  let best = null;
  for (const [place, level] of levels.entries()) {
    if (level.unjudgeable) continue;
    const one = { candidate, level: place, result: replay(level, candidate.moves) };
    if (one.result.verdict === "solved") return one;
    if (!best || one.result.moves > best.result.moves) best = one;
  }
  return best;
}

function better(best, next) {
  const difference = next.result.moves - best.result.moves || next.result.pushes - best.result.pushes;
  return difference < 0 ? next : best;
}

/** Nothing solves: too long, refused, the block that got furthest, unreadable, or nothing there. */
function unsolved(tries, unread, finder) {
  const error = unread.find(({ code }) => code === "too_long") ?? finder.refusal;
  if (error) return unreadable(error);
  if (tries.length) return played(tries.reduce((best, next) => (next.result.moves > best.result.moves ? next : best)), finder);
  const reason = unread[0] ?? (finder.blocks.length ? null : finder.reasonForNone());
  return reason ? unreadable(reason) : judgement({ outcome: "empty" });
}

function played({ candidate, level, result }, finder) {
  const changes = finder.changes([candidate.span]);
  if (result.verdict === "solved" && result.case_corrected) changes.push("case");
  if (result.cut) changes.push("tail");
  const index = result.index === null ? null : result.index + candidate.start;
  return judgement({ outcome: result.verdict, level, replay: result, index, step: result.step, why: result.why, changes });
}

function hasTooManyParts(text) {
  return text.length > MAX_PARTS && (text.match(/[0-9()\r\n]/g)?.length ?? 0) > MAX_PARTS;
}

function tooManyParts() {
  return new PuzzleError("too_many_parts", { limit: MAX_PARTS });
}

function unreadable(error) {
  const outcome = ["too_long", "too_many_parts"].includes(error.code) ? "too_long" : "malformed";
  return judgement({ outcome, index: error.index, why: error.code, error });
}

function judgement(facts) {
  const nothing = { level: null, replay: null, index: null, step: null, why: null, error: null, problem: null };
  return { ...nothing, changes: [], solved: [], ...facts };
}
