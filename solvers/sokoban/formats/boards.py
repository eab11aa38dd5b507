"""Find boards in lines of text: XSB, .sok letters and MF8, plain, run-length encoded, quoted or tagged.

A board is at least three consecutive row lines. Every other line is passed through as text.
"""

import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice

from solvers.errors import NoBoard, PuzzleError, TooLarge, TooLong
from solvers.sokoban.formats import compact
from solvers.sokoban.formats.files.wrappers import find_wrapped, remove_marks, split_markup
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.rows import MIN_ROWS, Board, board_of_text, level_of
from solvers.sokoban.formats.runs import Row, Run, Segment, TextLine, Unreadable, gather_runs, join_over_lines
from solvers.sokoban.formats.sokoplayer import find_links, read_link
from solvers.sokoban.formats.text import FOLDED, fold
from solvers.sokoban.level import MAX_CELLS, MAX_SIDE, MAX_SYMBOLS

_MAX_SHOWN = 40  # characters of a note in a remark
_MAX_TAGGED_LINES = 1_000
_MAX_TAGS_A_LINE = 100
_MAX_TAGGED_CHARACTERS = 4 * MAX_CELLS
_TAG = re.compile(
    r"\[(?P<kind>soko|sokojava)=\s*(?P<width>[0-9]{1,9})\s*,\s*(?P<height>[0-9]{1,9})\s*\]", re.IGNORECASE
)
_TAGGED = re.compile(rf"{_TAG.pattern}(?P<rows>(?:(?!\[soko).)*?)\[/(?P=kind)\]", re.IGNORECASE | re.DOTALL)
_END_TAG = re.compile(r"\[/soko", re.IGNORECASE)
_ZERO_COUNT = re.compile(r"(?<![0-9])0+[^0-9]")
_OTHER_SIGNS = {Notice.X_AS_BOX: "X", Notice.W_AS_WALL: "W", Notice.O_AS_GOAL: "o"}


def segments(lines: Iterable[TextLine]) -> Iterator[Segment]:
    """Yield text lines, boards and unreadable boards in order. Memory O(one board)."""
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
        if (size := sum(map(len, rows))) > MAX_SYMBOLS:
            raise TooLong(size=size, limit=MAX_SYMBOLS)
        level = level_of(rows)
    except PuzzleError as error:
        yield Unreadable(first, error if error.line else _locate_error(error, body), run.numbers)
        return
    remarks = [*_find_remarks(body), *(Remark(Notice.LINE_LEFT_OUT, number) for number in run.left_out)]
    if run.mark:
        remarks.append(Remark(run.mark, first))
    yield Board(first, level, tuple(remarks), run.numbers)


def _locate_error(error: PuzzleError, body: list[Row]) -> PuzzleError:
    """Add to *error* the line and column of the character it names, or of the board's first line."""
    character = error.values.get("character", "")
    for row in body:
        column = fold(row.text[row.quoted :]).find(character) if character else 0
        if column != -1:
            return error.at(line=row.number, column=row.quoted + column + 1)
    return error.at(line=body[0].number, column=1)


def _find_remarks(body: list[Row]) -> Iterator[Remark]:
    first = body[0].number
    characters = frozenset().union(*(row for line in body for row in line.rows))
    for code, sign in _OTHER_SIGNS.items():
        if sign in characters and "H" not in characters:
            yield Remark(code, first)
    if body[0].quoted:
        yield Remark(Notice.QUOTED, first)
    foreign = set().union(*(map(ord, row.text) for row in body if not row.text.isascii()))
    yield from (Remark(Notice(code), first) for code, signs in FOLDED.items() if not signs.isdisjoint(foreign))
    for row in body:
        if row.left_out:
            yield Remark(Notice.TEXT_BEHIND_ROW, row.number, {"text": row.left_out[:_MAX_SHOWN]})
    zeros = (row.number for row in body if "0" in row.text and _ZERO_COUNT.search(fold(row.text)))
    yield from (Remark(Notice.ZERO_COUNT, number) for number in islice(zeros, 1))


# Links, compact codes and forum tags


def _read_codes(line: TextLine) -> Iterator[Segment]:
    """Yield the levels of links in *line*, or of its compact code, and its other text."""
    number, code = line.number, line.text.strip()
    is_code = compact.CODE.fullmatch(code) and code.count("B") + code.count("C") == 1
    links = [code] if is_code else find_links(line.text)
    rest = " ".join(word for word in line.text.split() if word not in links) if links else line.text
    if rest or not links:
        yield TextLine(number, rest)
    for link in links:
        try:
            board = read_link(link, line=number)
            if is_code and (board.level.unjudgeable or board.level.height < MIN_ROWS):
                raise NoBoard
            yield board
        except PuzzleError as error:
            if "lvl=" in link:
                yield Unreadable(number, error.at(line=number, column=line.text.find(link) + 1), (number,))
            else:  # a word, or a link to another site's level
                yield TextLine(number, link)


def _read_tags(lines: Iterable[TextLine]) -> Iterator[Segment]:
    """Yield the lines as text, and the content between `[soko=W,H]` and `[/soko]` as a board."""
    tagged: list[TextLine] = []  # lines since an opening tag
    size = 0
    for line in lines:
        if not tagged and not ("[" in line.text and _TAG.search(line.text)):
            yield from _read_codes(line)
            continue
        tagged.append(line)
        size += len(line.text)
        if _END_TAG.search(line.text):
            rest = yield from _read_tagged(tagged)
            tagged = [rest] if _TAG.search(rest.text) else []
            size = len(rest.text)
            if rest.text.strip() and not tagged:
                yield rest
        elif len(tagged) > _MAX_TAGGED_LINES or size > _MAX_TAGGED_CHARACTERS:
            yield from tagged
            tagged, size = [], 0
    yield from tagged


def _read_tagged(lines: list[TextLine]) -> Generator[Segment, None, TextLine]:
    """Yield the boards in tags, and the lines of text around them. Return the text after the last tag."""
    text, at, rest = "\n".join(line.text for line in lines), 0, ""
    for match in chain(islice(_TAGGED.finditer(text), _MAX_TAGS_A_LINE), [None]):
        pieces = text[at : match.start() if match else None].split("\n")
        rest = "" if match else pieces.pop()
        for place, piece in enumerate(pieces, text.count("\n", 0, at)):
            if piece.strip() or len(pieces) > 1:  # not an empty end of a tag's line
                yield TextLine(lines[place].number, piece)
        if match:
            at = match.end()
            yield _read_tag(match, [line.number for line in lines])
    return TextLine(lines[-1].number, rest)


def _read_tag(match: re.Match[str], numbers: list[int]) -> Segment:
    first, last = (match.string.count("\n", 0, place) for place in match.span())
    lines = tuple(numbers[first : last + 1])
    unit = 16 if match["kind"].lower() == "sokojava" else 1  # sokojava gives pixels, and one row too many
    width, height = int(match["width"]) // unit, int(match["height"]) // unit - (unit == 16)
    try:
        return replace(board_of_text(match["rows"], width, height, line=lines[0]), lines=lines)
    except PuzzleError as error:
        return Unreadable(lines[0], error.at(line=lines[0], column=1), lines)
