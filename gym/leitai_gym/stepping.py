"""One step of many boards: in numpy, and as a loop that numba compiles. Both change the same arrays alike.

`Boards` documents the arrays. No index leaves them: levels are closed, so a player has a cell on every side, and a
box beside the player has one behind it.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]


class Boards(NamedTuple):
    """State of n boards with planes of c cells; every array but *planes* has one row or number a board.

    *planes*: n * 4 * c numbers 0 or 1, the planes of `boards.PLANES` of the first board, then of the second. *at*:
    index of the player's cell in the plane of walls. *home*: boxes on goals; *boxes*: all of them. *letters*: the
    moves, as codes of LURD. *mask*: n * 4, True for each direction in which a step is legal; none is once solved.
    """

    planes: NDArray[np.uint8]
    at: Array
    home: Array
    boxes: Array
    moves: Array
    pushes: Array
    letters: NDArray[np.uint8]
    mask: NDArray[np.bool_]


# Directions are 0 left, 1 up, 2 right, 3 down.
STEPS = np.frombuffer(b"lurd", np.uint8)
CAPITAL = 0x20  # the bit that distinguishes upper case from lower case
Step = Callable[[Boards, Array, Array, Array, NDArray[np.bool_]], None]


def step(boards: Boards, actions: Array, deltas: Array, change: Array, pushed: NDArray[np.bool_]) -> None:
    """Step in direction *actions*[i] on each board i; an illegal step changes nothing.

    *deltas* holds each direction's offset. *change* receives the change of boxes on goals; *pushed*: a box moved.
    """
    planes, at, _, _, moves, pushes, letters, mask = boards
    cells = len(planes) // len(at) // 4
    delta = deltas[actions]
    to = at + delta
    change[:], pushed[:] = 0, False
    pushing = np.flatnonzero(planes[to + 2 * cells])
    moved = mask[np.arange(len(at)), actions]
    pushing = pushing[moved[pushing]]
    if len(pushing):
        box = to[pushing]
        beyond = box + delta[pushing]
        planes[box + 2 * cells] = 0
        planes[beyond + 2 * cells] = 1
        change[pushing] = planes[beyond + cells].astype(np.int64) - planes[box + cells]
        pushed[pushing] = True
        boards.home[:] += change
        pushes += pushed
    planes[at + 3 * cells] = 0
    at[:] = np.where(moved, to, at)
    planes[at + 3 * cells] = 1
    walked = np.flatnonzero(moved)
    letters[walked, moves[walked]] = STEPS[actions[walked]] ^ (CAPITAL * pushed[walked]).astype(np.uint8)
    moves += moved
    find_legal(boards, deltas)


def find_legal(boards: Boards, deltas: Array) -> None:
    """Fill the mask of legal steps."""
    planes, at, mask = boards.planes, boards.at, boards.mask
    cells = len(planes) // len(at) // 4
    to = at[:, None] + deltas
    beyond = to + deltas
    is_blocked = planes[beyond] | planes[beyond + 2 * cells]
    mask[:] = (planes[to] | (planes[to + 2 * cells] & is_blocked)) == 0
    mask[boards.home == boards.boxes] = False


def step_in_loop(boards: Boards, actions: Array, deltas: Array, change: Array, pushed: NDArray[np.bool_]) -> None:
    """Do the same as `step`, board by board."""
    planes, at, home, boxes, moves, pushes, letters, mask = boards
    cells = len(planes) // len(at) // 4
    for i in range(len(at)):
        change[i] = 0
        pushed[i] = False
        direction = actions[i]
        if mask[i, direction]:
            delta = deltas[direction]
            to = at[i] + delta
            letter = STEPS[direction]
            if planes[to + 2 * cells]:
                beyond = to + delta
                planes[to + 2 * cells] = 0
                planes[beyond + 2 * cells] = 1
                change[i] = np.int64(planes[beyond + cells]) - np.int64(planes[to + cells])
                pushed[i] = True
                home[i] += change[i]
                pushes[i] += 1
                letter = letter ^ np.uint8(CAPITAL)
            planes[at[i] + 3 * cells] = 0
            planes[to + 3 * cells] = 1
            at[i] = to
            letters[i, moves[i]] = letter
            moves[i] += 1
        for side in range(4):
            to = at[i] + deltas[side]
            beyond = to + deltas[side]
            is_blocked = planes[beyond] | planes[beyond + 2 * cells]
            mask[i, side] = home[i] != boxes[i] and (planes[to] | (planes[to + 2 * cells] & is_blocked)) == 0


@cache
def compiled_step() -> Step:
    """Return `step_in_loop`, compiled. Raise NoCompiler if numba is not installed."""
    from solvers.sokoban.solving.compiling import kernel

    return kernel(step_in_loop)
