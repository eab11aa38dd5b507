"""Rows of one board: alphabets, run-lengths and size (docs/reference/formats.md, *Boards*)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from solvers.errors import ForeignCharacter, MixedAlphabets, PuzzleError, TabInside, TooLong
from solvers.sokoban import runlength
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.text import LINE_END, fold
from solvers.sokoban.level import BOX, FLOOR, GOAL, MAX_CELLS, MAX_SIDE, PLAYER, WALL, Level

MIN_ROWS = 3
MAX_SYMBOLS = MAX_CELLS + MAX_SIDE  # on one line the row separators count too
XSB_CELLS = {
    "#": WALL, " ": FLOOR, "-": FLOOR, "_": FLOOR, ".": GOAL, "$": BOX, "b": BOX, "*": BOX | GOAL, "B": BOX | GOAL,
    "@": PLAYER, "p": PLAYER, "+": PLAYER | GOAL, "P": PLAYER | GOAL, "W": WALL, "o": GOAL, "X": BOX,
}  # fmt: skip
MF8_CELLS = {
    "H": WALL, " ": FLOOR, "-": FLOOR, "_": FLOOR, ".": GOAL, "$": BOX, "*": BOX | GOAL, "a": PLAYER,
    "x": PLAYER | GOAL, "X": PLAYER | GOAL,
}  # fmt: skip
_SYMBOLS = "".join(dict.fromkeys([*XSB_CELLS, *MF8_CELLS])) + "|"
ROWISH = re.compile(rf"[{re.escape(_SYMBOLS)}0-9()\t]+")
WALLS = frozenset("#WH")


@dataclass(slots=True)
class Allowance:
    """Cells that run-lengths may still decode to, in proportion to the text, so that a short file cannot cost much."""

    left: int = 100 * MAX_CELLS


def decode_row(content: str, allowance: Allowance) -> str:
    """Expand leading tabs and run-lengths. Raise PuzzleError with the index of the fault."""
    indent = len(content) - len(content.lstrip(" \t"))
    if (tab := content.find("\t", indent)) != -1:
        raise TabInside(index=tab)
    expanded = content[:indent].expandtabs(8) + content[indent:]
    if len(expanded) > 2 * MAX_SYMBOLS:
        raise TooLong(size=len(expanded), limit=MAX_SYMBOLS)
    if not any(character in expanded for character in "0123456789()"):
        return expanded
    try:
        decoded = runlength.decode(expanded, _SYMBOLS, limit=max(0, min(MAX_SYMBOLS, allowance.left)))
        allowance.left -= len(decoded)
        return decoded
    except PuzzleError as error:
        raise error.at(index=(error.index or 0) - len(expanded) + len(content)) from None


def level_of(rows: Sequence[str]) -> Level:
    """Build a level from decoded *rows*; the wall character decides the alphabet.

    Raise MixedAlphabets, ForeignCharacter (`values["character"]`), NoBoard or TooLarge.
    """
    characters = frozenset().union(*rows)
    first_wall = next((character for row in rows for character in row if character in WALLS), "#")
    cells = MF8_CELLS if first_wall == "H" else XSB_CELLS
    for foreign in sorted(characters - cells.keys()):
        if foreign in WALLS:
            raise MixedAlphabets(character=foreign)
        raise ForeignCharacter(character=foreign)
    if cells is XSB_CELLS and "X" in characters and characters & {"$", "b", "B"}:
        raise ForeignCharacter(character="X")
    table = {ord(glyph): cell for glyph, cell in cells.items()}
    return Level.from_cells(row.translate(table).encode("latin-1") for row in rows)


def level_of_size(rows: list[str], width: int, height: int, *, line: int = 0) -> tuple[Level, tuple[Remark, ...]]:
    """Build a level from *rows* with a stated size (0: not stated). If they differ the rows count, with a remark."""
    allowance = Allowance(MAX_SYMBOLS)
    try:
        level = level_of([decode_row(row.rstrip(), allowance) for row in rows])
    except PuzzleError as error:
        character = error.values.get("character")
        index = "|".join(rows).find(character) if character else 0
        raise error.at(index=max(index, 0)) from None
    while rows and not rows[-1].strip():
        rows = rows[:-1]
    found = max(map(len, rows)), len(rows)
    given = width or found[0], height or found[1]
    # Rows shorter than the stated width are padded with floor; only larger rows are a difference.
    if found[0] > given[0] or found[1] != given[1]:
        values = {"given": f"{given[0]}x{given[1]}", "found": f"{found[0]}x{found[1]}"}
        return level, (Remark(Notice.SIZE_DIFFERS, line, values),)
    return level, ()


def rows_of(text: str) -> list[str]:
    """Split the text of one board into folded rows at line ends and `|`."""
    return [row for line in LINE_END.split(text) for row in fold(line).split("|")]
