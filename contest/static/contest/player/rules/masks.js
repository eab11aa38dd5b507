// Readings of a text: the characters of it that are taken for moves, in a fixed order. The twin of
// solvers/sokoban/reading/masks.py; both are tested with the same cases.
//
// A reading is a mask: a text of as many code points. What it leaves out is blank, or SEPARATOR where the moves before and
// after are different candidates. So no reading has a step that is not in the text.

const SEPARATOR = "\0";
const separators = (part) => SEPARATOR.repeat(part.length);
const blanks = (part) => " ".repeat(part.length);
/** Steps, line ends and the *others*, with blanks in place of all other characters. */
const keep = (text, others = "") => text.replace(new RegExp(`[^lurdLURD\r\n${others}]`, "g"), " ");

// With more words or tags, or more characters, only the lines, the whole and the letters of a text are tried.
const MAX_WORDS = 20_000;
const MAX_CHARACTERS = 200_000;

/** Readings whose only candidate is the text itself: not parted, and outside the budget of steps. */
export const IN_FULL = ["whole", "letters", "letters and arrows"];

/** The first mark of another kind of game, and the brace that follows in its line. */
export const OTHER_GAME = /(?:[[\]][^{}\r\n\0]*)?([{}])|[[\]]/;

/** The blanks of Python's str.isspace that are left in a folded text, so that both readers part the same lines. */
export const BLANKS = "\\s\\x1c-\\x1f\\x85";

const TO_BLANK = /[,\uff0c\xa0\xad\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/g;
const FULL_WIDTH = /[＃＠＋＄＊．－＿｜（）［］｛｝０-９Ａ-Ｚａ-ｚ]/g;
const ARROWS = ["←↑→↓左上右下", "lurdlurd"];
const ODD_SIGNS = ["⬅⬆➡⬇’：", "lurd':"]; // emoji are arrows only by words and letters
const TRIANGLES = ["◀▲▶▼◄►⮕⇐⇑⇒⇓", "lurdlrrlurd"]; // arrows only where a text has no other steps

const BLANK_LINE = new RegExp(`^[${BLANKS}]*$`);
const HEAD = "[ \\t]*(?:best\\s+solution|solution|answer|save\\s?game|saved\\s+game|snapshot|lurd|udlr|moves|答案)(?![a-z])";
const MOVES = "[0-9()* \\t[\\]]*[lurd{}][lurd0-9()* \\t[\\]{}]*|[ \\t]*\\[\\][ \\t]*"; // of any kind of game
const MOVES_LINE = new RegExp(`^(?<quotes>>(?: ?>){0,2})?(?:(?=(?<head>${HEAD}.*[:：]))\\k<head>)?(?<moves>${MOVES})$`, "iu");
export const RUN = /[lurdLURD0-9()*[\]{}][^\0]*/g;
const FILLED_LINE = "(?<![^\\r\\n])[^\\r\\n]*[^ \\t\\r\\n][^\\r\\n]*";
const PARAGRAPH = `${FILLED_LINE}(?:(?:\\r\\n|\\n\\r|\\n|\\r)${FILLED_LINE})*`;

// Tags and entities of HTML, colours of terminals, and line ends and tabs as escapes of JSON. A lone \r may be a wrapped
// line and a step. <RRR> is no tag; a tag with moves in an attribute stays, and its words part them.
const TAG = "<(?=[/A-Za-z])(?![lurdLURD]{3,}>|[^<>]*?[\"'][lurdLURD0-9()]{4,}[\"'])[^<>]*>";
const MARK_UP = new RegExp(`${TAG}|\\x1b?\\[[0-9;]{1,9}m|&#?[A-Za-z0-9]{1,31};|(?:\\\\r)?\\\\n|\\\\t`, "g");
const WORD = /[A-Za-z0-9]+(?:'[A-Za-z0-9]+){0,3}(?=["'*\x60\])]{0,3}[ \t]{0,2}(:)?)/g;
// With another letter, a name of the alphabet, or a name of up to five letters before a colon: `Ruud:`.
const OTHER_WORD = /^(?:.*[^lurd0-9:].*|[0-9]*(?:lurd|udlr)[0-9]*:?|(?![0-9])[^:]{0,4}[^0-9:]:)$/i;
const FOREIGN_LETTER = /(?![\0-\x7f])[\p{L}\p{N}]/gu;
const LINK = "(?:[\"'\x60][ \\t]{0,3}|[\"'\x60]?[ \\t]{0,2}[:x×*(]{1,2}[ \\t]?)(?=[0-9])";
// A direction, and what links it or a step to its count: `left x3`, `3*r`, `"r", 3`, `向右3步`.
const DIRECTION = new RegExp(
  `(?:(?<![A-Za-z])|(?<=[0-9]x))(left|right|up|down)(?![A-Za-z])(?:${LINK})?|(?<![A-Za-z])([lurd])${LINK}` +
    "|(?<=[0-9])[ \\t]?[x×*][ \\t]?(?=(?:left|right|up|down|[lurd])(?![A-Za-z]))|(?<=[0-9])[步格次]|[向往朝](?=[lurd])",
  "gi",
);
const COUNT_BEHIND = /([lurdLURD])( {0,12})([0-9]+)|[0-9]+/g; // a word of direction leaves blanks

