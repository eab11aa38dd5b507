// Find the moves in whatever somebody pastes, by the first of the readings of `masks` that solves a level. The twin of
// the lenient reader in solvers/sokoban/reading/readers.py; both are tested with the same cases. Boards in the text are
// other text here: the server knows which level they name.
//
// Every index is one of the text as it was pasted, in code points: what is left out keeps its place.

import { PuzzleError } from "./errors.js";
import { replay } from "./game.js";
import { BLANKS, IN_FULL, OTHER_GAME, RUN } from "./masks.js";
import { flat, fold, linesMask, partsOf, readings, runsOf, shortenDirections, take } from "./masks.js";
import { Moves } from "./moves.js";

const MAX_MOVES = 1_000_000; // of a submission, decoded and before any cut
const MAX_CANDIDATES = 200; // of one reading
const MAX_PARTS = 40_000; // digits, brackets and line ends of a text
const MAX_LEFT_OUT = 4; // parts listed
const BUDGET = 4; // times the limit: the steps that all candidates of one text may decode to
const LISTED = ["lines", "whole", "words"]; // readings whose candidates are listed
const LEAST_REPORTED = 4; // steps: shorter runs between other words are words too, as "u" or "du"

const NO_CANDIDATE = { reading: "", start: 0, text: "" };
const TOO_MANY_PARTS = { ...NO_CANDIDATE, error: new PuzzleError("too_many_parts", { limit: MAX_PARTS }) };
const NO_REPLAY = { level: null, replay: null, index: null, step: null, why: null, error: null, problem: null };
const EMPTY = { outcome: "empty", ...NO_REPLAY, reading: "", leftOut: [], solved: [] };
const NOTHING = new RegExp(`^[${BLANKS}0-9()]*$`);
const BOARD_ROW = /(?<![^\r\n])(?=[^\r\n]*#)[#@+$*.\-_| \t]+(?![^\r\n])/g;
const ODD_BLANK = /[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufe0f\uff0c]/g;

const byMoves = ({ replay: one }, { replay: other }) => one.moves - other.moves || one.pushes - other.pushes;
const isTooLong = ({ error }) => error.code === "too_long";
const hasTooManyParts = (text) => text.length > MAX_PARTS && (text.match(/[0-9()\r\n]/g) ?? []).length > MAX_PARTS;

/**
 * The blocks of moves in *text* in order, before any level is asked: {reading, start, text, moves}, or {…, error} where
 * a block cannot be read. Never throws.
 */
export function candidates(text, limit = MAX_MOVES) {
  const reader = new Reader(limit);
  const known = new Set([""]);
  const found = [];
  for (const mask of hasTooManyParts(text) ? [] : readings(text)) {
    if (!LISTED.includes(mask.name)) break;
    for (const run of take(runsOf(mask), MAX_CANDIDATES)) {
      const candidate = reader.read(mask, run);
      const steps = candidate.moves?.steps ?? "";
      if (mask.name === "lines" || !known.has(steps)) found.push(candidate);
      known.add(steps);
    }
  }
  return found;
}

/**
 * Read *text* and play it on *levels*: the candidates of each reading, and the parts of those that solve nothing, until
 * a reading solves. Every candidate takes the first level it solves; the outcome is the best by moves of that reading,
 * *solved* lists all of them.
 *
 * *outcome* is a verdict of `replay`, or malformed or too_long with an *error*; *level* is the place in *levels* of the
 * level solved, or of the one on which the text got furthest; *index*, *step* and *why* point at the first mistake.
 * *reading* names the reading that was played, *leftOut* lists the first parts of the text outside it: {line, text}.
 * Levels that cannot be judged are passed over; if all are such, the outcome is bad_level with its *problem*. Never
 * throws.
 */
export function judge(levels, text, limit = MAX_MOVES) {
  const problem = levels[0]?.unjudgeable ?? null;
  if (problem && levels.every((level) => level.unjudgeable)) {
    return { ...EMPTY, outcome: "bad_level", why: problem.code, problem };
  }
  if (hasTooManyParts(text)) return judgedOn("", { candidate: TOO_MANY_PARTS });
  const reader = new Reader(limit);
  const failed = [];
  const unread = [];
  for (const mask of readings(text)) {
    if (!mask.keepsCounts && unread.some(isTooLong)) continue;
    const solved = playMask(levels, mask, reader, failed, unread);
    if (solved.length) return { ...judgedOn(text, [...solved].sort(byMoves)[0]), solved };
  }
  return unsolved(text, reader, failed, unread);
}

/** Reads candidates of one text within a budget of steps. */
class Reader {
  constructor(limit) {
    this.limit = limit;
    this.left = BUDGET * limit;
  }

  read({ name, text }, [start, end]) {
    const part = name === "lines" ? text.slice(start, end).replace("*", " ") : text.slice(start, end); // a position's mark
    const candidate = { reading: name, start, text: part };
    const isFree = IN_FULL.includes(name);
    try {
      const moves = Moves.parse(part, { limit: isFree ? this.limit : Math.min(this.limit, this.left) });
      if (!isFree) this.left -= moves.steps.length;
      return { ...candidate, moves };
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      return { ...candidate, error: error.at({ index: error.index === null ? null : start + error.index }) };
    }
  }
}

/** The solutions among the candidates of *mask*, and the parts of those that fail. Adds to *failed* and *unread*. */
function playMask(levels, mask, reader, failed, unread) {
  const solved = [];
  const isLines = mask.name === "lines";
  let left = MAX_CANDIDATES;
  for (const run of take(runsOf(mask), MAX_CANDIDATES)) {
    const solving = [];
    // Parts are a second guess: of them only a solution matters, the failure is that of the whole run.
    for (const span of [run, ...partsOf(mask, run)]) {
      if (left-- <= 0 || (reader.left <= 0 && !IN_FULL.includes(mask.name))) break;
      const candidate = reader.read(mask, span);
      const best = furthest(levels, candidate);
      if (best?.replay.verdict === "solved") solving.push(best);
      else if (best && span === run) failed.push(best);
      if (candidate.error && span === run && isLines) unread.push(candidate);
      if (solving.length && span === run && isLines) break;
    }
    // A word before the moves may be taken for steps, as "Du".
    solved.push(...(isLines ? solving : solving.sort(byMoves).slice(0, 1)));
  }
  return solved;
}

/** The first level that *candidate* solves, else the one on which it got furthest; null where there is none. */
function furthest(levels, candidate) {
  let best = null;
  for (const [place, level] of candidate.moves?.steps ? levels.entries() : []) {
    if (level.unjudgeable) continue;
    const played = { candidate, start: candidate.start, level: place, replay: replay(level, candidate.moves) };
    if (played.replay.verdict === "solved") return played;
    if (!best || played.replay.moves > best.replay.moves) best = played;
  }
  return best;
}

/** Nothing solves: too long, another game, the candidate that got furthest, unreadable, or nothing there. */
function unsolved(text, reader, failed, unread) {
  const folded = fold(flat(text));
  const lines = linesMask(folded);
  const mark = lines.match(OTHER_GAME);
  const code = mark?.[1] ? "several_pushers" : "reverse_mode";
  const refused = mark && { ...NO_CANDIDATE, error: new PuzzleError(code, { index: mark.index }) };
  const blocks = failed.filter(({ candidate }) => candidate.reading === "lines");
  const isLong = ({ candidate }) => candidate.reading === "words" && candidate.moves.steps.length >= LEAST_REPORTED;
  const attempts = blocks.length ? blocks : failed.filter(isLong);
  const bad = unread.find(isTooLong) ?? refused ?? (blocks.length ? null : unread[0]);
  if (attempts.length && !bad) return judgedOn(text, attempts.sort((a, b) => b.replay.moves - a.replay.moves)[0]);
  const isEmpty = lines.search(RUN) >= 0 || NOTHING.test(folded);
  const { error } = isEmpty ? {} : reader.read({ name: "whole", text: fold(text) }, [0, text.length]);
  return judgedOn(text, { candidate: bad ?? { ...NO_CANDIDATE, error } });
}

/** What came of *candidate*: its replay, its error, or that it is empty; and what it leaves out of the text. */
function judgedOn(text, { candidate, level = null, replay: result = null }) {
  const { error, reading, start } = candidate;
  const read = { ...EMPTY, reading, leftOut: listLeftOut(text, candidate) };
  if (error) {
    const outcome = ["too_long", "too_many_parts"].includes(error.code) ? "too_long" : "malformed";
    return { ...read, outcome, index: error.index, why: error.code, error };
  }
  if (!result) return read;
  const { step, why, verdict: outcome } = result;
  const index = result.index === null ? null : start + result.index;
  return { ...read, outcome, level, replay: result, index, step, why };
}

/** The first parts of *text* that are not in *candidate*, without blanks, commas, > and rows of a board. */
function listLeftOut(text, { start, text: candidate, reading }) {
  const [whole, read] = [flat(text), flat(candidate)];
  const other = whole.replace(BOARD_ROW, (row) => " ".repeat(row.length)).replace(ODD_BLANK, " ");
  const written = reading === "directions" ? shortenDirections(other) : other;
  const gap = (blanks, at) => written.slice(start + at, start + at + blanks.length);
  const kept = read.replace(/[^\t\r \0]/g, "\n").replace(/[\t \0]+/g, gap);
  const rest = written.slice(0, start) + kept + written.slice(start + read.length);
  const signs = whole.length === text.length ? text : Array.from(text);
  return take(rest.matchAll(/[^\t ,>*\r\n][^\r\n]*/g), MAX_LEFT_OUT).map(({ 0: { length }, index }) => ({
    line: (whole.slice(0, index).match(/\r\n|\n\r|\n|\r/g)?.length ?? 0) + 1,
    text: [...signs.slice(index, index + length)].join("").replace(/[ \t,]+$/, ""),
  }));
}
