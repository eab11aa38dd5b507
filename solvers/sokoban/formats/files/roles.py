"""Say how each line of a text with levels is read, before anything is stored."""

from collections import defaultdict
from dataclasses import dataclass

from solvers.choices import Choice
from solvers.errors import PuzzleError
from solvers.sokoban.formats import Entry, Header, Remark, Stated, Unread, find_gaps, text_of
from solvers.sokoban.formats.collection import TextGap, read_gaps
from solvers.sokoban.formats.rows import Board
from solvers.sokoban.formats.text import split_lines
from solvers.sokoban.reading.movelines import LineKind


class Role(Choice):
    """Kind of content as which a line is read."""

    BLANK = "blank"
    ROW = "row"
    FAULTY_ROW = "faulty_row"  # of a board that cannot be read
    TITLE = "title"
    AUTHOR = "author"
    NOTE = "note"
    MOVES = "moves"
    LEFT_OUT = "left_out"


# Roles by the key or kind of an item; other items are notes, or titles by their text.
_ROLES: dict[str, Role] = {
    "title": Role.TITLE, "collection": Role.TITLE, "author": Role.AUTHOR, "head": Role.MOVES,
    **dict.fromkeys(map(str, LineKind), Role.MOVES),
}  # fmt: skip


@dataclass(frozen=True)
class ReadLine:
    """A line of a file: the roles of its parts, remarks and errors about it, and the level whose board *begins* here.

    Remarks about the whole file are at its first line.
    """

    number: int
    text: str
    roles: tuple[Role, ...]
    remarks: tuple[Remark | PuzzleError, ...]
    begins: Entry | None = None


def read_lines(data: str | bytes, stated: Stated | None = None) -> list[ReadLine]:
    """Return how each line of a file, of any format, is read.

    >>> [line.roles[0].value for line in read_lines("; One\\n#####\\n#@$.#\\n; odd\\n#   #\\n#####\\n\\nR")]
    ['title', 'row', 'row', 'left_out', 'row', 'row', 'blank', 'moves']

    Raise NotText.
    """
    header, stated = Header(), stated or Stated()
    text = text_of(data, header, stated)
    found, stated = find_gaps([text], header, stated)
    gaps = list(found)
    entries = list(read_gaps(gaps, header, stated))
    remarks: dict[int, list[Remark | PuzzleError]] = defaultdict(list)
    for part in (header, *entries):
        for remark in [part.error] if isinstance(part, Unread) else part.remarks:
            remarks[remark.line or 1].append(remark)
    roles = _roles_of(gaps, {entry.title for entry in entries} - {""})
    begins = {entry.line: entry for entry in entries if isinstance(entry, Entry)}
    lines: list[ReadLine] = []
    for number, line in enumerate(split_lines([text]), 1):
        own = tuple(dict.fromkeys(roles[number])) or (Role.LEFT_OUT if line.strip() else Role.BLANK,)
        lines.append(ReadLine(number, line, own, tuple(remarks[number]), begins.get(number)))
    return lines


def _roles_of(gaps: list[TextGap], titles: set[str]) -> dict[int, list[Role]]:
    """Return the roles of lines by their number. A `::` line, and a tag, have no item and no role."""
    roles: dict[int, list[Role]] = defaultdict(list)
    for gap in gaps:
        for item in gap.items:
            if item.kind != "blank":  # a separator line has this kind too, and is left out
                is_title = not item.key and not titles.isdisjoint([item.text.strip(" \t'"), item.text.strip()])
                role = _ROLES.get(item.key or item.kind) or (Role.TITLE if is_title else Role.NOTE)
                for number in range(item.number, max(item.number, item.last) + 1):
                    roles[number].append(role)
        for number in gap.board.lines if gap.board else ():
            roles[number].append(Role.ROW if isinstance(gap.board, Board) else Role.FAULTY_ROW)
    return roles
