// Readings of a text: the characters of it that are taken for moves, in a fixed order. The twin of
// solvers/sokoban/reading/masks.py; both are tested with the same cases.
//
// A reading is a mask: a text of the same length. What it leaves out is blank, or SEPARATOR where the moves before and
// after are different candidates. So no reading has a step that is not in the text.

import { PuzzleError, codePoints } from "./errors.js";

const SEPARATOR = "\0";
const MAX_WORDS = 20_000; // words, or tags, of a text; with more, only the lines, the whole and the letters are tried
const LONGEST_KEY = 5; // letters: a name before a colon that consists of move letters, as "Ruud:" or "lurd:"

const NO_LETTER = /[^lurdLURD\r\n]/g;
const COUNTS = /[0-9()]/g;
const COUNT_BEHIND = /([lurdLURD])( {0,12})([0-9]+)/g; // of a direction

/** Readings whose only candidate is the text itself: not parted, and outside the budget of steps. */
export const IN_FULL = ["whole", "letters", "letters and arrows"];

// What Python's str.isspace says, so that both readers part the same lines.
export const SPACE = "\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const ONLY_SPACE = new RegExp(`^[${SPACE}]*$`);

const FULL_WIDTH = "#@+$*.-_|()[]{}0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FOLDED = new Map([
  ...Array.from(FULL_WIDTH, (character) => [String.fromCharCode(character.charCodeAt(0) + 0xfee0), character]),
  ...Array.from("←↑→↓左上右下", (arrow, at) => [arrow, "lurd"[at % 4]]),
]);
const TO_BLANK = /[,\uff0c\xa0\xad\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/g;
const TO_LETTER = /[←↑→↓左上右下\uff00-\uff5f]/g;

const LINE = /[^\r\n]+/g;
const GAP_AND_LINE = /([\r\n]*)([^\r\n]+)/g;
const LINE_END = /^(?:\r\n|\n\r|\n|\r)$/;
const QUOTE_MARKS = /^>(?: ?>){0,2}/;
const MOVES_LINE = /^[lurdLURD0-9()* \t]+$/;
const MARKED_LINE = /^[lurdLURD0-9()* \t[\]{}]+$/;
const HEAD = /^[ \t]*(?:best\s+solution|solution|answer|save\s?game|saved\s+game|snapshot|lurd|udlr|moves|答案)(?![a-z])/iu;
const OTHER_GAMES = /[[\]{}]/;
const RUN = /[lurdLURD0-9()*[\]{}][^\0]*/g;

// Tags and entities of HTML, and line ends and tabs as escapes of JSON. A lone \r may be a wrapped line and a step, and
// <RRR> is no tag.
const MARK_UP = /<(?=[/A-Za-z])(?![lurdLURD]{3,}>)[^<>]*>|&#?[A-Za-z0-9]{1,31};|(?:\\r)?\\n|\\t/g;
const WORD = /[A-Za-z0-9]+(?:'[A-Za-z0-9]+){0,3}(?=["'*\x60\])]{0,3}[ \t]{0,2}(:)?)/g;
const FOREIGN_LETTER = /(?![\0-\x7f])[\p{L}\p{N}]/gu;
const DIRECTION = /(?<![A-Za-z])(?:left|right|up|down)(?![A-Za-z])(?:[ \t]{0,2}[:x×*(]{1,2}[ \t]?(?=[0-9]))?/gi;

// Candidates are separated by other words; by nothing; also by line ends; also by blanks.
const GRAINS = {
  words: (words) => words,
  joined: (words) => words.replaceAll(SEPARATOR, " "),
  "single lines": (words) => words.replace(/[\r\n]/g, SEPARATOR),
  "single words": (words) => words.replace(/[\r\n ]/g, SEPARATOR),
};

/** The different readings of *text*, {name, text, keepsCounts}, in the order in which they are tried. */
export function* readings(text) {
  const seen = new Set();
  for (const mask of everyReading(text)) {
    const key = mask.name.startsWith("letters") + mask.text;
    if (seen.has(key)) continue;
    seen.add(key);
    yield mask;
  }
}

function* everyReading(text) {
  yield linesMask(text);
  yield { name: "whole", text, keepsCounts: true };
  const folded = fold(text);
  const versions = wordVersions(wordsMask(folded));
  for (const [name, separated] of Object.entries(GRAINS)) {
    // Without its counts a single word such as `d2(R)RR` would fall into three.
    const tried = name === "single words" ? versions.slice(0, 1) : versions;
    for (const [at, version] of tried.entries()) {
      yield { name, text: separated(version), keepsCounts: name === "words" && at === 0 };
    }
  }
  const directions = shortenDirections(folded);
  const words = directions === folded ? "" : wordsMask(directions);
  const counted = GRAINS.joined(words).replace(/[()]/g, " ");
  for (const text of words ? [counted.replace(COUNTS, " "), counted, counted.replace(COUNT_BEHIND, "$3$2$1")] : []) {
    yield { name: "directions", text };
  }
  yield { name: "letters", text: text.replace(NO_LETTER, " ") };
  yield { name: "letters and arrows", text: withTriangles(withPlainSigns(folded)).replace(NO_LETTER, " ") };
}

/** The offsets of the candidates: from a move or count to the next separator. Other games are skipped. */
export function* runsOf({ name, text }) {
  if (name === "whole") {
    yield [0, text.length];
    return;
  }
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (name !== "lines" || !OTHER_GAMES.test(run)) yield [index, index + run.length];
  }
}

