"""Compact code for links: one letter per kind of cell, with counts."""

import re

from solvers.errors import ForeignCharacter, PuzzleError
from solvers.sokoban import runlength
from solvers.sokoban.level import BOX, FLOOR, GOAL, MAX_CELLS, MAX_SIDE, PLAYER, WALL, Level

CODE = re.compile(r"[A-H0-9]{7,}")
_ROW_END = "H"
_CELLS = {"A": WALL, "B": PLAYER, "C": PLAYER | GOAL, "D": BOX, "E": BOX | GOAL, "F": GOAL, "G": FLOOR}
_SYMBOLS = "".join(_CELLS) + _ROW_END
_FROM_XSB = str.maketrans("#@+$*.-|", "ABCDEFGH")


def parse(code: str) -> Level:
    """Parse a compact code; `H` ends a row, counts precede their letter.

    >>> print(parse("5AHABDFAH5A"))
    #####
    #@$.#
    #####

    Raise PuzzleError with the index of the fault. Time O(code + cells).
    """
    for bracket in "()":
        if bracket in code:
            raise ForeignCharacter(index=code.index(bracket), character=bracket)
    try:
        rows = runlength.decode(code, _SYMBOLS, limit=MAX_CELLS + MAX_SIDE).split(_ROW_END)
    except PuzzleError as error:
        raise error.at(index=error.index or 0) from None
    return Level.from_cells([_CELLS[letter] for letter in row] for row in rows)


def write(level: Level) -> str:
    """Encode *level*: floor at row ends is dropped, runs of two or more are counted.

    >>> write(Level.parse("####--|#-.#--|#--###|#*@--#|#--$-#|#--###|####--"))
    '4AHAGFAHA2G3AHAEB2GAHA2GDGAHA2G3AH4A'
    """
    text = "|".join(row.rstrip("-") for row in level.rows())
    return runlength.encode(text.translate(_FROM_XSB), shortest_run=2)
