"""Rows of one board: alphabets, run-lengths and size (docs/reference/formats.md, *Boards*)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from solvers.errors import ForeignCharacter, MixedAlphabets, PuzzleError
from solvers.sokoban import runlength
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.text import LINE_END, fold
from solvers.sokoban.level import BOX, CELL_OF, FLOOR, GOAL, MAX_CELLS, MAX_SYMBOLS, PLAYER, WALL, Level

MIN_ROWS = 3
XSB_CELLS = CELL_OF | {"W": WALL, "o": GOAL, "X": BOX}
MF8_CELLS = {
    "H": WALL, " ": FLOOR, "-": FLOOR, "_": FLOOR, ".": GOAL, "$": BOX, "*": BOX | GOAL, "a": PLAYER,
    "x": PLAYER | GOAL, "X": PLAYER | GOAL,
}  # fmt: skip
_SYMBOLS = "".join(dict.fromkeys([*XSB_CELLS, *MF8_CELLS])) + "|"
ROWISH = re.compile(rf"[{re.escape(_SYMBOLS)}0-9()\t]+")
WALLS = frozenset("#WH")
_CODED = re.compile(r"[0-9()\t]")


@dataclass(frozen=True, slots=True)
class Board:
    """A board that begins at line *number*; *lines* are the numbers of the lines of its rows."""

    number: int
    level: Level
    remarks: tuple[Remark, ...] = ()
    lines: tuple[int, ...] = ()


@dataclass(slots=True)
class Allowance:
    """Cells that run-lengths may still decode to, in proportion to the text, so that a short file cannot cost much."""

    left: int = 100 * MAX_CELLS


def decode_row(content: str, allowance: Allowance) -> str:
    """Expand leading tabs and run-lengths. Raise PuzzleError with the index of the fault."""
    if not _CODED.search(content):
        return content
    decoded = runlength.decode_row(content, _SYMBOLS, limit=max(0, min(MAX_SYMBOLS, allowance.left)))
    allowance.left -= len(decoded)
    return decoded


def level_of(rows: Sequence[str]) -> Level:
    """Build a level from decoded *rows*; the wall character decides the alphabet.

    Raise MixedAlphabets, ForeignCharacter (`values["character"]`), NoBoard or TooLarge.
    """
    characters = frozenset().union(*rows)
    first_wall = next((character for row in rows for character in row if character in WALLS), "#")
    cells = MF8_CELLS if first_wall == "H" else XSB_CELLS
    if foreign := min(characters - cells.keys(), default=""):
        raise (MixedAlphabets if foreign in WALLS else ForeignCharacter)(character=foreign)
    if cells is XSB_CELLS and "X" in characters and characters & {"$", "b", "B"}:
        raise ForeignCharacter(character="X")
    table = {ord(glyph): cell for glyph, cell in cells.items()}
    return Level.from_cells(row.translate(table).encode("latin-1") for row in rows)


def board_of_text(text: str, width: int, height: int, *, line: int = 0) -> Board:
    """Read a board of rows separated by line ends or `|`, with a stated size (0: none). Raise PuzzleError."""
    rows = [row.rstrip() for each in LINE_END.split(text) if each.strip() for row in fold(each).split("|")]
    allowance = Allowance(MAX_SYMBOLS)
    try:
        rows = [decode_row(row, allowance) for row in rows]
        return Board(line, level_of(rows), remarks_of_size(rows, width, height, line), (line,))
    except PuzzleError as error:
        raise error.at(index=max("|".join(rows).find(error.values.get("character", "\n")), 0)) from None


def remarks_of_size(rows: list[str], width: int, height: int, line: int) -> tuple[Remark, ...]:
    """Remark that *rows*, which count, have another size than the stated one (0: none)."""
    rows = "|".join(rows).rstrip(" -_|").split("|")
    found = max(map(len, rows)), len(rows)
    given = width or found[0], height or found[1]
    values = {"given": "%dx%d" % given, "found": "%dx%d" % found}
    return (Remark(Notice.SIZE_DIFFERS, line, values),) if given != found else ()


def read_size(text: str) -> int:
    """Return a stated width or height, or 0 if it is missing or no number."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
