"""Letslogic digits: one per cell, row by row, without separators."""

import re

from solvers.errors import ForeignCharacter, TooLarge, WrongSize
from solvers.sokoban.level import MAX_SIDE, WALL, Level

_XSB, _DIGITS = "-#@$.*+-", "01234567"


def parse(digits: str, width: int, height: int) -> Level:
    """Parse the *digits* of a board of *width* times *height* cells; 7 (outside) becomes floor.

    >>> print(parse("111111234111111", 5, 3))
    #####
    #@$.#
    #####

    Raise PuzzleError if the size does not match the digits, or with the index of a foreign character.
    """
    if not 0 < width <= MAX_SIDE or not 0 < height <= MAX_SIDE:
        raise TooLarge(width=width, height=height, limit=MAX_SIDE)
    if len(digits) != width * height:
        raise WrongSize(width=width, height=height, expected=width * height, size=len(digits))
    if foreign := re.search(f"[^{_DIGITS}]", digits):
        raise ForeignCharacter(index=foreign.start(), character=foreign[0])
    text = digits.translate(str.maketrans(_DIGITS, _XSB))
    return Level.parse("|".join(text[at : at + width] for at in range(0, len(text), width)))


def write(level: Level) -> str:
    """Encode *level*; floor connected to the outside of the rectangle becomes 7.

    >>> write(Level.parse("####--|#-.#--|#--###|#*@--#|#--$-#|#--###|####--"))
    '111177104177100111152001100301100111111177'
    """
    width, size = level.width, len(level.cells)
    edge = {*range(width), *range(size - width, size), *range(0, size, width), *range(width - 1, size, width)}
    outside = level.flood((cell for cell in edge if level.cells[cell] != WALL), WALL)
    digits = "".join(level.rows()).translate(str.maketrans(_XSB[:-1], _DIGITS[:-1]))
    return "".join("7" if digit == "0" and cell in outside else digit for cell, digit in enumerate(digits))
