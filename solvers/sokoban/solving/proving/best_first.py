"""Run the A* search of `astar` on one board to completion or to a limit."""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.answers import Solved
from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.budget import Limit, Meter, Progress
from solvers.sokoban.solving.compiling import Table
from solvers.sokoban.solving.floor.squares import live_squares
from solvers.sokoban.solving.proving import astar, open_list
from solvers.sokoban.solving.proving.heights import raise_costs
from solvers.sokoban.solving.proving.lower_bounds import costs_to
from solvers.sokoban.solving.proving.pairs import no_pairs, pairs_of
from solvers.sokoban.solving.proving.scratch import Search, scratch_for
from solvers.sokoban.solving.proving.states import bytes_a_state, make_slots, make_store, refill
from solvers.sokoban.solving.proving.symmetries import itself
from solvers.sokoban.solving.proving.tracing import solution
from solvers.sokoban.solving.proving.vicinity import NO_FENCE

_BATCH = 2_000  # states between two checks of the clock


class SearchEnd(NamedTuple):
    """Result of a search: its moves if it found a solution, the limit reached, and lower bounds for every solution.

    *first_bound* is the lower bound of the start, *branches* the average number of pushes per state, *dead_ends* the
    fraction of states without any.
    """

    lurd: str | None
    limit: Limit | None
    pushes: int
    moves: int
    first_bound: int = 0
    branches: float = 0.0
    dead_ends: float = 0.0


def cost(solution: Solved, kind: int) -> tuple[int, int]:
    """Return the two counts of a solution in the order used by a search of this kind."""
    if kind == open_list.PUSHES:
        return solution.pushes, FAR
    return (solution.pushes, solution.moves) if kind == open_list.PUSHES_MOVES else (solution.moves, solution.pushes)


def search(
    board: Board,
    kind: int,
    meter: Meter,
    *,
    below: tuple[int, int] | None = None,
    fence: Table = NO_FENCE,
    images: Table | None = None,
    ends: Table | None = None,
    states: int = 1 << 30,
    whole: bool = False,
    name: str = "",
) -> SearchEnd:
    """Search for the best solution of *board* that costs less than *below*, within the meter's budget and *states*.

    A *fence* (see `vicinity`) restricts the search to its box positions. *images* (see `symmetries`) let one state
    represent all its symmetric images; they cannot be combined with a fence. The cost after the solution may depend on
    where the player *ends* (see `Costs`), and is minimised too. A search of the *whole* level computes heights and
    pairs, which pay off in long searches. A result without limit and moves means that there is no solution.
    """
    if 8 * board.size * len(board.goals) > meter.bytes_allowed:
        return SearchEnd(None, Limit.MEGABYTES, 0, 0)
    squares = live_squares(board.dead)
    with_moves = kind != open_list.PUSHES
    affordable = int(meter.bytes_allowed // bytes_a_state(squares, with_moves=with_moves))
    room = max(64 + 8 * len(board.boxes), min(affordable, meter.nodes_left, states))
    store = make_store(squares, room, with_moves=with_moves)
    costs = costs_to(board, board.goals, pull=False)
    costs = costs if ends is None else costs._replace(ends=ends)
    images = itself(board) if images is None else images
    tables = Search(
        board, squares, costs, no_pairs(), fence, images, store, make_slots(8), open_list.queue_for(),
        scratch_for(board, store.rows.shape[1]), np.zeros(astar.COUNTERS, np.int64), kind,
    )  # fmt: skip
    if not astar.plant(tables):
        return SearchEnd(None, None, 0, 0)
    counters = tables.counters
    before, first_bound = meter.nodes, int(counters[open_list.FIRST])
    if whole and kind == open_list.MOVES_PUSHES:
        tables = tables._replace(costs=raise_costs(board, images, costs))
    elif whole:
        tables = tables._replace(pairs=pairs_of(board, squares, meter.bytes_allowed // 8))
    tables = tables._replace(slots=make_slots())
    astar.plant(tables)
    first, second = below or (FAR, FAR)
    while True:
        status = astar.advance(tables, first, second, _BATCH)
        meter.nodes = before + int(counters[astar.STORED])
        bound = int(counters[open_list.FIRST])
        progress = Progress(meter.nodes, 0, bound, below[0] if below else None, name)
        lurd, limit = None, None
        if status == astar.SOLVED:
            lurd = solution(tables, int(counters[astar.STATE]))
        elif status == astar.FULL:
            limit = Limit.MEGABYTES if room == affordable else Limit.NODES
        elif status == astar.TOO_LONG:
            limit = Limit.METHODS
        elif status != astar.EXHAUSTED:
            limit = meter.over(progress)
        if lurd or limit or status == astar.EXHAUSTED:
            expanded = max(int(counters[astar.EXPANDED]), 1)
            return SearchEnd(
                lurd,
                limit,
                first_bound if kind == open_list.MOVES_PUSHES else bound,
                bound,
                first_bound,
                int(counters[astar.BRANCHES]) / expanded,
                int(counters[astar.DEAD_ENDS]) / expanded,
            )
        if status == astar.TIGHT:
            slots = tables.slots
            larger = make_slots(len(slots) + len(slots) // 2)
            refill(board, squares, store, slots, larger, np.zeros(len(squares.square) + 1, np.int32))
            tables = tables._replace(slots=larger)
