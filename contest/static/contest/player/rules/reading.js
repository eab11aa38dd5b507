// Find the moves in whatever somebody pastes, by the first of the readings of `masks` that solves a level. The twin of
// the lenient reader in solvers/sokoban/reading/readers.py; both are tested with the same cases. Boards in the text are
// other text here: the server knows which level they name.
//
// Every index is one of the text as it was pasted, in code points: what is left out keeps its place.

import { PuzzleError, codePoints, foreignCharacter } from "./errors.js";
import { replay } from "./game.js";
import { IN_FULL, SPACE, fold, linesMask, partsOf, readings, runsOf, shortenDirections, take } from "./masks.js";
import { Moves } from "./moves.js";

const MAX_MOVES = 1_000_000; // of a submission, decoded and before any cut
const MAX_CANDIDATES = 200; // of one reading
const MAX_PARTS = 40_000; // digits, brackets and line ends of a text
const MAX_LEFT_OUT = 4; // parts listed
const BUDGET = 4; // times the limit: the steps that all candidates of one text may decode to
const LISTED = 5; // readings whose candidates are listed
const LEAST_REPORTED = 4; // steps: shorter runs between other words are words too, as "u" or "du"

const NOTHING = new RegExp(`^[${SPACE}0-9()]*$`);
const BOARD_ROW = /(?<![^\r\n])(?=[^\r\n]*#)[#@+$*.\-_| \t]+(?![^\r\n])/g;
const ODD_BLANK = /[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufe0f\uff0c]/g;

/**
 * The blocks of moves in *text* in order, before any level is asked: {reading, start, text, moves}, or {…, error} where
 * a block cannot be read. Never throws.
 */
export function candidates(text, limit = MAX_MOVES) {
  if (hasTooManyParts(text)) return [];
  const reader = new Reader(text, limit);
  const known = new Set([""]);
  const found = [];
  for (const mask of take(readings(text), LISTED)) {
    for (const [start, end] of take(runsOf(mask), MAX_CANDIDATES)) {
      const candidate = reader.read(mask, start, end);
      const steps = candidate.moves?.steps ?? "";
      const isNew = ["whole", "words"].includes(mask.name) && !known.has(steps);
      if (mask.name === "lines" || isNew) found.push(candidate);
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
    return judgement({ outcome: "bad_level", why: problem.code, problem });
  }
  if (hasTooManyParts(text)) return unreadable(new PuzzleError("too_many_parts", { limit: MAX_PARTS }));
  const reader = new Reader(text, limit);
  const failed = [];
  const unread = [];
  for (const mask of readings(text)) {
    if (!mask.keepsCounts && unread.some(({ error }) => error.code === "too_long")) continue;
    const solved = playMask(levels, mask, reader, failed, unread);
    if (!solved.length) continue;
    const all = solved.map(({ candidate, level, result }) => ({ start: candidate.start, level, replay: result }));
    return { ...played(text, solved.reduce(better)), solved: all };
  }
  return unsolved(text, limit, failed, unread);
}

/** Reads candidates of one text within a budget of steps. */
class Reader {
  constructor(text, limit) {
    this.text = text;
    this.limit = limit;
    this.left = BUDGET * limit;
  }

  /** The most steps of the next candidate: readings in full are outside the budget. */
  limitOf({ name }) {
    return IN_FULL.includes(name) ? this.limit : Math.min(this.limit, this.left);
  }

  read(mask, from, to) {
    const { name, text } = mask;
    const part = name === "lines" ? text.slice(from, to).replace("*", " ") : text.slice(from, to); // a position's mark
    const read = { reading: name, start: codePoints(this.text, from), from, text: part };
    try {
      const moves = Moves.parse(part, { limit: this.limitOf(mask) });
      if (!IN_FULL.includes(name)) this.left -= moves.steps.length;
      return { ...read, moves };
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      if (error.index === null) return { ...read, error };
      return { ...read, error: error.at({ index: codePoints(this.text, from + error.index) }) };
    }
  }
}

/** The solutions among the candidates of *mask*, and the parts of those that fail. Adds to *failed* and *unread*. */
function playMask(levels, mask, reader, failed, unread) {
  const solved = [];
  const isLines = mask.name === "lines";
  let left = MAX_CANDIDATES;
  for (const run of runsOf(mask)) {
    const solving = [];
    // Parts are a second guess: of them only a solution matters, the failure is that of the whole run.
    for (const [at, [start, end]] of [run, ...partsOf(mask, run)].entries()) {
      if (left-- <= 0 || reader.limitOf(mask) <= 0) return [...solved, ...solving];
      const candidate = reader.read(mask, start, end);
      if (candidate.error && at === 0 && isLines) unread.push(candidate);
      const best = candidate.moves?.steps ? furthest(levels, candidate) : null;
      if (best?.result.verdict === "solved") solving.push(best);
      else if (best && at === 0) failed.push(best);
      if (solving.length && at === 0 && isLines) break;
    }
    // A word before the moves may be taken for steps, as "Du".
    solved.push(...(isLines || !solving.length ? solving : [solving.reduce(better)]));
  }
  return solved;
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

/** Nothing solves: too long, another game, the candidate that got furthest, unreadable, or nothing there. */
function unsolved(text, limit, failed, unread) {
  const tooLong = unread.find(({ error }) => error.code === "too_long");
  if (tooLong) return notRead(text, tooLong.error, tooLong);
  const { refusal } = linesMask(text);
  if (refusal) return notRead(text, refusal);
  const blocks = failed.filter(({ candidate }) => candidate.reading === "lines");
  if (!blocks.length && unread.length) return notRead(text, unread[0].error, unread[0]);
  const isLong = ({ candidate }) => candidate.reading === "words" && candidate.moves.steps.length >= LEAST_REPORTED;
  const tries = blocks.length ? blocks : failed.filter(isLong);
  if (tries.length) return played(text, tries.reduce((best, next) => (next.result.moves > best.result.moves ? next : best)));
  return notRead(text, take(runsOf(linesMask(text)), 1).length ? null : reasonForNone(text, limit));
}

/** The error, or that the text is empty; and what is not in *candidate*, where the error is one of its own. */
function notRead(text, error, candidate = null) {
  const leftOut = listLeftOut(text, candidate ?? { from: 0, text: "" });
  const outcome = error ? unreadable(error) : judgement({ outcome: "empty" });
  return { ...outcome, reading: candidate?.reading ?? "", leftOut };
}

function played(text, { candidate, level, result }) {
  const index = result.index === null ? null : codePoints(text, candidate.from + result.index);
  const { step, why, verdict: outcome } = result;
  const leftOut = listLeftOut(text, candidate);
  return judgement({ outcome, level, replay: result, index, step, why, reading: candidate.reading, leftOut });
}

/** The first parts of *text* that are not in *candidate*, without blanks, commas, > and rows of a board. */
function listLeftOut(text, { from, text: read, reading }) {
  const rest = text.replace(BOARD_ROW, (row) => " ".repeat(row.length));
  const written = reading === "directions" ? shortenDirections(rest) : rest;
  const kinds = Array.from(written.replace(ODD_BLANK, " ").split(""), (unit, at) => {
    const kept = read[at - from];
    if (kept !== undefined && !"\t\n\r \0".includes(kept)) return "k";
    return "\r\n".includes(unit) ? "n" : "\t ,>*".includes(unit) ? " " : "w";
  }).join("");
  return take(kinds.matchAll(/w[ w]*/g), MAX_LEFT_OUT).map(({ 0: part, index }) => ({
    line: (text.slice(0, index).match(/\r\n|\n\r|\n|\r/g)?.length ?? 0) + 1,
    text: text.slice(index, index + part.length).replace(/[ \t,]+$/, ""),
  }));
}

/** Why there is no candidate: the first foreign character; null for nothing but blanks. */
function reasonForNone(text, limit) {
  const folded = fold(text);
  if (NOTHING.test(folded)) return null;
  try {
    Moves.parse(folded, { limit });
  } catch (error) {
    if (error instanceof PuzzleError) return error;
    throw error;
  }
  return foreignCharacter(text, Math.max(0, text.search(new RegExp(`[^lurdLURD${SPACE}]`))));
}

function hasTooManyParts(text) {
  return text.length > MAX_PARTS && (text.match(/[0-9()\r\n]/g)?.length ?? 0) > MAX_PARTS;
}

function unreadable(error) {
  const outcome = ["too_long", "too_many_parts"].includes(error.code) ? "too_long" : "malformed";
  return judgement({ outcome, index: error.index, why: error.code, error });
}

function judgement(facts) {
  const nothing = { level: null, replay: null, index: null, step: null, why: null, error: null, problem: null };
  return { ...nothing, reading: "", leftOut: [], solved: [], ...facts };
}
