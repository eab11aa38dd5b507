"""The slow, obvious methods, to test the fast ones: floods and sets, one state for every position of player and box."""

import heapq

from solvers.sokoban import Level
from tests.solvers.sokoban.solving.full_search import steps

Routes = dict[int, tuple[int, int]]


def push_routes(level: Level, box: int) -> tuple[Routes, Routes]:
    """Return for each cell *box* can be pushed to: the least (moves, pushes), and the least (pushes, moves)."""
    by_moves = _best(level, box, lambda pushes: (1, pushes))
    by_pushes = _best(level, box, lambda pushes: (pushes, 1))
    return by_moves, by_pushes


def _best(level, box, price):
    others = frozenset(level.boxes) - {box}
    best: Routes = {}
    done = set()
    todo = [((0, 0), level.player, box)]
    while todo:
        cost, man, crate = heapq.heappop(todo)
        if (man, crate) in done:
            continue
        done.add((man, crate))
        best.setdefault(crate, cost)
        for (to, boxes), pushed in steps(level, man, others | {crate}):
            if others <= boxes:
                extra = price(int(pushed))
                (pushed_to,) = boxes - others
                heapq.heappush(todo, ((cost[0] + extra[0], cost[1] + extra[1]), to, pushed_to))
    return best
