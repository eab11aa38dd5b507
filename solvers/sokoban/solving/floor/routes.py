"""Rebuild the player's moves, as LURD, from moves of boxes."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner, kernel
from solvers.sokoban.solving.floor.floods import flood
from solvers.sokoban.solving.floor.tables import fill

_LETTERS = "lurdLURD"  # by direction; the capitals, offset by four, are pushes


class MacroMove(NamedTuple):
    """One box pushed from square *source* to square *target* while the others stay in place.

    *stand* is any square of the player's final zone.
    """

    source: int
    target: int
    stand: int


def to_lurd(board: Board, macros: Iterable[MacroMove]) -> str:
    """Play *macros* from the start, each with the fewest pushes, and return the player's moves.

    Raise ValueError if one cannot be played. Time O(n²) in the worst case per macro move, typically O(n).
    """
    size = board.size
    blocked = np.zeros(size + 1, np.uint8)
    blocked[size] = 1
    blocked[board.boxes] = 1
    tables = [np.zeros(4 * size + 4, np.int32) for _ in range(5)]
    scratch = _Scratch._make([*tables, np.zeros(1 << 12, np.int8)])
    player = board.player
    letters = []
    for source, target, stand in macros:
        if not blocked[source] or (blocked[target] and target != source):
            raise ValueError(f"no box can go from square {source} to square {target}")
        blocked[source] = 0
        while (count := push_route(board.neighbours, blocked, source, target, player, stand, scratch)) == -2:
            scratch = scratch._replace(steps=np.zeros(2 * len(scratch.steps), np.int8))
        if count < 0:
            raise ValueError(f"the box on square {source} cannot be pushed to square {target}")
        blocked[target] = 1
        for step in scratch.steps[:count]:
            letters.append(_LETTERS[step])
            player = int(board.neighbours[player, step & 3])
    return "".join(letters)


class _Scratch(NamedTuple):
    """Scratch of `push_route`: *steps* int8, which may be too short, the rest int32[4n+4]."""

    mark: Table
    queue: Table
    states: Table
    came: Table
    way: Table
    steps: Table


@kernel
def push_route(
    neighbours: Table, blocked: Table, source: int, target: int, player: int, stand: int, scratch: _Scratch
) -> int:
    """Write to `scratch.steps` a route of one box to *target* after which the player is in the zone of *stand*.

    Steps 0 to 3 walk, 4 to 7 push.

    *blocked* excludes the box. Return the number of steps, -1 if there is no route, -2 if `steps` is too short.
    A state is `4 * square + side of the player`; the pushes are the fewest, each walk between them the shortest.
    """
    mark, queue, states = scratch.mark, scratch.queue, scratch.states
    came, way, steps = scratch.came, scratch.way, scratch.steps
    sentinel = neighbours.shape[0] - 1
    stamp = np.int64(1)
    fill(mark, 0)
    fill(came, -1)
    count = 0
    final = -1
    # Walks to each side of the box, then breadth-first search over pushes.
    blocked[source] = 1
    flood(neighbours, blocked, player, mark, stamp, queue)
    if source == target and mark[stand] == stamp:
        blocked[source] = 0
        return 0
    for side in range(4):
        there = neighbours[source, side]
        if there != sentinel and mark[there] == stamp:
            came[4 * source + side] = -2
            states[count] = 4 * source + side
            count += 1
    blocked[source] = 0
    at = 0
    while at < count and final < 0:
        state = states[at]
        at += 1
        square = np.int64(state >> 2)
        beyond = neighbours[square, (state & 3) ^ 2]
        if blocked[beyond]:
            continue
        # The box is now on `beyond`, the player on `square`: every side reachable from there is a new state.
        blocked[beyond] = 1
        stamp += 1
        flood(neighbours, blocked, square, mark, stamp, queue)
        for side in range(4):
            there = neighbours[beyond, side]
            if there != sentinel and mark[there] == stamp and came[4 * beyond + side] == -1:
                came[4 * beyond + side] = state
                states[count] = 4 * beyond + side
                count += 1
        if beyond == target and mark[stand] == stamp:
            final = state
        blocked[beyond] = 0
    if final < 0:
        return -1
    # The pushes in reverse, then in order with the walks between them.
    pushes = 0
    while final >= 0:
        states[pushes] = final
        pushes += 1
        final = came[final]
    written = 0
    here = player
    for number in range(pushes - 1, -1, -1):
        square, side = states[number] >> 2, states[number] & 3
        goal = np.int64(neighbours[square, side])
        blocked[square] = 1
        walked = _walk(neighbours, blocked, here, goal, mark, queue, way)
        blocked[square] = 0
        if written + walked + 1 > steps.shape[0]:
            return -2
        back = goal
        for place in range(walked - 1, -1, -1):
            steps[written + place] = way[back]
            back = neighbours[back, way[back] ^ 2]
        written += walked
        steps[written] = 4 + (side ^ 2)
        written += 1
        here = np.int64(square)  # type: ignore[assignment]
    return written


@inner
def _walk(neighbours: Table, blocked: Table, start: int, goal: int, mark: Table, queue: Table, way: Table) -> int:
    """Return the length of a shortest walk; *way* receives the direction by which each square was entered."""
    fill(mark, -1)
    mark[start] = 0
    queue[0] = start
    count = 1
    at = 0
    while mark[goal] < 0:
        here = queue[at]
        at += 1
        for direction in range(4):
            there = neighbours[here, direction]
            if blocked[there] == 0 and mark[there] < 0:
                mark[there] = mark[here] + 1
                way[there] = direction
                queue[count] = there
                count += 1
    return mark[goal]  # type: ignore[no-any-return]
