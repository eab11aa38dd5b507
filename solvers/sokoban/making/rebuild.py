"""Rebuild a level from a solution: the smallest level on which the moves are legal.

The letter case is enough: a lower-case letter means that the square ahead is empty, a capital that it holds a box.
The idea is old among players who lost a level but kept its solution; their program was called lurd2xsb.
"""

from collections.abc import Iterable

from solvers.errors import Contradiction, NoPush, PushesNothing, PushesTwoBoxes, TooLarge, WalksIntoBox
from solvers.sokoban.level import BOX, FLOOR, GOAL, MAX_SIDE, PLAYER, WALL, Level
from solvers.sokoban.moves import MAX_STEPS, Moves

# Squares are numbered on a plane too wide to leave: row * _STRIDE + column, the player starts at 0, 0.
_STRIDE = 4 * MAX_STEPS
_DELTAS = {"l": -1, "u": -_STRIDE, "r": 1, "d": _STRIDE}
_DELTAS |= {letter.upper(): delta for letter, delta in _DELTAS.items()}


def level_of(lurd: str, *, limit: int = MAX_STEPS) -> Level:
    """Rebuild the smallest level on which *lurd*, of at most *limit* steps, is legal and ends with all boxes on goals.

    >>> print(level_of("drUluRR"))
    ######
    #---.#
    #@$###
    #--#--
    ####--

    Case matters: capitals are pushes. Floor is every square that the player or a box visits; walls enclose it. A box
    starts where it is first pushed; goals are the final box squares. Run-length text is accepted.

    Raise NoPush if no letter is a capital, WalksIntoBox, PushesNothing or PushesTwoBoxes at the first step that is
    impossible on any level, TooLarge if the level has more than 200 rows or columns, and any error of Moves.parse.
    Time O(steps + cells).
    """
    moves = Moves.parse(lurd, limit=limit)
    if moves.steps.islower() or not moves.steps:
        raise NoPush
    floor, boxes, goals = _explore(moves)
    return _enclose(floor, boxes, goals)


def _explore(moves: Moves) -> tuple[set[int], set[int], set[int]]:
    """Follow the steps over unknown ground; return the floor, and the box squares before and after."""
    floor, boxes, standing = {0}, set[int](), set[int]()
    man = 0
    for at, letter in enumerate(moves.steps):
        delta = _DELTAS[letter]
        target = man + delta
        if letter.islower():
            if target in standing:
                raise _contradiction(WalksIntoBox, moves, at)
        else:
            if target not in standing:
                if target in floor:
                    raise _contradiction(PushesNothing, moves, at)
                boxes.add(target)
            if target + delta in standing:
                raise _contradiction(PushesTwoBoxes, moves, at)
            standing.discard(target)
            standing.add(target + delta)
            floor.add(target + delta)
        floor.add(target)
        man = target
    return floor, boxes, standing


def _contradiction(kind: type[Contradiction], moves: Moves, at: int) -> Contradiction:
    return kind(index=moves.index_of(at), step=at + 1, letter=moves.steps[at])


def _enclose(floor: Iterable[int], boxes: set[int], goals: set[int]) -> Level:
    """Put walls around the floor, corners included, and return the level."""
    content = {_place(square): FLOOR for square in floor}
    for squares, flag in ((boxes, BOX), (goals, GOAL), ({0}, PLAYER)):
        for square in squares:
            content[_place(square)] |= flag
    top, bottom = min(row for row, _ in content) - 1, max(row for row, _ in content) + 1
    left, right = min(column for _, column in content) - 1, max(column for _, column in content) + 1
    width, height = right - left + 1, bottom - top + 1
    if max(width, height) > MAX_SIDE:
        raise TooLarge(width=width, height=height, limit=MAX_SIDE)
    rows = [[FLOOR] * width for _ in range(height)]
    for row, column in content:
        for beside in range(row - top - 1, row - top + 2):
            rows[beside][column - left - 1 : column - left + 2] = [WALL] * 3
    for (row, column), cell in content.items():
        rows[row - top][column - left] = cell
    return Level.from_cells(rows)


def _place(square: int) -> tuple[int, int]:
    row = (square + _STRIDE // 2) // _STRIDE  # columns range from -MAX_STEPS to MAX_STEPS
    return row, square - row * _STRIDE
