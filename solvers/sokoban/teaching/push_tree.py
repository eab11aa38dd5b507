"""Breadth-first tree of one box's pushes, the search behind push paths, in its plainest form.

A state is the box's square and the player's side of it. After a push the player stands where the box was. A flood fill
finds the sides to which the player can walk then; `paths` does without it. See sokoban.ws/blog, post 298.
"""

from collections import deque
from collections.abc import Collection
from typing import NamedTuple

from solvers.errors import TooMuchToDraw
from solvers.sokoban.level import Level
from solvers.sokoban.position import Position
from solvers.sokoban.teaching.floor_tree import beside

MOST_STATES = 149
# Squares that all flood fills may walk over, a tenth of a second: a picture of a usual level takes a few thousand.
MOST_WALKED = 20_000
_LETTERS = "lurd"


class Push(NamedTuple):
    """A state of the tree: the box's cell, the letter of the push that led there, and the parent's number or -1."""

    cell: int
    letter: str
    parent: int
    pushes: int


def grow_push_tree(level: Level, position: Position, box: int, *, limit: int = MOST_STATES) -> list[Push]:
    """Search the pushes of the box on cell *box* breadth first; entry 0 is the start, with no letter.

    >>> level = Level.parse("#######|#@$---#|#####.#|#######")
    >>> [push.cell for push in grow_push_tree(level, Position.start(level), 9)]
    [9, 10, 11, 12]

    Raise TooMuchToDraw beyond *limit* pushes and where finding them would walk over more than MOST_WALKED squares,
    ValueError if there is no box on the cell.
    """
    if box not in position.boxes:
        raise ValueError(f"no box on cell {box}")
    free = level.reach - {other for other in position.boxes if other != box}
    steps = {"l": -1, "u": -level.width, "r": 1, "d": level.width}
    tree = [Push(box, "", -1, 0)]
    seen: set[tuple[int, str]] = set()
    waiting = deque([(0, position.player)])
    left = MOST_WALKED
    while waiting:
        number, player = waiting.popleft()
        cell = tree[number].cell
        sides = {cell - step for step in steps.values()} & free
        walked = _flood(level, free, cell, player, sides, left)
        left -= len(walked)
        if left <= 0:
            raise TooMuchToDraw(limit=limit)
        for letter in _LETTERS:
            target = cell + steps[letter]
            if cell - steps[letter] in walked and target in free and (target, letter) not in seen:
                if len(tree) > limit:
                    raise TooMuchToDraw(limit=limit)
                seen.add((target, letter))
                waiting.append((len(tree), cell))
                tree.append(Push(target, letter.upper(), number, tree[number].pushes + 1))
    return tree


def _flood(level: Level, free: Collection[int], box: int, start: int, sides: set[int], most: int) -> set[int]:
    """Return the squares, nearest first, that the player walks over from *start* until all *sides* of *box* are met."""
    reached, waiting, missing = {start}, deque([start]), sides - {start}
    while waiting and missing and len(reached) <= most:
        for cell in beside(level, waiting.popleft()):
            if cell in free and cell != box and cell not in reached:
                reached.add(cell)
                missing.discard(cell)
                waiting.append(cell)
    return reached
