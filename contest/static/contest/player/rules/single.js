// The one level in a text that somebody pasted into a field, in any form that files, forums and links give it.
// The twin of solvers/sokoban/formats/single.py; both are tested with tests/data/single_levels.json.

import { PuzzleError } from "./errors.js";
import { Level } from "./level.js";

const MIN_ROWS = 3;
const MAX_TEXT = 500_000;
const COMPACT = /^[A-H0-9]{7,}$/;
const MAY_BE_MARKED = /^\s*(?:[0-9]{1,4}[.)|]?|[#*.$+@|])[ \t|#]/;
const TAGS = /\[\/?(?:code|pre|xsb|quote)[^\]]{0,40}\]|<\/?(?:pre|code|p|div)\b[^>]{0,99}>|^[ \t]*(?:\x60{3}|~~~)\w*[ \t]*$/gim;
const TAGGED = /\[(soko(?:java)?)=[^\]]{0,40}\]([^[]*)\[\/\1\]/gi;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const INVISIBLE = /[\u200b-\u200d\u2060\u00ad\ufeff]/g;
const ROW = /^[#@+$*.\-_ bBpPWoXHax0-9()|\t]+$/;
const FLOOR = /^[ \t]*[-_][-_ \t]*$/;
const QUOTE = /^>(?: ?>){0,2}/;
const NOTE = /^(.*?#)(?:[ \t]{2,}|[ \t]*(?:;|\/\/|<|←)|[ \t]+(?=[A-Za-z]{2}))[^#]*$/;

const LETTERS = { "#": /^$/, H: /^[HaxX ]+$/, W: /^[WpPbBoX ]+$/ }; // rows of letters alone, by the sign of the walls
const SEPARATOR = /^\s*([=\-_*~+.])\1{2,}\s*$/;

// Marks around rows; of those that boards have too, the whole board decides whether they belong to it.
const BOARD_MARKS = [
  /^[ \t]*(?<mark>[0-9]{1,4})(?:[.)|][ \t]?|[ \t])(?<row>.*)$/,
  /^[ \t]*(?<mark>[#*.$+@])[ \t](?<row>.*)$/,
  /^[ \t]*(?<mark>\|)(?<row>.*)\|[ \t]*$/,
];
const TEXT_MARKS = [
  /^[^"'\x60]{0,40}(?<mark>["'\x60])(?<row>[^"'\x60]*?)(?:\\n)?\k<mark>[\])};,+\\ \t]*$/,
  /^[ \t]*(?<mark>\/\/+|;+|%+|--(?!-)|!|'|REM\b)(?<row>.*)$/,
  /^[ \t]*\[?(?<mark>[0-9]{1,4})[ \t]*[\]:)][ \t]?(?<row>.*)$/,
];
const ALPHABETS = [
  ["X*& .@+-_", "#$* .@+-_"],
  ["BX% .@+-_", "#$* .@+-_"],
];

/** The only level of *text*. Throw a PuzzleError: of its board, or `several_levels`. */
export function readOne(text) {
  let refusal = null;
  try {
    const level = Level.parse(text);
    if (!MAY_BE_MARKED.test(text)) return level;
    refusal = level;
  } catch (error) {
    if (!(error instanceof PuzzleError)) throw error;
    refusal = error;
  }
  const levels = levelsIn(text);
  if (refusal instanceof Level) return levels.length === 1 ? levels[0] : refusal;
  if (!levels.length) throw refusal;
  if (levels.length > 1) {
    const names = levels.slice(0, 5).map(({ width, height }) => `${width} x ${height}`);
    throw new PuzzleError("several_levels", { count: levels.length, names: names.join(", ") });
  }
  return levels[0];
}

/** The different levels of *text*, in order; those that cannot be read are left out. */
export function levelsIn(text) {
  if (text.length > MAX_TEXT) return [];
  const linked = text.split(/\s+/).filter((word) => /[?&#](?:lvl|level)=\S|\blvl=\S/.test(word));
  if (linked.length) return distinct(linked.map(linkedLevel));
  if (COMPACT.test(text.trim())) return distinct([attempt(() => Level.parseCompact(text.trim()))]);
  const lines = (fromJson(text) ?? plain(text)).split(/\r\n|\n\r|\n|\r/).map((line) => line.slice(0, 2_000));
  const found = Array.from(readings(lines), (reading) => distinct(boardsIn(reading)));
  return found.reduce((most, levels) => (levels.length > most.length ? levels : most), []);
}

function distinct(levels) {
  return [...new Map(levels.filter(Boolean).map((level) => [level.publishedText, level])).values()];
}

/** What *read* returns, or null where it cannot read. */
function attempt(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof PuzzleError || error instanceof URIError) return null;
    throw error;
  }
}

