// Readings of a text: the characters of it that are taken for moves, in a fixed order. The twin of
// solvers/sokoban/reading/masks.py; both are tested with the same cases.
//
// A reading is a mask: a text of the same length. What it leaves out is blank, or SEPARATOR where the moves before and
// after are different candidates. So no reading has a step that is not in the text.

const SEPARATOR = "\0";
const MAX_WORDS = 20_000; // words, or tags, of a text; with more, only the lines, the whole and the letters are tried
const LONGEST_KEY = 5; // letters: a name before a colon that consists of move letters, as "Ruud:" or "lurd:"

const NO_LETTER = /[^lurdLURD\r\n]/g;

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
const LINE_END = /^(?:\r\n|\n\r|\n|\r)$/;
const QUOTE_MARKS = /^>(?: ?>){0,2}/;
const MOVES_LINE = /^[lurdLURD0-9()* \t]+$/;
const MARKED_LINE = /^[lurdLURD0-9()* \t[\]{}]+$/;
const HEAD = /^[ \t]*(?:best\s+solution|solution|answer|save\s?game|saved\s+game|snapshot|lurd|udlr|moves|答案)(?![a-z])/iu;
const OTHER_GAMES = /[[\]{}]/;
const RUN = /[lurdLURD0-9()*[\]{}][^\0]*/g;

const MARK_UP = /<(?=[/A-Za-z])[^<>]*>|&#?[A-Za-z0-9]{1,31};/g;
const WORD = /[A-Za-z0-9]+(?:'[A-Za-z0-9]+){0,3}(?=["'*\x60\])]{0,3}[ \t]{0,2}(:)?)/g;
const FOREIGN_LETTER = /(?![\0-\x7f])[\p{L}\p{N}]/gu;
const DIRECTION = /left|right|up|down/i;

// Candidates are separated by other words; by nothing; also by line ends; also by blanks.
const GRAINS = {
  words: (words) => words,
  joined: (words) => words.replaceAll(SEPARATOR, " "),
  "single lines": (words) => words.replace(/[\r\n]/g, SEPARATOR),
  "single words": (words) => words.replace(/[\r\n ]/g, SEPARATOR),
};

