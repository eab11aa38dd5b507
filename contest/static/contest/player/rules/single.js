// The one level in a text that somebody pasted into a field, in any form that files, forums and links give it.
// The twin of solvers/sokoban/formats/single.py; both are tested with tests/data/single_levels.json.

import { PuzzleError } from "./errors.js";
import { Level } from "./level.js";

const MIN_ROWS = 3;
const MAX_TEXT = 500_000;
const MAX_LINES = 2_000; // a text for one level has fewer
const MAX_LINE = 2_000;
const MAX_LINKS = 20;
const MAX_RUNS = 50; // of rows: one level has a few
const LINE_END = /\r\n|\n\r|\n|\r/;
const COMPACT = /^[A-H0-9]{7,}$/;
const FENCED_JSON = /^(?:\x60{3}|~~~)json[ \t]*$([^]*?)^(?:\x60{3}|~~~)/im;
const LINKED = /[(<](https?:\/\/[^\s()<>]+)[)>]/g; // in Markdown
const ROW_TAGS = /(?:\s{0,20}<\/?(?:p|li|td|tr|tbody|table|[uo]l)\b[^<>]{0,99}>)+/gi;
const MAY_BE_MARKED = /^\s*(?:[0-9]{1,4}[.)|]?|[#*.$+@|])[ \t|#]/;
const LINK = /[?&#](?:lvl|level)=\S|\blvl=\S/; // within a word; for whole words it would take quadratic time
const TAGS = /\[\/?(?:code|pre|xsb|quote)[^\]]{0,40}\]|<\/?(?:pre|code|p|div)\b[^>]{0,99}>|^[ \t]*(?:\x60{3}|~~~)\w*[ \t]*$/gim;
const CELLS = /^[ \t]*\|(?: ?[^|\s]? {0,2}\|){3,}[ \t]*$/gm; // of a Markdown table with one square in each
const TABLE_LINE = /^[ \t]*\|(?: ?:?-+:? ?\|){3,}[ \t]*\r?\n/gm;
const TAGGED = /\[(soko(?:java)?)=[^\]]{0,40}\]([^[]*)\[\/\1\]/gi;
const BOARDS = ["xsb", "board", "map", "level", "rows", "grid", "puzzle"]; // keys of JSON
const ROW_LIKE = /^(?:[ \t]*#[ .$*@+_-]*#|[ \t.$*@+_-]+$)/; // a line that is a row, though not read as one
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const INVISIBLE = /[\u200b-\u200d\u2060\u00ad\ufeff]/g;
const ROW = /^[#@+$*.\-_ bBpPWoXHax0-9()|\t]+$/;
const FLOOR = /^[ \t]*[-_][-_ \t]*$/;
const INNER_ROW = /^([#WH])[^#WH](?:.*[^#WH])?\1$/; // open to the rows above and below
const QUOTE = /^>(?: ?>){0,2}/;
const NOTE = /^(?:[ \t]{2}|[ \t]*(?:;|\/\/|<|←)|[ \t]+\(?(?:[A-Za-z]{2}|[^\x20-\x7e]))/; // how text behind a row begins
const LETTERS = { "#": /^$/, H: /^[HaxX ]+$/, W: /^[WpPbBoX ]+$/ }; // rows of letters alone, by the sign of the walls
const SEPARATOR = /^\s*([=\-_*~+.])\1{2,}\s*$/;

// Marks around rows; of those that boards have too, the whole board decides whether they belong to it.
const BOARD_MARKS = [
  /^[ \t]*(?<mark>[0-9]{1,4})(?:[.)|][ \t]?|[ \t])(?<row>.*)$/,
  /^[ \t]*(?<mark>[#*.$+@])[ \t](?<row>.*)$/,
  /^(?<mark>\+)(?<row>.*)$/, // of a diff
  /^[ \t]*(?<mark>\|)(?<row>.*)\|[ \t]*$/,
];
const TEXT_MARKS = [
  /^[^"'\x60]{0,40}(?<mark>["'\x60])(?<row>[^"'\x60]*?)(?:\\n)?\k<mark>[\])};,+\\ \t]*$/,
  /^[ \t]*(?<mark>\/\/+|;+|%+|--(?!-)|!|'|REM\b)(?<row>.*)$/,
  /^[ \t]*\[?(?<mark>[0-9]{1,4})[ \t]*[\]:)][ \t]?(?<row>.*)$/,
];
const ALPHABETS = ["X*&", "BX%"]; // wall, box, box on goal in other programs; the other signs are as in XSB

/** The only level of *pasted*. Throw a PuzzleError: of its board, `several_levels` or `too_many_lines`. */
export function readOne(pasted) {
  const text = (FENCED_JSON.exec(pasted)?.[1] ?? pasted.replaceAll("\r\r\n", "\n")).replace(LINKED, " $1 ");
  if (text.split(LINE_END, MAX_LINES + 2).length > MAX_LINES + 1) throw new PuzzleError("too_many_lines", { limit: MAX_LINES });
  let level = null;
  let refusal = null;
  try {
    level = Level.parse(text);
    if (!MAY_BE_MARKED.test(text)) return level;
  } catch (error) {
    if (!(error instanceof PuzzleError)) throw error;
    refusal = error;
  }
  let levels = entriesIn(text);
  if (!level && !levels.length && text.includes("<")) {
    levels = entriesIn(text.replace(ROW_TAGS, "\n")).filter((entry) => !entry.unjudgeable); // cells may be squares
  }
  const broken = levels.find((entry) => entry instanceof PuzzleError);
  if (broken) throw broken;
  if (level) return levels.length === 1 ? levels[0] : level;
  if (!levels.length) throw refusal;
  if (levels.length > 1) {
    const names = levels.slice(0, 5).map(({ width, height }) => `${width} x ${height}`);
    throw new PuzzleError("several_levels", { count: levels.length, names: names.join(", ") });
  }
  return levels[0];
}

/** The different levels of *text*, in order; those that cannot be read are left out. */
export function levelsIn(text) {
  return entriesIn(text).filter((entry) => entry instanceof Level);
}

/** The different levels of *text*, and an error for each that a line within it makes unreadable. */
function entriesIn(text) {
  if (text.length > MAX_TEXT) return [];
  if (COMPACT.test(text.trim())) return distinct([attempt(() => Level.parseCompact(text.trim()))]);
  const links = text.split(/\s+/).filter((word) => LINK.test(word)).slice(0, MAX_LINKS);
  const lines = plain(fromJson(text) ?? text).split(LINE_END, MAX_LINES + 1);
  const linked = [...links.map(linkedLevel), ...lines.map(compactLevel)];
  const found = Array.from(readings(lines.map((line) => line.slice(0, MAX_LINE))), (levels) => distinct([...linked, ...levels]));
  return found.reduce((most, levels) => (levels.length > most.length ? levels : most), []);
}

function distinct(levels) {
  return [...new Map(levels.filter(Boolean).map((level) => [level.publishedText ?? level, level])).values()];
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
  return attempt(() => {
    if (!own) return Level.parseSokoPlayer(link.slice(link.indexOf("?") + 1));
    const text = decodeURIComponent(own[1]);
    return COMPACT.test(text) ? Level.parseCompact(text) : Level.parse(text);
  });
}

function compactLevel(line) {
  const code = line.trim();
  if (!COMPACT.test(code) || code.split(/[BC]/).length !== 2) return null;
  const level = attempt(() => Level.parseCompact(code));
  return level && !level.unjudgeable && level.height >= MIN_ROWS ? level : null;
}

/** The text without tags, full-width forms and invisible characters. */
function plain(text) {
  const rows = text.includes("<SokobanLevels") ? fromXml(text) : text;
  return rows
    .replace(FULL_WIDTH, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(/[\u00a0\u3000]/g, " ")
    .replace(INVISIBLE, "")
    .replace(TABLE_LINE, "")
    .replace(CELLS, (row) => row.trim().slice(1, -1).split("|").map((cell) => cell.trim() || " ").join(""))
    .replace(TAGGED, "\n\n$2\n\n")
    .replace(TAGS, "\n\n")
    .replace(/<br[ ]?\/?>(?:\r?\n)?/gi, "\n");
}

/** The rows of an .slc file; a line break for any other tag. */
function fromXml(text) {
  return text
    .replace(/<!--[^>]*-->|<!\[CDATA\[|\]\]>/g, "")
    .replace(/<L\b[^<>]*>([^<]*)<\/L>\s*/g, "$1\n")
    .replace(/<[^<>]*>/g, "\n")
    .replaceAll("&#35;", "#");
}

/** The boards of a JSON text, or of one with JSON in each line, with blank lines between; or null. */
function fromJson(text) {
  if (!/^\s*(?:\{\s*["}]|\[\s*["[{])/.test(text)) return null;
  const found = [];
  const visit = (value) => {
    if (!value || typeof value !== "object") return;
    const isList = Array.isArray(value);
    const fields = isList ? { board: value } : Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]));
    const rows = BOARDS.map((name) => rowsOf(fields, name)).find(Boolean);
    if (rows) found.push(rows);
    else Object.values(isList ? value : fields).forEach(visit);
  };
  const documents = parsed([text]) ?? parsed(text.split(LINE_END).filter((line) => line.trim()));
  documents?.forEach(visit);
  return found.join("\n\n") || null;
}

function parsed(texts) {
  try {
    return texts.map((text) => JSON.parse(text));
  } catch {
    return null;
  }
}

/** The rows of a board: a text, a list of rows, a list of lists of characters, or the digits of letslogic. */
function rowsOf({ width, height, ...fields }, name) {
  let value = fields[name];
  if (Array.isArray(value)) {
    const rows = value.map((row) => (Array.isArray(row) ? row.join("") : row));
    value = rows.every((row) => typeof row === "string") ? rows.join("\n") : null;
  }
  if (typeof value !== "string") return null;
  if (/^[0-7]+$/.test(value) && width > 0 && value.length === width * height) {
    const rows = value.match(new RegExp(`.{${width}}`, "g")) ?? [];
    return rows.map((row) => row.replace(/[0-7]/g, (digit) => "-#@$.*+-"[digit])).join("\n");
  }
  return value.includes("#") || (value.includes("H") && /[|\n]/.test(value)) ? value : null;
}

/** The levels of the lines as they are, or without the marks around rows, or in the letters of another program. */
function* readings(lines) {
  for (const pattern of BOARD_MARKS) yield* unmarked(lines, pattern, { isBoard: true });
  yield boardsIn(lines);
  for (const pattern of TEXT_MARKS) yield* unmarked(lines, pattern, { isBoard: false });
  for (const signs of ALPHABETS) {
    const isRow = (line) => line.includes(signs[0]) && [...line.trimEnd()].every((sign) => `${signs} .@+-_`.includes(sign));
    const translated = (line) => Array.from(line, (sign) => "#$*"[signs.indexOf(sign)] ?? sign).join("");
    if (lines.filter(isRow).length >= MIN_ROWS) yield boardsIn(lines.map((line) => (isRow(line) ? translated(line) : line)));
  }
}

/** The levels of the lines without their marks, where all rows have them: the same sign, or consecutive numbers. */
function* unmarked(lines, pattern, { isBoard }) {
  const all = lines.map((line) => (SEPARATOR.test(line) ? null : (pattern.exec(line)?.groups ?? null)));
  const sign = mostFrequent(all.filter(Boolean).map(({ mark }) => mark));
  const matches = all.map((match) => (match && (match.mark === sign || /^[0-9]/.test(match.mark)) ? match : null));
  const marks = matches.filter(Boolean).map(({ mark }) => mark);
  const isCounted = marks.every((mark, at) => /^[0-9]/.test(mark) && (!at || Number(mark) === Number(marks[at - 1]) + 1));
  if (marks.length < MIN_ROWS || !(isCounted || new Set(marks).size === 1)) return;
  if (isBoard && lines.some((line, at) => !matches[at] && rowOf(line, "#"))) return;
  const levels = boardsIn(lines.map((line, at) => matches[at]?.row ?? (isBoard ? "" : line)));
  if (levels.length && levels.every((level) => !level.unjudgeable && level.isClosed)) yield levels;
}

function mostFrequent(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), ["", 0])[0];
}

/** The levels of *lines*: runs of rows, joined over one line of text where only both halves are a level. */
function boardsIn(lines) {
  const wall = ["#", "H"].find((sign) => lines.some((line) => line.includes(sign) && ROW.test(line.replace(QUOTE, "")))) ?? "W";
  const runs = [];
  let isOver = true;
  let next = rowOf(lines[0] ?? "", wall);
  for (const [at, line] of lines.entries()) {
    if (runs.length > MAX_RUNS) break;
    const isFloor = next === null && !isOver && FLOOR.test(line);
    const row = isFloor && rowOf(lines[at + 1] ?? "", wall) ? line : next;
    next = rowOf(lines[at + 1] ?? "", wall);
    if (row !== null) {
      const isWhole = row.split("|").length >= MIN_ROWS && judged([row]);
      if (isOver || isWhole) runs.push({ rows: [], first: at });
      runs.at(-1).rows.push(row);
      runs.at(-1).last = at;
      isOver = isWhole;
    } else isOver = true;
  }
  const levels = [];
  for (let at = 0; at < runs.length; at++) {
    const { end, error } = endOfLevel(runs, at, lines);
    const rows = runs.slice(at, end + 1).flatMap((run) => run.rows);
    const isBoard = rows.join("|").split("|").filter((row) => row.trim()).length >= MIN_ROWS;
    if (isBoard) levels.push(error ?? attempt(() => levelOfRows(rows)));
    at = end;
  }
  return levels.filter(Boolean);
}

/** Up to which run a level goes that single lines split, and the error if one of them is a row or may be one. */
function endOfLevel(runs, start, lines) {
  const isNext = (at) => runs[at]?.first === runs[at - 1].last + 2;
  const closed = (rows) => judged(rows)?.isClosed;
  if (!isNext(start + 1) || closed(runs[start].rows)) return { end: start };
  const rows = [...runs[start].rows];
  let error = null;
  for (let end = start + 1; end < start + 5 && isNext(end); end++) {
    if (closed(runs[end].rows)) break;
    rows.push(...runs[end].rows);
    error ??= refuseBetween(lines, runs[end].first - 1);
    if (closed(rows) || (end === start + 1 && error?.code === "foreign_character")) return { end, error };
  }
  let end = start;
  while (isNext(end + 1) && isCut(runs[end], runs[end + 1], lines)) end++;
  const number = runs[start].last + 2;
  return { end, error: end > start ? new PuzzleError("odd_line", { line: number, column: 1, line_number: number }) : null };
}

/** Whether a text line cuts a board: rows from wall to wall around it, and neither piece is a level. */
function isCut(upper, lower, lines) {
  const seam = [upper.rows.at(-1).trim(), lower.rows[0].trim()];
  const isInner = seam[0].length === seam[1].length && seam.every((row) => INNER_ROW.test(row));
  return isInner && Boolean(lines[upper.last + 1].trim()) && ![upper, lower].some(({ rows }) => judged(rows)?.isClosed);
}

/** The error of a line between two rows: a mistyped row, a blank line, or else a row; null where it is a text. */
function refuseBetween(lines, at) {
  const content = lines[at].replace(QUOTE, "");
  const place = { line: at + 1, column: 1, line_number: at + 1 };
  if (!content.trim()) return new PuzzleError("blank_line", place);
  if (/^\s*([#WH]).+\1\s*$/.test(content)) {
    const foreign = [...content].findIndex((sign) => !ROW.test(sign) && sign !== " ");
    const character = [...content][foreign] ?? "\t";
    return new PuzzleError("foreign_character", { line: at + 1, column: foreign + 1, character });
  }
  return ROW_LIKE.test(content) ? new PuzzleError("odd_line", place) : null;
}

/** The level of *rows* if a replay can judge it, or null. Most texts have not one player, which costs less to see. */
function judged(rows) {
  const text = rows.join("\n");
  const players = text.match(!text.includes("#") && text.includes("H") ? /[axX]/g : /[@+pP]/g) ?? [];
  const level = players.length === 1 && attempt(() => levelOfRows(rows));
  return level && !level.unjudgeable ? level : null;
}

/** The row in a line, without mail quotes and a note behind it, or null. A word of letters of boards is no row. */
function rowOf(line, wall) {
  const content = line.replace(QUOTE, "").trimEnd();
  const isRow = (text) => /[#WH]/.test(text) && ROW.test(text) && !/^\s*#\s?[0-9]+$/.test(text);
  const end = content.lastIndexOf("#") + 1;
  if (end >= MIN_ROWS && NOTE.test(content.slice(end)) && isRow(content.slice(0, end))) return content.slice(0, end);
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
