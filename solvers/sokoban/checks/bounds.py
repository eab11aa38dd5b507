"""Lower bounds that hold for every solution of a level, computed without search."""

from collections.abc import Sequence
from functools import lru_cache
from math import inf

from solvers.sokoban.checks.deadlocks import lone_pushes
from solvers.sokoban.level import Level

# Limits above which no bound is computed, because the reader would have to wait.
MOST_BOXES = 200
MOST_WORK = 2_000_000


@lru_cache(maxsize=64)
def least_pushes(level: Level) -> int | None:
    """Return a lower bound on the pushes of any solution of *level*, or None if no bound is known.

    >>> least_pushes(Level.parse("#######|#.$-$.#|#--@--#|#######"))
    2
    >>> least_pushes(Level.parse("########|#.--$$.#|#---@--#|########"))
    4

    Each box is assigned a goal of its own, at the cost of the pushes it needs alone on the board with the player always
    on the right side. The minimum-cost assignment is Rolling Stone's lower bound at the start (Junghanns, Schaeffer:
    Sokoban, Enhancing General Single-Agent Search Methods Using Domain Knowledge, 2001). The pushes of every solution
    have its parity: on a chequered board a push moves a box from a light cell to a dark one or back.

    None: the numbers of boxes and goals differ, no assignment exists (so the level is unsolvable), or the level
    exceeds MOST_BOXES or MOST_WORK. Time O(boxes * cells + boxes³), memory O(cells + boxes²).
    """
    count = len(level.boxes)
    if count != len(level.goals) or count > MOST_BOXES or count * len(level.reach) > MOST_WORK:
        return None
    came_from: dict[int, list[int]] = {cell: [] for cell in (*level.reach, *level.goals)}
    for cell in level.reach:
        for target in lone_pushes(level, cell):
            came_from[target].append(cell)
    impossible = count * len(level.cells) + 1
    costs = []  # one row per goal
    for goal in level.goals:
        pushes = _count_pushes_to(goal, came_from)
        costs.append([pushes.get(box, impossible) for box in level.boxes])
    least = _cheapest_assignment(costs)
    return least if least < impossible else None


def _count_pushes_to(goal: int, came_from: dict[int, list[int]]) -> dict[int, int]:
    """Map each cell to the pushes that take a lone box from it to *goal*: breadth-first search backwards, by pulls."""
    pushes = {goal: 0}
    queue = [goal]
    for cell in queue:
        for source in came_from[cell]:
            if source not in pushes:
                pushes[source] = pushes[cell] + 1
                queue.append(source)
    return pushes


def _cheapest_assignment(costs: Sequence[Sequence[int]]) -> int:
    """Return the minimum cost of a perfect assignment in *costs*, a square matrix.

    The Hungarian method (Kuhn, 1955) by shortest augmenting paths with potentials (Jonker, Volgenant: A Shortest
    Augmenting Path Algorithm, 1987). An extra last column only starts the paths. Time O(rows³), memory O(rows).
    """
    size = len(costs)
    of_row, of_column = [0] * size, [0] * (size + 1)  # the potentials
    row_of = [-1] * (size + 1)  # the row assigned to each column
    for row in range(size):
        row_of[size], column = row, size
        slack: list[float] = [inf] * size
        previous_column = [size] * size
        used, unused = [size], list(range(size))
        while row_of[column] >= 0:
            current = row_of[column]
            line, potential = costs[current], of_row[current]
            for other in unused:
                reduced = line[other] - potential - of_column[other]
                if reduced < slack[other]:
                    slack[other], previous_column[other] = reduced, column
            next_column = min(unused, key=slack.__getitem__)
            step = int(slack[next_column])
            for other in used:
                of_row[row_of[other]] += step
                of_column[other] -= step
            for other in unused:
                slack[other] -= step
            used.append(next_column)
            unused.remove(next_column)
            column = next_column
        while column != size:
            row_of[column], column = row_of[previous_column[column]], previous_column[column]
    return sum(costs[row_of[column]][column] for column in range(size))
