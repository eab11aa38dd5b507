"""Guides of a feature-space search: the packing plan found by a backward search, or its picture of a good board."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table


class Guide(NamedTuple):
    """The targets of one search. K is the number of steps of the plan, 0 without one; k the number of boxes.

    *squares* int32[K+1]: the square that step i fills. *needed* uint8[K+1, n+1]: the squares occupied after i steps.
    *outside* uint8[K+1, n+1]: after i steps, a box here cannot reach any square of the later ones. *walks* int32[K+1,
    n+1]: the walk on the empty board to the square of the next step. *picture* int32[k]: the squares of the target
    board, *pictured* uint8[n+1] the same by square. *spread* int32[n+1]: the sum of push distances to all goals;
    *nearest* int32[n+1]: to the nearest. *hotspots* uint8: see `hotspots_for`. *missing* int32[K+1] is scratch.
    """

    squares: Table
    needed: Table
    outside: Table
    walks: Table
    picture: Table
    pictured: Table
    spread: Table
    nearest: Table
    hotspots: Table
    missing: Table


Step = tuple[int, int]  # (from, to) square of a box; from -1: any box


def make_guide(
    board: Board, *, resting: Sequence[int] = (), steps: Sequence[Step] = (), picture: Sequence[int] | None = None,
    hotspots: Table | None = None,
) -> Guide:  # fmt: skip
    """Create the guide of a plan that starts with boxes on *resting*, or of a picture. Time O(steps * n).

    Only a plan needs *hotspots*.
    """
    size = board.size
    to_goals = board.distances[:, board.goals]
    pictured = np.zeros(size + 1, np.uint8)
    pictured[np.array(list(picture or ()), np.int64)] = 1
    squares = [target for _, target in steps]
    needed = np.zeros((len(steps) + 1, size + 1), np.uint8)
    needed[0, list(resting)] = 1
    for number, (source, target) in enumerate(steps, 1):
        needed[number] = needed[number - 1]
        if source >= 0:
            needed[number, source] = 0
        needed[number, target] = 1
    outside = _outside(board, steps, needed)
    walks = np.zeros((len(steps) + 1, size + 1), np.int32)
    known: dict[int, Table] = {}
    for number, square in enumerate(squares):
        if square not in known:
            known[square] = walk_lengths(board, square)
        walks[number] = known[square]
    return Guide(
        np.array([*squares, 0], np.int32),
        needed,
        outside,
        walks,
        np.array(sorted(picture or board.goals.tolist()), np.int32),
        pictured,
        np.append(np.where(to_goals < FAR, to_goals, 0).sum(axis=1), 0).astype(np.int32),
        np.append(np.minimum(to_goals.min(axis=1, initial=FAR), 500), 0).astype(np.int32),
        np.zeros((1, 1), np.uint8) if hotspots is None else hotspots,
        np.zeros(len(steps) + 1, np.int32),
    )


def walk_lengths(board: Board, start: int) -> Table:
    """Return int32[n+1]: the walk from *start* on the board without boxes, FAR if unreachable."""
    lengths = np.full(board.size + 1, FAR, np.int32)
    lengths[start] = 0
    todo = [start]
    neighbours = board.neighbours
    for here in todo:
        for there in neighbours[here].tolist():
            if there != board.size and lengths[there] == FAR:
                lengths[there] = lengths[here] + 1
                todo.append(there)
    return lengths


def plan_steps(steps: Sequence[Step]) -> list[Step]:
    """Merge consecutive steps of a plan with the same box, and drop steps that undo each other.

    >>> plan_steps([(-1, 4), (4, 5), (7, 8), (8, 7), (-1, 2)])
    [(-1, 5), (-1, 2)]
    """
    joined: list[Step] = []
    for source, target in steps:
        if joined and source >= 0 and joined[-1][1] == source:
            before = joined.pop()[0]
            if before != target:
                joined.append((before, target))
        else:
            joined.append((source, target))
    return joined


def _outside(board: Board, steps: Sequence[Step], needed: Table) -> Table:
    """Return where no box may be after each step: squares from which no later square of the plan can be reached.

    The walls of a step are the squares filled permanently by then. A zone applies from the step after the
    last change: a box put there in time would be in the way. The player's side is ignored.
    """
    size, neighbours = board.size, board.neighbours.tolist()
    targets = [target for _, target in steps]
    for_good = [all(source != target for source, _ in steps[number + 1 :]) for number, target in enumerate(targets)]
    outside = np.zeros((len(steps) + 1, size + 1), np.uint8)
    begin = 0
    before: Table = np.zeros(size + 1, np.uint8)
    walls: set[int] = set()
    for number, target in enumerate(targets):
        if for_good[number]:
            walls.add(target)
        zone = np.zeros(size + 1, np.uint8)
        if walls and number < len(targets) - 1:
            todo = sorted(set(targets[number + 1 :]) - walls)
            reached = set(todo)
            for here in todo:
                for side in range(4):
                    there = neighbours[here][side]
                    beyond = neighbours[there][side]
                    if size not in (there, beyond) and not {there, beyond} & walls and there not in reached:
                        reached.add(there)
                        todo.append(there)
            zone[:size] = board.dead[:size] == 0
            zone[list(reached | walls)] = 0
        if (zone != before).any():
            outside[begin : number + 1] = zone
            begin, before = number, zone
        else:
            outside[number] = zone
    outside[needed == 1] = 0
    return outside
