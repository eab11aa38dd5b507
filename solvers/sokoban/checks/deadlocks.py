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
    cells_by_kind = {
        Kind.DEAD_SQUARE: [box for box in boxes if not goal_sets[box]],
        Kind.FROZEN: frozen_boxes(level, boxes).difference(level.goals),
        Kind.UNMATCHED: unmatched_boxes(level, boxes),
    }
    return next((Deadlock(kind, tuple(sorted(cells))) for kind, cells in cells_by_kind.items() if cells), None)


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

    def is_free(first: int, second: int) -> bool:
        return {first, second} <= level.reach and not {first, second} & frozen and not {first, second} <= dead

    queue = list(boxes)
    while queue:
        box = queue.pop()
        if box in frozen and any(is_free(*axis) for axis in _push_axes(level, box)):
            frozen.remove(box)
            queue.extend(level.neighbours(box))
    return frozenset(frozen)


def unmatched_boxes(level: Level, boxes: Collection[int]) -> frozenset[int]:
    """Return a set of boxes with fewer goals together than boxes; empty if a perfect matching exists.

    A box can use the goals it could be pushed to alone; a frozen box on a goal occupies it. Bipartite matching by
    Kuhn's algorithm (1955); the boxes of its last failed search prove by Hall's theorem that no better matching exists.
    Time O(boxes) if each box finds a free goal, O(boxes * goals) in the worst case.
    """
    goals, goal_sets = level.goals, _goal_sets(level)
    bit_of = {goal: 1 << number for number, goal in enumerate(goals)}
    usable_goals = {box: goal_sets[box] for box in boxes}
    usable_goals |= {box: bit_of[box] for box in frozen_boxes(level, boxes) if box in bit_of}
    owner: dict[int, int] = {}  # goal number -> its box
    for box in boxes:
        if unmatched := _find_unmatched(box, usable_goals, owner):
            return unmatched
    return frozenset()


def _find_unmatched(box: int, usable_goals: dict[int, int], owner: dict[int, int]) -> frozenset[int]:
    """Match *box* to a goal along an augmenting path; or return the boxes that compete for too few goals."""
    requested_by: dict[int, tuple[int, int]] = {}  # goal -> (requesting box, its present goal)
    queue, tried = [(box, -1)], 0
    for requester, current in queue:
        while untried := usable_goals[requester] & ~tried:
            goal = untried.bit_length() - 1
            tried |= 1 << goal
            requested_by[goal] = requester, current
            if goal in owner:
                queue.append((owner[goal], goal))
                continue
            while goal >= 0:
                new_owner, previous_goal = requested_by[goal]
                owner[goal] = new_owner
                goal = previous_goal
            return frozenset()
    return frozenset(requester for requester, _ in queue)


def _push_axes(level: Level, cell: int) -> Iterator[tuple[int, int]]:
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
    order_of: dict[int, int] = {}
    low: dict[int, int] = {}
    open_cells: list[int] = []  # discovered, but their component is not complete yet
    complete: set[int] = set()
    for root in level.reach:
        stack = [] if root in order_of else [(root, lone_pushes(level, root))]
        while stack:
            cell, successors = stack[-1]
            if cell not in order_of:
                order_of[cell] = low[cell] = len(order_of)
                open_cells.append(cell)
            successor = next(successors, None)
            if successor is None:
                stack.pop()
                if low[cell] == order_of[cell]:
                    component = [open_cells.pop()]
                    while component[-1] != cell:
                        component.append(open_cells.pop())
                    complete.update(component)
                    _merge_goal_sets(level, component, sets)
                elif stack:
                    predecessor = stack[-1][0]
                    low[predecessor] = min(low[predecessor], low[cell])
            elif successor not in order_of:
                stack.append((successor, lone_pushes(level, successor)))
            elif successor not in complete:
                low[cell] = min(low[cell], order_of[successor])
    return sets


def _merge_goal_sets(level: Level, component: Sequence[int], sets: list[int]) -> None:
    """Give all cells of a component the union of their goals and of the goals of cells that a push leads to."""
    union = 0
    for cell in component:
        union |= sets[cell]
        for target in lone_pushes(level, cell):
            union |= sets[target]
    for cell in component:
        sets[cell] = union


def lone_pushes(level: Level, cell: int) -> Iterator[int]:
    """Yield the cells to which a lone box on *cell* could be pushed."""
    for first, second in _push_axes(level, cell):
        if first in level.reach and second in level.reach:
            yield first
            yield second
