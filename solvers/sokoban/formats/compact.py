"""Compact code for links: one letter per kind of cell, with counts."""

import re

from solvers.errors import ForeignCharacter, PuzzleError
from solvers.sokoban import runlength
from solvers.sokoban.level import MAX_CELLS, MAX_SIDE, Level

CODE = re.compile(r"[A-H0-9]{7,}")
_XSB, _LETTERS = "#@+$*.-|", "ABCDEFGH"


def parse(code: str) -> Level:
    """Parse a compact code; `H` ends a row, counts precede their letter.

    >>> print(parse("5AHABDFAH5A"))
    #####
    #@$.#
    #####

    Raise PuzzleError with the index of the fault.
    """
    for bracket in "()":
        if bracket in code:
            raise ForeignCharacter(index=code.index(bracket), character=bracket)
    try:
        decoded = runlength.decode(code, _LETTERS, limit=MAX_CELLS + MAX_SIDE)
    except PuzzleError as error:
        raise error.at(index=error.index or 0) from None
    return Level.parse(decoded.translate(str.maketrans(_LETTERS, _XSB)))


def write(level: Level) -> str:
    """Encode *level*: floor at row ends is dropped, runs of two or more are counted.

    >>> write(Level.parse("####--|#-.#--|#--###|#*@--#|#--$-#|#--###|####--"))
    '4AHAGFAHA2G3AHAEB2GAHA2GDGAHA2G3AH4A'
    """
    text = "|".join(row.rstrip("-") for row in level.rows())
    return runlength.encode(text.translate(str.maketrans(_XSB, _LETTERS)), shortest_run=2)
