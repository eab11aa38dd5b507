"""Say how each line of a text with levels is read, before anything is stored."""

from collections.abc import Iterable

from solvers.choices import Choice
from solvers.sokoban.formats.boards import segments
from solvers.sokoban.formats.collection import read_levels
from solvers.sokoban.formats.files.items import Item, read_items
from solvers.sokoban.formats.runs import Board, TextLine
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


_OF_KIND: dict[str, Role] = {"head": Role.MOVES, **{str(kind): Role.MOVES for kind in LineKind}}
_OF_KEY: dict[str, Role] = {"title": Role.TITLE, "collection": Role.TITLE, "author": Role.AUTHOR}


def line_roles(text: str, *, names_above: bool | None = None) -> list[Role]:
    """Return the role of each line of *text*, which is neither XML nor JSON. *names_above* as in `read_levels`.

    >>> [role.value for role in line_roles("; One\\n#####\\n#@$.#\\n; odd\\n#   #\\n#####\\n\\nR")]
    ['title', 'row', 'row', 'left_out', 'row', 'row', 'blank', 'moves']

    Time like `read_levels`.
    """
    lines = list(split_lines([text]))
    titles = {entry.title for entry in read_levels(lines, with_moves=False, names_above=names_above)} - {""}
    roles = [Role.BLANK if not line.strip() else Role.LEFT_OUT for line in lines]
    gap: list[TextLine] = []
    for segment in segments(lines):
        if isinstance(segment, TextLine):
            gap.append(segment)
            continue
        _mark(roles, gap, titles)
        gap = []
        for number in segment.lines:
            roles[number - 1] = Role.ROW if isinstance(segment, Board) else Role.FAULTY_ROW
    _mark(roles, gap, titles)
    return roles


def _mark(roles: list[Role], gap: list[TextLine], titles: Iterable[str]) -> None:
    """Set the roles of the lines of one gap. A `::` line, and a tag, have no item and stay left out."""
    items = read_items(gap, [])
    ends = [*(item.number for item in items[1:]), gap[-1].number + 1] if items else []
    for item, end in zip(items, ends, strict=True):
        is_block = item.key == "comment" and "\n" in item.text
        if item.kind != "blank":  # a separator line has this kind too, and is left out
            for number in range(item.number, end if is_block else item.number + 1):
                roles[number - 1] = _role_of(item, titles)


def _role_of(item: Item, titles: Iterable[str]) -> Role:
    if item.kind in _OF_KIND:
        return _OF_KIND[item.kind]
    if item.kind == "key":
        return _OF_KEY.get(item.key, Role.NOTE)
    return Role.TITLE if item.text.strip(" \t'") in titles or item.text.strip() in titles else Role.NOTE