/** The first items of what can be iterated, *most* at most. */
export function take(items, most) {
  const taken = [];
  for (const item of items) {
    if (taken.push(item) >= most) break;
  }
  return taken;
}

/** A run without its first line, which may be a title; then each of its paragraphs. */
export function partsOf({ name, text }, [start, end]) {
  if (IN_FULL.includes(name)) return [];
  const lines = [];
  for (const { 0: line, index } of text.slice(start, end).matchAll(LINE)) {
    if (!ONLY_SPACE.test(line)) lines.push([start + index, start + index + line.length]);
  }
  const parts = lines.length > 1 ? [[lines[1][0], end]] : [];
  // Two line ends between two lines make a blank line.
  const isNew = (at) => at > 0 && !LINE_END.test(text.slice(lines[at - 1][1], lines[at][0]));
  const gaps = [...lines.keys()].filter(isNew);
  if (!gaps.length) return parts;
  const following = [...gaps, lines.length];
  return [...parts, ...[0, ...gaps].map((first, at) => [lines[first][0], lines[following[at] - 1][1]])];
}

export function fold(text) {
  return text.replace(TO_BLANK, " ").replace(TO_LETTER, (character) => FOLDED.get(character) ?? character);
}

/** Emoji are arrows only in readings by words and letters: before, they may be bullets. */
function withPlainSigns(text) {
  return text.replace(/[⬅⬆➡⬇’：]/g, (sign) => "lurd':"["⬅⬆➡⬇’：".indexOf(sign)]);
}

/** Triangles and double arrows are steps only where a text has no other steps. */
function withTriangles(text) {
  return text.replace(/[◀▲▶▼◄►⮕⇐⇑⇒⇓]/g, (sign) => "lurdlrrlurd"["◀▲▶▼◄►⮕⇐⇑⇒⇓".indexOf(sign)]);
}

// Lines of moves