/** The different readings of *text*, {name, text, keepsCounts}, in the order in which they are tried. */
export function* readings(text) {
  const seen = new Set();
  for (const [name, mask, keepsCounts = false] of everyReading(text)) {
    const key = name.startsWith("letters") + mask;
    if (!seen.has(key)) yield { name, text: mask, keepsCounts };
    seen.add(key);
  }
}

function* everyReading(text) {
  const plain = flat(text);
  const folded = fold(plain);
  yield ["lines", linesMask(folded)];
  yield ["whole", text, true];
  if (plain.length > MAX_CHARACTERS) {
    yield ["letters", keep(plain)];
    return;
  }
  // Candidates are separated by other words; by nothing; also by line ends; also by blanks.
  const words = wordMasks(folded);
  yield* words.map((mask, at) => ["words", mask, at === 0]);
  yield* words.map((mask) => ["joined", mask.replaceAll(SEPARATOR, " ")]);
  yield* words.map((mask) => ["single lines", mask.replace(/[\r\n]/g, SEPARATOR)]);
  // Without its counts a single word such as `d2(R)RR` would fall into three.
  yield ["single words", words[0].replace(/[\r\n ]/g, SEPARATOR)];
  yield* directionMasks(folded).map((mask) => ["directions", mask]);
  yield ["letters", keep(plain)];
  const arrows = (before) => ["letters and arrows", keep(spelled(spelled(before, ODD_SIGNS), TRIANGLES))];
  yield arrows(spelled(plain.replace(/[lurdLURD]/g, " "), ARROWS.map((part) => part.slice(0, 4))));
  yield arrows(folded);
}

/** The offsets of the candidates: from a move or count to the next separator. Other games are skipped. */
export function* runsOf({ name, text }) {
  if (name === "whole") yield [0, text.length];
  for (const { 0: run, index } of name === "whole" ? [] : text.matchAll(RUN)) {
    if (name !== "lines" || !OTHER_GAME.test(run)) yield [index, index + run.length];
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
  const run = IN_FULL.includes(name) ? "" : text.slice(start, end);
  const found = (pattern) => Array.from(run.matchAll(new RegExp(pattern, "g")));
  const [, second] = found(FILLED_LINE);
  const paragraphs = found(PARAGRAPH).map(({ 0: part, index }) => [start + index, start + index + part.length]);
  return [...(second ? [[start + second.index, end]] : []), ...(paragraphs.length > 1 ? paragraphs : [])];
}

/** One letter, or sign, in place of each such code point beyond the basic plane, so that offsets are in code points. */
export function flat(text) {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, (sign) => (/[\p{L}\p{N}]/u.test(sign) ? "一" : "\ufffd"));
}

