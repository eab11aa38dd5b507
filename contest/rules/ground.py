"""The ground a level stands on, and whether the solution of a near copy solves the level (rules 4.9, 20.4).

All positions of a level, and all levels that differ from it in boxes alone, stand on the same ground.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from solvers import sokoban
from solvers.sokoban.level import BOX, WALL

# A cell is the complex number column + row·i: a turn is a product, a shift a sum.
_TURNS = (1, 1j, -1, -1j)
_STEPS = {"l": -1, "u": -1j, "r": 1, "d": 1j}


def ground_of(board: sokoban.Level) -> str:
    """A key of the walls and goals of *board*, however it is turned or mirrored; empty without exactly one player.

    >>> one, other = (sokoban.Level.parse(text) for text in ("######|#@$-.#|######", "######|#.-@$#|######"))
    >>> ground_of(one) == ground_of(other)
    True
    """
    return _ground_of(board.published_text) if len(board.players) == 1 else ""


@lru_cache(maxsize=64)
def _ground_of(text: str) -> str:
    board = _parse(text)
    return sokoban.Level(board.width, board.height, bytes(cell & ~BOX for cell in board.cells)).key


def is_solved_alike(text: str, board: sokoban.Level, lurd: str) -> bool:
    """Return whether the pushes of *lurd*, which solves *board*, solve the level of *text* too, turned or mirrored.

    >>> is_solved_alike("######|#@-$.#|######", sokoban.Level.parse("#######|#.$-@-#|#######"), "lL")
    True

    Only pushes are compared: with a wall more or fewer the player walks other ways to the same boxes.
    Time O(moves), and mostly O(boxes): the first push that the level does not allow ends each of the comparisons.
    """
    level, pushes = _parse(text), _pushes(board, lurd)
    return any(_do_solve(pushes, placed, level, boxes) for placed, boxes in _placements(board, level))


@lru_cache(maxsize=64)
def _parse(text: str) -> sokoban.Level:
    return sokoban.Level.parse(text)


@dataclass(frozen=True)
class _Placement:
    """A way to lay one board upon another: mirrored or not, then turned, then shifted."""

    is_mirrored: bool
    turn: complex
    shift: complex = 0

    def __call__(self, cell: complex) -> complex:
        return (cell.conjugate() if self.is_mirrored else cell) * self.turn + self.shift


def _placements(board: sokoban.Level, level: sokoban.Level) -> Iterator[tuple[_Placement, set[complex]]]:
    """Yield the ways to lay *board* on *level*, each with the boxes to begin with: at most two for each symmetry.

    Both players share a cell, or all goals do. In the second case the boxes are those of *board*, which may be a later
    position of *level*. A single goal fits everywhere, so it is not compared like that.
    """
    boxes, goals = set(_cells(level, level.boxes)), set(_cells(level, level.goals))
    for turned in (_Placement(is_mirrored, turn) for is_mirrored in (False, True) for turn in _TURNS):
        (player,), (own,) = _cells(level, level.players), _cells(board, board.players)
        yield replace(turned, shift=player - turned(own)), boxes
        asked_goals = [turned(cell) for cell in _cells(board, board.goals)]
        laid = replace(turned, shift=_corner(goals) - _corner(asked_goals))
        if len(goals) > 1 and goals == {cell + laid.shift for cell in asked_goals}:
            yield laid, {laid(cell) for cell in _cells(board, board.boxes)}


def _do_solve(
    pushes: Iterable[tuple[complex, complex]], placed: _Placement, level: sokoban.Level, start: set[complex]
) -> bool:
    boxes, goals = set(start), set(_cells(level, level.goals))
    for cell, step in pushes:
        box, behind, ahead = placed(cell), placed(cell - step), placed(cell + step)
        if box not in boxes or not all(_is_floor(level, beside) and beside not in boxes for beside in (behind, ahead)):
            return False
        boxes.remove(box)
        boxes.add(ahead)
        if boxes == goals:
            return True
    return False


def _pushes(board: sokoban.Level, lurd: str) -> list[tuple[complex, complex]]:
    """Return each push as the box's cell and the step it takes."""
    (player,) = _cells(board, board.players)
    pushes = []
    for letter in lurd:
        step = _STEPS[letter.lower()]
        player += step
        if letter.isupper():
            pushes.append((player, step))
    return pushes


def _cells(board: sokoban.Level, numbers: Iterable[int]) -> list[complex]:
    return [complex(number % board.width, number // board.width) for number in numbers]


def _corner(cells: Iterable[complex]) -> complex:
    """Return a cell that is found again after any shift."""
    return min(cells, key=lambda cell: (cell.real, cell.imag))


def _is_floor(level: sokoban.Level, cell: complex) -> bool:
    column, row = int(cell.real), int(cell.imag)
    is_inside = 0 <= column < level.width and 0 <= row < level.height
    return is_inside and not level.cells[row * level.width + column] & WALL
