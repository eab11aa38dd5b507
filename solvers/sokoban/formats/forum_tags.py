"""Boards between the tags that forums know: `[soko=W,H]` and `[/soko]` (formats.md 7.3, cited as F7.3)."""

import re
from collections.abc import Iterable, Iterator

from solvers.errors import PuzzleError
from solvers.sokoban.formats.rows import sized
from solvers.sokoban.formats.runs import Board, Segment, TextLine, Unreadable
from solvers.sokoban.formats.text import fold
from solvers.sokoban.level import MAX_CELLS

_MAX_TAGGED_LINES = 1_000
_MAX_TAGS_A_LINE = 100
_MAX_TAGGED_CHARACTERS = 4 * MAX_CELLS
_TAG = re.compile(r"\[(soko|sokojava)=\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\]", re.IGNORECASE)


def read_tags(lines: Iterable[tuple[int, str]]) -> Iterator[Segment]:
    """Yield the lines as text, and what stands between `[soko=W,H]` and `[/soko]` as a board (F7.3)."""
    held: list[TextLine] = []  # lines since the tag
    size, tag = 0, None
    for number, line in lines:
        text = TextLine(number, line)
        if tag is None and "[" in line:
            tag = _TAG.search(line)
        if tag is None:
            yield text
            continue
        held.append(text)
        size += len(line)
        boards = 0
        while tag and boards < _MAX_TAGS_A_LINE and (whole := _tagged(held, tag)):
            boards += 1
            before, segment, rest = whole
            if before.strip():
                yield TextLine(held[0].number, before)
            yield segment
            held, tag = [], None
            if rest.strip():
                tag = _TAG.search(rest)
                held = [TextLine(number, rest)]
            size = len(rest)
        if tag is None or len(held) > _MAX_TAGGED_LINES or size > _MAX_TAGGED_CHARACTERS:
            yield from held
            held, tag, size = [], None, 0
    yield from held


def _tagged(held: list[TextLine], tag: re.Match[str]) -> tuple[str, Segment, str] | None:
    """The text before the tag, its board, and the text behind the end tag; None while there is no end tag."""
    closing = f"[/{tag[1].lower()}]"
    first, last = held[0], held[-1]
    start = tag.end() if last is first else 0
    end = last.text.lower().find(closing, start)
    if end == -1:
        return None
    inside = [line.text for line in held[:-1]] + [last.text[:end]]
    inside[0] = inside[0][tag.end() :]
    unit = 16 if tag[1].lower() == "sokojava" else 1  # that tag gives pixels, and one row more than there are
    given = int(tag[2]) // unit, int(tag[3]) // unit - (unit == 16)
    rows = [row for line in inside for row in _tagged_rows(line)]
    return first.text[: tag.start()], _tagged_board(first.number, rows, given), last.text[end + len(closing) :]


def _tagged_rows(line: str) -> Iterator[str]:
    folded = fold(line)
    if folded.strip():
        yield from folded.split("|")


def _tagged_board(number: int, rows: list[str], given: tuple[int, int]) -> Segment:
    try:
        level, remarks = sized(rows, *given, line=number)
    except PuzzleError as error:
        return Unreadable(number, error.at(line=number, column=1))
    return Board(number, level, remarks)
