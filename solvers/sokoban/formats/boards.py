"""Find boards in lines of text: XSB, .sok letters and MF8, plain, run-length encoded, quoted or tagged.

A board is at least three consecutive row lines. Every other line is passed through as text.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, islice

from solvers.errors import PuzzleError, TooLarge, TooLong
from solvers.sokoban.formats import compact
from solvers.sokoban.formats.files.wrappers import find_wrapped, remove_marks, split_markup
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.rows import MAX_SYMBOLS, MIN_ROWS, level_of, level_of_size
from solvers.sokoban.formats.runs import (
    Board,
    Row,
    Run,
    Segment,
    TextLine,
    Unreadable,
    gather_runs,
    join_over_lines,
    parse_judgeable,
)
from solvers.sokoban.formats.sokoplayer import find_links, read_link
from solvers.sokoban.formats.text import fold, folded_kinds
from solvers.sokoban.level import MAX_CELLS, MAX_SIDE, Level

_MAX_SHOWN = 40  # characters of a note in a remark
_MAX_TAGGED_LINES = 1_000
_MAX_TAGS_A_LINE = 100
_MAX_TAGGED_CHARACTERS = 4 * MAX_CELLS
_TAG = re.compile(r"\[(soko|sokojava)=\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\]", re.IGNORECASE)
_ZERO_COUNT = re.compile(r"(?<![0-9])0+[^0-9]")


def segments(lines: Iterable[str]) -> Iterator[Segment]:
    """Yield text lines, boards and unreadable boards in order. Lines count from 1. Memory O(one board)."""
    # An open file yields lines with line ends.
    yield from numbered_segments(enumerate((line.rstrip("\r\n") for line in lines), 1))


def numbered_segments(lines: Iterable[tuple[int, str]]) -> Iterator[Segment]:
    """Yield text lines, boards and unreadable boards of lines with their numbers."""
    yield from find_wrapped(_read_plain(_read_tags(split_markup(lines))), _read_plain)


def _read_plain(lines: Iterable[Segment]) -> Iterator[Segment]:
    for part in join_over_lines(gather_runs(lines)):
        if isinstance(part, Run):
            yield from _read_run(remove_marks(part))
        else:
            yield part


def _read_run(run: Run) -> Iterator[Segment]:
    """Yield the board of *run*, or its lines if there are too few."""
    body, rows = run.lines, run.rows
    first, height = body[0].number, len(rows) + run.uncounted
    if height < MIN_ROWS:
        yield from body
        return
    try:
        if run.uncounted:
            raise TooLarge(width=max(map(len, rows)), height=height, limit=MAX_SIDE)
        for error in filter(None, (row.error for row in body)):
            raise error
        if sum(map(len, rows)) > MAX_SYMBOLS:
            raise TooLong(size=sum(map(len, rows)), limit=MAX_SYMBOLS)
        level = level_of(rows)
    except PuzzleError as error:
        yield Unreadable(first, error if error.line else _locate_error(error, body), _numbers(body))
        return
    remarks = [*_find_remarks(body), *(Remark(Notice.LINE_LEFT_OUT, number) for number in run.left_out)]
    if run.mark:
        remarks.append(Remark(run.mark, first))
    split_levels = _split_levels(body) if len(level.players) > 1 else []
    yield from split_levels or [Board(first, level, tuple(remarks), _numbers(body))]


_WORD_OR_LINE = re.compile(r"[A-Za-z ]+|[-_ ]+")


def _split_levels(body: list[Row]) -> list[Segment]:
    """Split *body* into several levels without a blank line between; return an empty list if that fails.

    Each level is on one line, with rows joined by `|`, or they are separated by words or by lines such as `-----`.
    """
    parts: list[Segment] = []
    for is_between, rows in groupby(body, lambda row: bool(_WORD_OR_LINE.fullmatch("|".join(row.rows)))):
        lines = list(rows)
        groups = [[row] for row in lines] if all(len(row.rows) >= MIN_ROWS for row in lines) else [lines]
        for group in [] if is_between else groups:
            level = parse_judgeable([row for line in group for row in line.rows])
            if level is None:
                return []
            parts.append(Board(group[0].number, level, tuple(_find_remarks(group)), _numbers(group)))
        parts += lines if is_between else []
    return parts


def _numbers(rows: list[Row]) -> tuple[int, ...]:
    return tuple(row.number for row in rows)


def _locate_error(error: PuzzleError, body: list[Row]) -> PuzzleError:
    """Add to *error* the line and column of the character it names, or of the board's first line."""
    character = error.values.get("character", "")
    for row in body:
        column = fold(row.text[row.quoted :]).find(character) if character else 0
        if column != -1:
            return error.at(line=row.number, column=row.quoted + column + 1)
    return error.at(line=body[0].number, column=1)


