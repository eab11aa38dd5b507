"""What every solution of a level needs at least, found without a search for one."""

from collections.abc import Sequence
from functools import lru_cache
from math import inf

from solvers.sokoban.checks.deadlocks import lone_pushes
from solvers.sokoban.level import Level

# What is not looked at: for more boxes, or more boxes times cells, the answer would keep a reader waiting.
MOST_BOXES = 200
MOST_WORK = 2_000_000


@lru_cache(maxsize=64)
def least_pushes(level: Level) -> int | None:
    """Return a number of pushes that no solution of *level* stays below; None where there is no such number.

    >>> least_pushes(Level.parse("#######|#.$-$.#|#--@--#|#######"))
    2
    >>> least_pushes(Level.parse("########|#.--$$.#|#---@--#|########"))
    4

    Each box goes to a goal of its own, by at least the pushes it would take were it alone on the board and the player
    always on the right side of it. The cheapest way to share out the goals is the assignment problem; the bound is that
    of Rolling Stone at the start (Junghanns, Schaeffer: Sokoban, Enhancing General Single-Agent Search Methods Using
    Domain Knowledge, 2001). Every solution has its parity: a push takes a box from a light cell to a dark one, or back.

    None: boxes and goals differ in number or cannot be shared out, so that nothing solves the level, or there are too
    many of them to be looked at (MOST_BOXES, MOST_WORK). Time O(boxes * cells + boxes³), memory O(cells + boxes²).
    """
    count = len(level.boxes)
    if count != len(level.goals) or count > MOST_BOXES or count * len(level.reach) > MOST_WORK:
        return None
    came_from: dict[int, list[int]] = {cell: [] for cell in (*level.reach, *level.goals)}
    for cell in level.reach:
        for after in lone_pushes(level, cell):
            came_from[after].append(cell)
    impossible = count * len(level.cells) + 1
    costs = []  # a row for each goal
    for goal in level.goals:
        pushes = _pushes_to(goal, came_from)
        costs.append([pushes.get(box, impossible) for box in level.boxes])
    least = _cheapest_assignment(costs)
    return least if least < impossible else None


def _pushes_to(goal: int, came_from: dict[int, list[int]]) -> dict[int, int]:
    """How many pushes take a box that is alone to *goal*, by where it stands: breadth first, backwards by pulls."""
    pushes = {goal: 0}
    todo = [goal]
    for cell in todo:
        for before in came_from[cell]:
            if before not in pushes:
                pushes[before] = pushes[cell] + 1
                todo.append(before)
    return pushes


def _cheapest_assignment(costs: Sequence[Sequence[int]]) -> int:
    """Return the least sum of *costs*, a square table, with one entry taken of every row and every column.

    The Hungarian method of Kuhn (1955) by shortest augmenting paths with potentials (Jonker, Volgenant: A Shortest
    Augmenting Path Algorithm, 1987). One column more, the last, only begins the paths. Time O(rows³), memory O(rows).
    """
    size = len(costs)
    of_row, of_column = [0] * size, [0] * (size + 1)  # the potentials
    row_of = [-1] * (size + 1)  # which row has a column
    for row in range(size):
        row_of[size], column = row, size
        slack: list[float] = [inf] * size
        came_by = [size] * size
        used, unused = [size], list(range(size))
        while row_of[column] >= 0:
            here = row_of[column]
            line, potential = costs[here], of_row[here]
            for other in unused:
                reduced = line[other] - potential - of_column[other]
                if reduced < slack[other]:
                    slack[other], came_by[other] = reduced, column
            following = min(unused, key=slack.__getitem__)
            step = int(slack[following])
            for other in used:
                of_row[row_of[other]] += step
                of_column[other] -= step
            for other in unused:
                slack[other] -= step
            used.append(following)
            unused.remove(following)
            column = following
        while column != size:
            row_of[column], column = row_of[came_by[column]], came_by[column]
    return sum(costs[row_of[column]][column] for column in range(size))