function linkedLevel(link) {
  const own = link.includes("lvl=") ? null : /[?&#]level=([^&#\s]+)/.exec(link);
  if (!own) return attempt(() => Level.parseSokoPlayer(link.slice(link.indexOf("?") + 1)));
  return attempt(() => {
    const text = decodeURIComponent(own[1]);
    return COMPACT.test(text) ? Level.parseCompact(text) : Level.parse(text);
  });
}

/** The text without tags, full-width forms and invisible characters. */
function plain(text) {
  return text
    .replace(FULL_WIDTH, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(/[\u00a0\u3000]/g, " ")
    .replace(INVISIBLE, "")
    .replace(TAGGED, "\n\n$2\n\n")
    .replace(TAGS, "\n\n")
    .replace(/<br[ ]?\/?>/gi, "\n");
}

/** The boards of a JSON text, with blank lines between, or null. */
function fromJson(text) {
  if (!/^\s*(?:\{\s*["}]|\[\s*["[{])/.test(text)) return null;
  const found = [];
  const isBoard = (value) => typeof value === "string" && value.includes("#");
  const visit = (value) => {
    if (isBoard(value)) found.push(value);
    else if (Array.isArray(value) && value.length && value.every((row) => typeof row === "string")) found.push(value.join("\n"));
    else if (value && typeof value === "object") Object.values(value).forEach(visit);
    return value;
  };
  try {
    visit(JSON.parse(text));
  } catch {
    return null;
  }
  return found.length ? found.join("\n\n") : null;
}

/** The lines as they are, or without the marks around rows, or in the letters of another program. */
function* readings(lines) {
  for (const pattern of BOARD_MARKS) yield* unmarked(lines, pattern, { isBoard: true });
  yield lines;
  for (const pattern of TEXT_MARKS) yield* unmarked(lines, pattern, { isBoard: false });
  for (const [signs, meanings] of ALPHABETS) {
    const isRow = (line) => line.includes(signs[0]) && [...line.trimEnd()].every((sign) => signs.includes(sign));
    if (lines.filter(isRow).length < MIN_ROWS) continue;
    const translated = (line) => Array.from(line, (sign) => meanings[signs.indexOf(sign)] ?? sign).join("");
    yield lines.map((line) => (isRow(line) ? translated(line) : line));
  }
}

/** The lines without their marks, where all rows have them: the same sign, or consecutive numbers. */
function* unmarked(lines, pattern, { isBoard }) {
  const all = lines.map((line) => (SEPARATOR.test(line) ? null : (pattern.exec(line)?.groups ?? null)));
  const sign = mostFrequent(all.filter(Boolean).map(({ mark }) => mark));
  const matches = all.map((match) => (match && (match.mark === sign || /^[0-9]/.test(match.mark)) ? match : null));
  const marks = matches.filter(Boolean).map(({ mark }) => mark);
  const isCounted = marks.every((mark, at) => /^[0-9]/.test(mark) && (!at || Number(mark) === Number(marks[at - 1]) + 1));
  if (marks.length < MIN_ROWS || !(isCounted || new Set(marks).size === 1)) return;
  if (isBoard && lines.some((line, at) => !matches[at] && rowOf(line, "#"))) return;
  const rows = lines.map((line, at) => matches[at]?.row ?? (isBoard ? "" : line));
  const levels = boardsIn(rows);
  if (levels.length && levels.every((level) => !level.unjudgeable && level.isClosed)) yield rows;
}

function mostFrequent(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), ["", 0])[0];
}

/** The levels of *lines*: runs of rows, joined over one line of text where only both halves are a level. */
function boardsIn(lines) {
  const wall = wallOf(lines);
  const runs = [];
  let isOver = true;
  lines.forEach((line, at) => {
    const row = rowOf(line, wall) ?? (!isOver && FLOOR.test(line) && rowOf(lines[at + 1] ?? "", wall) ? line : null);
    if (row === null) {
      isOver = true;
      return;
    }
    const isWhole = row.split("|").length > MIN_ROWS - 1 && judged([row]);
    if (isOver || isWhole) runs.push({ rows: [], first: at });
    runs.at(-1).rows.push(row);
    runs.at(-1).last = at;
    isOver = isWhole;
  });
  const levels = [];
  for (let at = 0; at < runs.length; at++) {
    const end = endOfLevel(runs, at, lines);
    const rows = runs.slice(at, end + 1).flatMap((run) => run.rows);
    if (rows.join("|").split("|").filter((row) => row.trim()).length >= MIN_ROWS) levels.push(attempt(() => levelOfRows(rows)));
    at = end;
  }
  return levels.filter(Boolean);
}

/** Up to which run a level goes that single lines of text split. */
function endOfLevel(runs, start, lines) {
  const isNext = (at) => runs[at]?.first === runs[at - 1].last + 2 && lines[runs[at].first - 1].trim();
  const closed = (rows) => judged(rows)?.isClosed;
  if (closed(runs[start].rows)) return start;
  const rows = [...runs[start].rows];
  for (let end = start + 1; end < start + 5 && isNext(end); end++) {
    if (closed(runs[end].rows)) break;
    rows.push(...runs[end].rows);
    if (closed(rows)) return end;
  }
  return start;
}

function judged(rows) {
  const level = attempt(() => levelOfRows(rows));
  return level && !level.unjudgeable ? level : null;
}

/** The sign of the walls in *lines*. */
function wallOf(lines) {
  return ["#", "H"].find((wall) => lines.some((line) => line.includes(wall) && ROW.test(line.replace(QUOTE, "")))) ?? "W";
}

/** The row in a line, without mail quotes and a note behind it, or null. A word of letters of boards is no row. */
function rowOf(line, wall) {
  const content = line.replace(QUOTE, "").trimEnd();
  const isRow = (text) => ROW.test(text) && /[#WH]/.test(text) && !/^\s*#\s?[0-9]+$/.test(text);
  const note = NOTE.exec(content);
  if (note && isRow(note[1]) && note[1].length >= MIN_ROWS) return note[1];
  const isWord = /^[A-Za-z ]+$/.test(content) && !/^ *([HW])\1\1+$/.test(content) && !LETTERS[wall].test(content);
  return isRow(content) && !isWord ? content : null;
}

/** A board in XSB, with the further letters of .sok files, or in MF8. */
function levelOfRows(rows) {
  const text = rows.join("\n");
  if (!text.includes("#") && text.includes("H")) return Level.parseMf8(text);
  const boxes = /[$bB]/.test(text) ? text : text.replaceAll("X", "$");
  return Level.parse(boxes.replaceAll("W", "#").replaceAll("o", "."));
}