/** Arrows and full-width letters as letters, commas and odd blanks as blanks. */
export function fold(text) {
  const narrow = (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0);
  return spelled(text.replace(TO_BLANK, " ").replace(FULL_WIDTH, narrow), ARROWS);
}

/** Write *signs* as the *letters* in the same places. */
function spelled(text, [signs, letters]) {
  return text.replace(new RegExp(`[${signs}]`, "g"), (sign) => letters[signs.indexOf(sign)]);
}

/** Keep the lines of moves, and moves behind a head. Other lines separate; blank lines do not. */
export function linesMask(folded) {
  let blockIsQuoted = null;
  return folded.replace(/([\r\n]*)([^\r\n]+)/g, (whole, gap, line) => {
    if (BLANK_LINE.test(line)) return gap + blanks(line);
    const { quotes, head, moves } = line.match(MOVES_LINE)?.groups ?? {};
    const joins = !head && Boolean(quotes) === blockIsQuoted;
    blockIsQuoted = moves ? Boolean(quotes) : null;
    if (!moves) return separators(whole);
    const before = line.slice(0, -moves.length);
    return (joins ? gap : separators(gap)) + (head ? separators(before) : blanks(before)) + moves;
  });
}

/** Keep the words of steps, counts and brackets; other words separate. Only blanks for too many words. */
function wordsMask(folded) {
  const plain = spelled(folded.replaceAll(SEPARATOR, " "), ODD_SIGNS);
  const text = plain.replace(FOREIGN_LETTER, (letter) => "x".repeat(letter.length));
  const isTooMuch = (pattern) => take(text.matchAll(pattern), MAX_WORDS + 1).length > MAX_WORDS;
  if ([MARK_UP, WORD].some(isTooMuch)) return blanks(text);
  const leaveOut = (word, colon = "") => (OTHER_WORD.test(word + colon) ? separators(word) : word);
  return keep(text.replace(MARK_UP, blanks).replace(WORD, leaveOut), `0-9()${SEPARATOR}`);
}

/** The words with numbers directly before a step as counts, with those directly behind it, and with none. */
function wordMasks(folded) {
  const words = wordsMask(folded);
  const masks = [words.replace(/\([0-9 ]*\)|[0-9]+(?![0-9(lurdLURD])/g, blanks), keep(words, SEPARATOR)];
  if (/[lurdLURD] ?[0-9]/.test(words)) {
    const place = /[lurdLURD] ?[0-9]+(?![0-9(lurdLURD])/.test(words) ? 1 : 2;
    const numbered = keep(words, `0-9${SEPARATOR}`).replace(/(?<![0-9lurdLURD])(?<![lurdLURD] )[0-9]+/g, blanks);
    masks.splice(place, 0, countsBefore(numbered));
  }
  return masks;
}

function directionMasks(folded) {
  const directions = shortenDirections(folded);
  if (directions === folded) return [];
  const words = keep(wordsMask(directions), `0-9${SEPARATOR}`);
  return [words, words.replaceAll(SEPARATOR, " ")].flatMap((counted) => [
    keep(counted, SEPARATOR),
    counted.replace(/[0-9]+(?![0-9]| {0,3}[lurdLURD])/g, blanks),
    countsBefore(counted),
  ]);
}

/** Steps with their counts before them; blanks for numbers that are behind no step. */
function countsBefore(text) {
  return text.replace(COUNT_BEHIND, (part, step, gap, count) => (step ? count + gap + step : blanks(part)));
}

/** Keep only the first letters of the words left, right, up and down, and leave out what links steps to counts. */
export function shortenDirections(text) {
  return text.replace(DIRECTION, (part, direction, step) => (direction ?? step ?? "").slice(0, 1).padEnd(part.length));
}