def _find_remarks(body: list[Row]) -> Iterator[Remark]:
    characters = frozenset().union(*(row for line in body for row in line.rows))
    if "H" not in characters:
        for character, code in (("X", Notice.X_AS_BOX), ("W", Notice.W_AS_WALL), ("o", Notice.O_AS_GOAL)):
            if character in characters:
                yield Remark(code, body[0].number)
    if body[0].quoted:
        yield Remark(Notice.QUOTED, body[0].number)
    for kind in dict.fromkeys(kind for row in body for kind in folded_kinds(row.text)):
        yield Remark(Notice(kind), body[0].number)
    for row in body:
        if row.left_out:
            yield Remark(Notice.TEXT_BEHIND_ROW, row.number, {"text": row.left_out[:_MAX_SHOWN]})
    zeros = (row.number for row in body if "0" in row.text and _ZERO_COUNT.search(fold(row.text)))
    yield from (Remark(Notice.ZERO_COUNT, number) for number in islice(zeros, 1))


# Links, compact codes and forum tags


def _read_codes(line: TextLine) -> Iterator[Segment]:
    """Yield the levels of links in *line*, or of its compact code, and its other text."""
    number, links = line.number, find_links(line.text)
    rest = " ".join(word for word in line.text.split() if word not in links) if links else line.text
    code = compact.CODE.fullmatch(line.text.strip())
    if code and (level := _judged(code[0])):
        yield Board(number, level, (), (number,))
    elif not links or rest:
        yield TextLine(number, rest)
    for link in links:
        try:
            found = read_link(link)
            yield Board(number, found.level, tuple(replace(each, line=number) for each in found.remarks), (number,))
        except PuzzleError as error:
            if "lvl=" in link:
                yield Unreadable(number, error.at(line=number, column=line.text.find(link) + 1), (number,))
            else:  # of another site's level
                yield TextLine(number, link)


def _judged(code: str) -> Level | None:
    with suppress(PuzzleError):
        level = compact.parse(code) if code.count("B") + code.count("C") == 1 else None
        return level if level and level.height >= MIN_ROWS and not level.unjudgeable else None
    return None


def _read_tags(lines: Iterable[tuple[int, str]]) -> Iterator[Segment]:
    """Yield the lines as text, and the content between `[soko=W,H]` and `[/soko]` as a board."""
    buffered: list[TextLine] = []  # lines since the opening tag
    size, tag = 0, None
    for number, line in lines:
        text = TextLine(number, line)
        if tag is None and "[" in line:
            tag = _TAG.search(line)
        if tag is None:
            yield from _read_codes(text)
            continue
        buffered.append(text)
        size += len(line)
        boards = 0
        while tag and boards < _MAX_TAGS_A_LINE and (split := _split_at_tag(buffered, tag)):
            boards += 1
            before, segment, rest = split
            if before.strip():
                yield TextLine(buffered[0].number, before)
            yield segment
            buffered, tag = [], None
            if rest.strip():
                tag = _TAG.search(rest)
                buffered = [TextLine(number, rest)]
            size = len(rest)
        if tag is None or len(buffered) > _MAX_TAGGED_LINES or size > _MAX_TAGGED_CHARACTERS:
            yield from buffered
            buffered, tag, size = [], None, 0
    yield from buffered


def _split_at_tag(lines: list[TextLine], tag: re.Match[str]) -> tuple[str, Segment, str] | None:
    """Return the text before the tag, its board, and the text after the end tag; None if there is no end tag yet."""
    closing = f"[/{tag[1].lower()}]"
    first, last = lines[0], lines[-1]
    start = tag.end() if last is first else 0
    end = last.text.lower().find(closing, start)
    if end == -1:
        return None
    inside = [line.text for line in lines[:-1]] + [last.text[:end]]
    inside[0] = inside[0][tag.end() :]
    unit = 16 if tag[1].lower() == "sokojava" else 1  # sokojava gives pixels, and one row too many
    size = int(tag[2]) // unit, int(tag[3]) // unit - (unit == 16)
    rows = [row for line in inside for row in _tagged_rows(line)]
    numbers = tuple(line.number for line in lines)
    return first.text[: tag.start()], _tagged_board(numbers, rows, size), last.text[end + len(closing) :]


def _tagged_rows(line: str) -> Iterator[str]:
    folded = fold(line)
    if folded.strip():
        yield from folded.split("|")


def _tagged_board(numbers: tuple[int, ...], rows: list[str], size: tuple[int, int]) -> Segment:
    number = numbers[0]
    try:
        level, remarks = level_of_size(rows, *size, line=number)
    except PuzzleError as error:
        return Unreadable(number, error.at(line=number, column=1), numbers)
    return Board(number, level, remarks, numbers)