/** Keep the lines of moves, and moves behind a head. Other lines separate; blank lines do not. */
export function linesMask(text) {
  let refusal = null; // the error of the first line of another game
  let blockIsQuoted = null;
  const mask = fold(text).replace(GAP_AND_LINE, (whole, gap, line, offset) => {
    if (ONLY_SPACE.test(line)) return gap + blanks(line);
    const { start, quoted, kind } = classifyLine(line);
    const joins = start === 0 && quoted > 0 === blockIsQuoted;
    blockIsQuoted = kind ? quoted > 0 : null;
    if (!kind) return separators(whole);
    if (kind !== "moves") {
      const mark = offset + gap.length + start + line.slice(start).search(OTHER_GAMES);
      refusal ??= new PuzzleError(kind, { index: codePoints(text, mark) });
    }
    const left = separators(line.slice(0, start)) + blanks(line.slice(start, quoted));
    return (joins ? gap : separators(gap)) + left + line.slice(left.length);
  });
  return { name: "lines", text: mask, refusal };
}

/** Where moves begin in *line* (behind a head), the length of its quote marks, and what moves they are. */
function classifyLine(line) {
  const quoted = line.match(QUOTE_MARKS)?.[0].length ?? 0;
  const kind = kindOf(line.slice(quoted));
  const start = Math.max(line.lastIndexOf(":"), line.lastIndexOf("：")) + 1;
  const behind = !kind && start && HEAD.test(line.slice(quoted)) ? kindOf(line.slice(start)) : null;
  return behind ? { start, quoted, kind: behind } : { start: 0, quoted, kind };
}

function kindOf(line) {
  if (!MARKED_LINE.test(line)) return null;
  const hasStep = /[lurd]/i.test(line);
  if (MOVES_LINE.test(line)) return hasStep ? "moves" : null;
  if (/[{}]/.test(line)) return "several_pushers";
  return hasStep || /^[ \t]*\[\][ \t]*$/.test(line) ? "reverse_mode" : null;
}

// Words

/** Keep the words of steps, counts and brackets; other words separate, others are blanks. "" for too many words. */
function wordsMask(folded) {
  const plain = withPlainSigns(folded.replaceAll(SEPARATOR, " "));
  const text = plain.replace(FOREIGN_LETTER, (letter) => "x".repeat(letter.length));
  if ([MARK_UP, WORD].some((pattern) => take(text.matchAll(pattern), MAX_WORDS + 1).length > MAX_WORDS)) return "";
  return text.replace(MARK_UP, blanks).replace(WORD, leaveOut).replace(/[^lurdLURD0-9()\r\n\0]/g, " ");
}

/** A word of steps as it is; separators for any other. */
function leaveOut(word, colon) {
  const letters = word.replace(/^[0-9]+|[0-9]+$/g, "");
  const isKey = colon && letters.length === word.length && letters.length <= LONGEST_KEY;
  return !/^[lurd0-9]*$/i.test(letters) || isKey || /^(?:lurd|udlr)$/i.test(letters) ? separators(word) : word;
}

/** The words with numbers directly before a step as counts, with those directly behind it, and with none. */
function wordVersions(words) {
  const versions = words ? [words.replace(COUNTS, " ")] : [];
  if (/[0-9()]/.test(words)) {
    versions.unshift(words.replace(/[0-9]+(?![0-9(lurdLURD])/g, blanks).replace(/\( *\)/g, blanks));
  }
  if (/[lurdLURD] ?[0-9]/.test(words)) {
    const numbered = words.replace(/[()]/g, " ").replace(/(?<![0-9lurdLURD])(?<![lurdLURD] )[0-9]+/g, blanks);
    const place = /[lurdLURD] ?[0-9]+(?![0-9(lurdLURD])/.test(words) ? 1 : versions.length;
    versions.splice(place, 0, numbered.replace(/([lurdLURD])( ?)([0-9]+)/g, "$3$2$1"));
  }
  return versions;
}

/** Keep only the first letters of the words left, right, up and down. */
export function shortenDirections(text) {
  return text.replace(DIRECTION, (word) => word[0].padEnd(word.length));
}

function blanks(part) {
  return " ".repeat(part.length);
}

function separators(part) {
  return SEPARATOR.repeat(part.length);
}
