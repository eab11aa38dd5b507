"""Positions that cannot be solved any more, found without a search: hints for players, refusals for publishing.

What is found here is certain; most deadlocks are not found here. All of it leaves out where the player is now: a push
needs only that he could come to the cell behind the box if all boxes were out of his way.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from solvers.sokoban.level import Level


class Kind(StrEnum):
    """Why a position cannot be solved."""

    DEAD_SQUARE = "dead_square"
    FROZEN = "frozen"
    UNMATCHED = "unmatched"


@dataclass(frozen=True)
class Deadlock:
    """Why a position cannot be solved, and the cells of the boxes that show it."""

    kind: Kind
    boxes: tuple[int, ...]


def deadlock(level: Level, boxes: Collection[int]) -> Deadlock | None:
    """Find a reason why *level* with its boxes on the cells *boxes* cannot be solved, or None. None promises nothing.

    >>> level = Level.parse("######|#.--.#|#-$$-#|#-$$@#|#.--.#|######")
    >>> deadlock(level, level.boxes)
    Deadlock(kind=<Kind.FROZEN: 'frozen'>, boxes=(14, 15, 20, 21))
    >>> deadlock(level, [14, 15, 20, 22])

    Time O(cells) once for a level, then O(boxes) if the boxes have goals enough, O(boxes * goals) at worst.
    """
    goal_sets = _goal_sets(level)
    found = {
        Kind.DEAD_SQUARE: [box for box in boxes if not goal_sets[box]],
        Kind.FROZEN: frozen_boxes(level, boxes).difference(level.goals),
        Kind.UNMATCHED: unmatched_boxes(level, boxes),
    }
    return next((Deadlock(kind, tuple(sorted(cells))) for kind, cells in found.items() if cells), None)


@lru_cache(maxsize=16)
def dead_squares(level: Level) -> frozenset[int]:
    """Return the cells in the player's reach from which a box, even alone, can be pushed to no goal. Time O(cells).

    >>> sorted(dead_squares(Level.parse("######|#@$-.#|######")))
    [7]
    """
    goal_sets = _goal_sets(level)
    return frozenset(cell for cell in level.reach if not goal_sets[cell])


def frozen_boxes(level: Level, boxes: Collection[int]) -> frozenset[int]:
    """Return the boxes that cannot be pushed again without losing the level, whatever happens. Time O(boxes).

    A box is frozen if both its axes are blocked: by a wall or another frozen box on either side, or by dead squares on
    both. The greatest set of boxes that block each other so: all are taken for frozen first, and those with a free
    axis leave one by one. (The first of a frozen set to move would need a free axis, or end on a dead square.)
    """
    dead = dead_squares(level)
    frozen = set(boxes)

    def is_free(one: int, other: int) -> bool:
        return {one, other} <= level.reach and not {one, other} & frozen and not {one, other} <= dead

    todo = list(boxes)
    while todo:
        box = todo.pop()
        if box in frozen and any(is_free(*axis) for axis in _axes(level, box)):
            frozen.remove(box)
            todo.extend(level.neighbours(box))
    return frozenset(frozen)


def unmatched_boxes(level: Level, boxes: Collection[int]) -> frozenset[int]:
    """Return boxes that have, all together, fewer goals than they are to go to; none if every box can have its own.

    A box can go where it could be pushed alone on the board; a frozen box on a goal keeps it. Kuhn's matching of 1955;
    the boxes are those his last search went through, which by Hall's theorem show that there is no better one.
    Time O(boxes) where each box finds a goal that is free, O(boxes * goals) at worst.
    """
    goals, goal_sets = level.goals, _goal_sets(level)
    own = {goal: 1 << number for number, goal in enumerate(goals)}
    wishes = {box: goal_sets[box] for box in boxes}
    wishes |= {box: own[box] for box in frozen_boxes(level, boxes) if box in own}
    owner: dict[int, int] = {}  # of the goal of that number, its box
    for box in boxes:
        if searched := _without_goal(box, wishes, owner):
            return searched
    return frozenset()


def _without_goal(box: int, wishes: dict[int, int], owner: dict[int, int]) -> frozenset[int]:
    """Give *box* a goal, moving owners to others of their wishes; or return the boxes that are in each other's way."""
    came_by: dict[int, tuple[int, int]] = {}  # of a goal: the box that asked for it, and the goal that box has now
    asking, asked = [(box, -1)], 0
    for asker, has in asking:
        while fresh := wishes[asker] & ~asked:
            goal = fresh.bit_length() - 1
            asked |= 1 << goal
            came_by[goal] = asker, has
            if goal in owner:
                asking.append((owner[goal], goal))
                continue
            while goal >= 0:
                taker, given_up = came_by[goal]
                owner[goal] = taker
                goal = given_up
            return frozenset()
    return frozenset(asker for asker, _ in asking)


def _axes(level: Level, cell: int) -> Iterator[tuple[int, int]]:
    """Yield the two cells beside *cell*, and those above and below it, where both are on the board."""
    row, column = divmod(cell, level.width)
    if 0 < column < level.width - 1:
        yield cell - 1, cell + 1
    if 0 < row < level.height - 1:
        yield cell - level.width, cell + level.width


@lru_cache(maxsize=16)
def _goal_sets(level: Level) -> Sequence[int]:
    """For every cell the goals a box can be pushed to from there if it is alone: bit n for goal n of the level.

    Cells between which a box can be pushed to and fro have the same set, so strongly connected components are found
    (Tarjan's search of 1972, without recursion), each after all those it leads to. Time O(cells) and as many unions
    of sets; memory O(cells).
    """
    sets = [0] * len(level.cells)
    for number, goal in enumerate(level.goals):
        sets[goal] = 1 << number
    found: dict[int, int] = {}
    low: dict[int, int] = {}
    open_cells: list[int] = []  # found, but their component is not complete yet
    complete: set[int] = set()
    for root in level.reach:
        trail = [] if root in found else [(root, lone_pushes(level, root))]
        while trail:
            cell, onward = trail[-1]
            if cell not in found:
                found[cell] = low[cell] = len(found)
                open_cells.append(cell)
            after = next(onward, None)
            if after is None:
                trail.pop()
                if low[cell] == found[cell]:
                    component = [open_cells.pop()]
                    while component[-1] != cell:
                        component.append(open_cells.pop())
                    complete.update(component)
                    _share(level, component, sets)
                elif trail:
                    before = trail[-1][0]
                    low[before] = min(low[before], low[cell])
            elif after not in found:
                trail.append((after, lone_pushes(level, after)))
            elif after not in complete:
                low[cell] = min(low[cell], found[after])
    return sets


def _share(level: Level, component: Sequence[int], sets: list[int]) -> None:
    """Give all cells of a component the goals of each, and of each cell that a push leads to."""
    together = 0
    for cell in component:
        together |= sets[cell]
        for after in lone_pushes(level, cell):
            together |= sets[after]
    for cell in component:
        sets[cell] = together


def lone_pushes(level: Level, cell: int) -> Iterator[int]:
    """Yield the cells to which a box on *cell*, alone on the board, could be pushed."""
    for one, other in _axes(level, cell):
        if one in level.reach and other in level.reach:
            yield one
            yield other
