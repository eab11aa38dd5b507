"""Deadlock detection without search, for hints to players and for rejecting levels.

Every deadlock found is certain; most deadlocks are not found. The player's position is ignored: a push is allowed if
the player could reach the cell behind the box with all other boxes removed.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from solvers.sokoban.level import Level


class Kind(StrEnum):
    """Reasons why a position cannot be solved."""

    DEAD_SQUARE = "dead_square"
    FROZEN = "frozen"
    UNMATCHED = "unmatched"


@dataclass(frozen=True)
class Deadlock:
    """The reason why a position cannot be solved, and the boxes that prove it."""

    kind: Kind
    boxes: tuple[int, ...]


def deadlock(level: Level, boxes: Collection[int]) -> Deadlock | None:
    """Return a reason why *level* with boxes on the cells *boxes* cannot be solved. None proves nothing.

    >>> level = Level.parse("######|#.--.#|#-$$-#|#-$$@#|#.--.#|######")
    >>> deadlock(level, level.boxes)
    Deadlock(kind=<Kind.FROZEN: 'frozen'>, boxes=(14, 15, 20, 21))
    >>> deadlock(level, [14, 15, 20, 22])

    Time O(cells) once per level, then O(boxes) if there are enough goals, O(boxes * goals) in the worst case.
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
    """Return the dead squares: cells in the player's reach from which a lone box reaches no goal. Time O(cells).

    >>> sorted(dead_squares(Level.parse("######|#@$-.#|######")))
    [7]
    """
    goal_sets = _goal_sets(level)
    return frozenset(cell for cell in level.reach if not goal_sets[cell])


def frozen_boxes(level: Level, boxes: Collection[int]) -> frozenset[int]:
    """Return the boxes that can never be pushed again without a deadlock. Time O(boxes).

    A box is frozen if both its axes are blocked: by a wall or a frozen box on either side, or by dead squares on both
    sides. The greatest such set is computed: all boxes are assumed frozen, and boxes with a free axis are removed one
    by one. (The first box of a frozen set to move would need a free axis, or end on a dead square.)
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
    """Return a set of boxes with fewer goals together than boxes; empty if a perfect matching exists.

    A box can use the goals it could be pushed to alone; a frozen box on a goal occupies it. Bipartite matching by
    Kuhn's algorithm (1955); the boxes of its last failed search prove by Hall's theorem that no better matching exists.
    Time O(boxes) if each box finds a free goal, O(boxes * goals) in the worst case.
    """
    goals, goal_sets = level.goals, _goal_sets(level)
    own = {goal: 1 << number for number, goal in enumerate(goals)}
    wishes = {box: goal_sets[box] for box in boxes}
    wishes |= {box: own[box] for box in frozen_boxes(level, boxes) if box in own}
    owner: dict[int, int] = {}  # goal number -> its box
    for box in boxes:
        if searched := _without_goal(box, wishes, owner):
            return searched
    return frozenset()


def _without_goal(box: int, wishes: dict[int, int], owner: dict[int, int]) -> frozenset[int]:
    """Match *box* to a goal along an augmenting path; or return the boxes that compete for too few goals."""
    came_by: dict[int, tuple[int, int]] = {}  # goal -> (requesting box, its present goal)
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
    """Yield the cells left and right of *cell*, and the cells above and below it, if both are on the board."""
    row, column = divmod(cell, level.width)
    if 0 < column < level.width - 1:
        yield cell - 1, cell + 1
    if 0 < row < level.height - 1:
        yield cell - level.width, cell + level.width


@lru_cache(maxsize=16)
def _goal_sets(level: Level) -> Sequence[int]:
    """Return for every cell a bit set of the goals to which a lone box can be pushed from it: bit n for goal n.

    Cells between which a box can be pushed back and forth share one set, so strongly connected components are computed
    (Tarjan, 1972, without recursion), each after all components it leads to. Time O(cells) and as many set unions;
    memory O(cells).
    """
    sets = [0] * len(level.cells)
    for number, goal in enumerate(level.goals):
        sets[goal] = 1 << number
    found: dict[int, int] = {}
    low: dict[int, int] = {}
    open_cells: list[int] = []  # discovered, but their component is not complete yet
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
    """Give all cells of a component the union of their goals and of the goals of cells that a push leads to."""
    together = 0
    for cell in component:
        together |= sets[cell]
        for after in lone_pushes(level, cell):
            together |= sets[after]
    for cell in component:
        sets[cell] = together


def lone_pushes(level: Level, cell: int) -> Iterator[int]:
    """Yield the cells to which a lone box on *cell* could be pushed."""
    for one, other in _axes(level, cell):
        if one in level.reach and other in level.reach:
            yield one
            yield other
