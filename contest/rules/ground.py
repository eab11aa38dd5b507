"""A level's ground (walls and goals), and whether a near copy's solution solves the level (rules 4.9, 20.4).

All positions of a level, and all levels that differ from it only in boxes, have the same ground.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import merge
from operator import itemgetter

from solvers import sokoban
from solvers.sokoban.level import BOX, WALL

# A cell is the complex number column + row·i: a rotation is a product, a shift a sum.
_TURNS = (1, 1j, -1, -1j)
_STEPS = {"l": -1, "u": -1j, "r": 1, "d": 1j}


def ground_of(board: sokoban.Level) -> str:
    """Return a key of the walls and goals of *board*, in any orientation; "" unless it has exactly one player.

    >>> one, other = (sokoban.Level.parse(text) for text in ("######|#@$-.#|######", "######|#.-@$#|######"))
    >>> ground_of(one) == ground_of(other)
    True
    """
    return _ground_of(board.published_text) if len(board.players) == 1 else ""


@lru_cache(maxsize=64)
def _ground_of(text: str) -> str:
    board = _parse(text)
    return sokoban.Level(board.width, board.height, bytes(cell & ~BOX for cell in board.cells)).key


def also_solves(text: str, board: sokoban.Level, lurd: str) -> bool:
    """Return True if the pushes of *lurd*, which solves *board*, solve the level *text* too, in any orientation.

    >>> also_solves("######|#@-$.#|######", sokoban.Level.parse("#######|#.$-@-#|#######"), "lL")
    True

    Only pushes are compared: with a wall more or fewer the player walks differently to the same boxes. Additional boxes
    of *board* are ignored. Time O(pushes) for each placement, and usually O(boxes).
    """
    level, journeys = _parse(text), _journeys(board, lurd)
    return any(_do_solve(journeys, level, *way) for way in _placements(board, level, journeys))


@lru_cache(maxsize=64)
def _parse(text: str) -> sokoban.Level:
    return sokoban.Level.parse(text)


@dataclass(frozen=True)
class _Placement:
    """A placement of one board on another: mirrored or not, then rotated, then shifted."""

    is_mirrored: bool
    turn: complex
    shift: complex = 0

    def __call__(self, cell: complex) -> complex:
        return (cell.conjugate() if self.is_mirrored else cell) * self.turn + self.shift

    def back(self, cell: complex) -> complex:
        unturned = (cell - self.shift) * self.turn.conjugate()
        return unturned.conjugate() if self.is_mirrored else unturned


# For each box, by its first cell: its final cell, and its pushes with number, cell and step.
_Journeys = dict[complex, tuple[complex, list[tuple[int, complex, complex]]]]


def _placements(
    board: sokoban.Level, level: sokoban.Level, journeys: _Journeys
) -> Iterator[tuple[_Placement, list[complex], list[complex]]]:
    """Yield placements of *board* on *level*, with the boxes of *board* that match the level's, and the level's others.

    The players share a cell, or *board* has a box on each box of the level, or a goal on each of its goals. In the last
    case boxes match by their final cells, as in a later position. Boxes already on goals may be missing. A single box
    or goal is no criterion, because it fits everywhere.
    """
    (player,), (own,) = _cells(level, level.players), _cells(board, board.players)
    boxes, goals = _cells(level, level.boxes), _cells(level, level.goals)
    off_goal, empty_goals = [box for box in boxes if box not in goals], [goal for goal in goals if goal not in boxes]
    starts = {box: box for box in journeys}
    start_of = {end: start for start, (end, _pushes) in journeys.items()}
    for rotation in (_Placement(is_mirrored, turn) for is_mirrored in (False, True) for turn in _TURNS):
        at_player = replace(rotation, shift=player - rotation(own))
        if _fits(at_player, off_goal, starts):
            yield at_player, *_match_boxes(at_player, boxes, starts)
        for targets, cells, known in (
            (boxes, boxes, starts), (off_goal, boxes, starts), (goals, goals, start_of), (empty_goals, goals, start_of)
        ):  # fmt: skip
            if len(targets) > 1:
                for placement in _shifted_placements(rotation, targets, known):
                    yield placement, *_match_boxes(placement, cells, known)


def _match_boxes(
    placement: _Placement, cells: list[complex], known: Mapping[complex, complex]
) -> tuple[list[complex], list[complex]]:
    """Return the board's boxes that match *cells* of the level according to *known*, and the unmatched cells."""
    boxes_by_cell = {cell: known.get(placement.back(cell)) for cell in cells}
    return [box for box in boxes_by_cell.values() if box is not None], [
        cell for cell, box in boxes_by_cell.items() if box is None
    ]


def _shifted_placements(
    rotation: _Placement, targets: list[complex], cells: Collection[complex]
) -> Iterator[_Placement]:
    """Yield the shifts that put one of the board's *cells* on each of the level's *targets*."""
    for cell in cells:
        placement = replace(rotation, shift=targets[0] - rotation(cell))
        if _fits(placement, targets, cells):
            yield placement


def _fits(placement: _Placement, targets: list[complex], cells: Collection[complex]) -> bool:
    return all(placement.back(cell) in cells for cell in targets)


def _do_solve(
    journeys: _Journeys, level: sokoban.Level, placement: _Placement, start: list[complex], missing: list[complex]
) -> bool:
    boxes, goals = {*map(placement, start), *missing}, set(_cells(level, level.goals))
    if not all(_is_floor(level, box) for box in boxes):
        return False
    for _number, cell, step in merge(*(journeys[box][1] for box in start), key=itemgetter(0)):
        box, behind, ahead = placement(cell), placement(cell - step), placement(cell + step)
        if not all(_is_floor(level, beside) and beside not in boxes for beside in (behind, ahead)):
            return False
        boxes.remove(box)
        boxes.add(ahead)
        if boxes == goals:
            return True
    return False


@lru_cache(maxsize=2)  # an answer has two solutions, which are compared with each open level
def _journeys(board: sokoban.Level, lurd: str) -> _Journeys:
    (player,) = _cells(board, board.players)
    pushes: dict[complex, list[tuple[int, complex, complex]]] = {box: [] for box in _cells(board, board.boxes)}
    start_of = {box: box for box in pushes}
    for number, letter in enumerate(lurd):
        step = _STEPS[letter.lower()]
        player += step
        if letter.isupper():
            start = start_of[player + step] = start_of.pop(player)
            pushes[start].append((number, player, step))
    return {start: (end, pushes[start]) for end, start in start_of.items()}


def _cells(board: sokoban.Level, numbers: Iterable[int]) -> list[complex]:
    return [complex(number % board.width, number // board.width) for number in numbers]


def _is_floor(level: sokoban.Level, cell: complex) -> bool:
    column, row = int(cell.real), int(cell.imag)
    is_inside = 0 <= column < level.width and 0 <= row < level.height
    return is_inside and not level.cells[row * level.width + column] & WALL