/** The different readings of *text*, {name, text, hasCounts}, in the order in which they are tried. */
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
  yield { name: "whole", text, hasCounts: true };
  const folded = fold(text);
  const words = wordsMask(folded);
  if (words !== null) {
    const versions = [withoutCounts(words)];
    if (/[0-9()]/.test(words)) versions.unshift(withCountsBefore(words));
    if (/[lurdLURD] ?[0-9]+(?![0-9(lurdLURD])/.test(words)) versions.splice(1, 0, withCountsBehind(words));
    for (const [name, separated] of Object.entries(GRAINS)) {
      // Without its counts a single word such as `d2(R)RR` would fall into three.
      const tried = name === "single words" ? versions.slice(0, 1) : versions;
      for (const [at, version] of tried.entries()) yield { name, text: separated(version), hasCounts: at === 0 };
    }
    const directions = DIRECTION.test(text) ? wordsMask(folded, true) : null;
    if (directions) yield { name: "directions", text: GRAINS.joined(withoutCounts(directions)), hasCounts: true };
  }
  yield { name: "letters", text: text.replace(NO_LETTER, " "), hasCounts: true };
  yield { name: "letters and arrows", text: folded.replace(NO_LETTER, " "), hasCounts: true };
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

// Lines of moves

/** Keep the lines of moves, and moves behind a head. Other lines separate; blank lines do not. */
export function linesMask(text) {
  const folded = fold(text);
  let mask = "";
  let at = 0;
  let refusal = null; // {code, offset} of the first line of another game
  let blockIsQuoted = null;
  for (const { 0: line, index } of folded.matchAll(LINE)) {
    const isBlank = ONLY_SPACE.test(line);
    const { start, quoted, kind } = isBlank ? { start: 0, quoted: 0, kind: null } : classifyLine(line);
    if (kind && kind !== "moves") {
      refusal ??= { code: kind, offset: index + start + line.slice(start).search(OTHER_GAMES) };
    }
    const joins = isBlank || (kind && start === 0 && quoted > 0 === blockIsQuoted);
    mask += joins ? folded.slice(at, index) : SEPARATOR.repeat(index - at);
    if (!kind) mask += (isBlank ? " " : SEPARATOR).repeat(line.length);
    else mask += SEPARATOR.repeat(start) + " ".repeat(Math.max(0, quoted - start)) + line.slice(Math.max(start, quoted));
    if (!isBlank) blockIsQuoted = kind ? quoted > 0 : null;
    at = index + line.length;
  }
  return { name: "lines", text: mask + folded.slice(at), hasCounts: true, refusal };
}

/** Where moves begin in *line* (behind a head), the length of its quote marks, and what moves they are. */
function classifyLine(line) {
  const quoted = line.match(QUOTE_MARKS)?.[0].length ?? 0;
  const kind = kindOf(line.slice(quoted));
  const colon = Math.max(line.lastIndexOf(":"), line.lastIndexOf("："));
  if (kind || colon === -1 || !HEAD.test(line.slice(quoted))) return { start: 0, quoted, kind };
  const behind = kindOf(line.slice(colon + 1));
  return { start: behind ? colon + 1 : 0, quoted, kind: behind };
}

function kindOf(line) {
  if (!MARKED_LINE.test(line)) return null;
  const hasStep = /[lurd]/i.test(line);
  if (MOVES_LINE.test(line)) return hasStep ? "moves" : null;
  if (/[{}]/.test(line)) return "several_pushers";
  return hasStep || /^[ \t]*\[\][ \t]*$/.test(line) ? "reverse_mode" : null;
}

// Words

/**
 * Keep the words of steps, counts and brackets; other words separate, all other characters are blanks. *withDirections*
 * keeps the first letters of left, right, up and down. null if too many words are left out.
 */
function wordsMask(folded, withDirections = false) {
  let text = folded.replaceAll(SEPARATOR, " ");
  if (!new RegExp(`^[lurdLURD${SPACE}]*$`).test(text)) {
    text = text.replaceAll("’", "'").replaceAll("：", ":").replace(FOREIGN_LETTER, (letter) => "x".repeat(letter.length));
    if ([MARK_UP, WORD].some((pattern) => take(text.matchAll(pattern), MAX_WORDS + 1).length > MAX_WORDS)) return null;
    text = text.replace(MARK_UP, blanks).replace(WORD, (word, colon) => keptOf(word, colon, withDirections));
  }
  return text.replace(/[^lurdLURD0-9()\r\n\0]/g, " ");
}

/** A word of steps as it is; separators for any other. */
function keptOf(word, colon, withDirections) {
  const letters = word.replace(/^[0-9]+|[0-9]+$/g, "");
  const isKey = colon && letters.length === word.length && letters.length <= LONGEST_KEY;
  if (/^[lurd0-9]*$/i.test(letters) && !isKey && !/^(?:lurd|udlr)$/i.test(letters)) return word;
  const kept = withDirections && /^(?:left|right|up|down)$/i.test(letters) ? letters[0] : "";
  return kept + SEPARATOR.repeat(word.length - kept.length);
}

function withoutCounts(words) {
  return words.replace(/[0-9()]/g, " ");
}

/** Keep numbers and brackets that stand directly before a step or a bracket; other numbers become blanks. */
function withCountsBefore(words) {
  return words.replace(/[0-9]+(?![0-9(lurdLURD])/g, blanks).replace(/\( *\)/g, blanks);
}

/** Move each number that follows a step before it: `r3 u` becomes `3r u`. Other numbers become blanks. */
function withCountsBehind(words) {
  const numbered = words.replace(/[()]/g, " ").replace(/(?<![0-9lurdLURD])[0-9]+/g, blanks);
  return numbered.replace(/([lurdLURD])( ?)([0-9]+)/g, "$3$1$2");
}

function blanks(part) {
  return " ".repeat(part.length);
}
