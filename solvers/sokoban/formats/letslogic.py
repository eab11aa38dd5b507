"""Letslogic digits: one per cell, row by row, without separators."""

from solvers.errors import ForeignCharacter, TooLarge, WrongSize
from solvers.sokoban.level import BOX, FLOOR, GOAL, MAX_SIDE, PLAYER, WALL, Level

_OUTSIDE = "7"
_CELLS = {
    "0": FLOOR, "1": WALL, "2": PLAYER, "3": BOX, "4": GOAL, "5": BOX | GOAL, "6": PLAYER | GOAL, _OUTSIDE: FLOOR,
}  # fmt: skip
_DIGITS = {cell: digit for digit, cell in _CELLS.items() if digit != _OUTSIDE}


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
    for index, digit in enumerate(digits):
        if digit not in _CELLS:
            raise ForeignCharacter(index=index, character=digit)
    cells = [_CELLS[digit] for digit in digits]
    return Level.from_cells(cells[at : at + width] for at in range(0, len(cells), width))


def write(level: Level) -> str:
    """Encode *level*; floor connected to the outside of the rectangle becomes 7.

    >>> write(Level.parse("####--|#-.#--|#--###|#*@--#|#--$-#|#--###|####--"))
    '111177104177100111152001100301100111111177'
    """
    width, size = level.width, len(level.cells)
    edge = {*range(width), *range(size - width, size), *range(0, size, width), *range(width - 1, size, width)}
    todo = [cell for cell in edge if level.cells[cell] != WALL]
    outside = set(todo)
    while todo:
        reached = {cell for cell in level.neighbours(todo.pop()) if level.cells[cell] != WALL} - outside
        outside |= reached
        todo += reached
    return "".join(
        _OUTSIDE if cell in outside and content == FLOOR else _DIGITS[content]
        for cell, content in enumerate(level.cells)
    )
