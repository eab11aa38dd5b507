"""What a step of an exact search works on."""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table
from solvers.sokoban.solving.deadlocks.corrals import Corrals, corrals_for
from solvers.sokoban.solving.floor.matching import Matching, matching_for


class Scratch(NamedTuple):
    """What a step works on: *row* uint8, *blocked* and *frozen* uint8[n+1], *keys* uint64[8], the rest int32[n+2]."""

    row: Table
    blocked: Table
    frozen: Table
    only: Table
    boxes: Table
    after: Table
    cluster: Table
    walked: Table
    marks: Table
    queue: Table
    keys: Table
    matching: Matching
    corrals: Corrals


def scratch_for(board: Board, width: int) -> Scratch:
    """Make the arrays of a step; *width* is that of the store's rows."""
    small = [np.zeros(board.size + 1, np.uint8) for _ in range(3)]
    numbers = [np.zeros(board.size + 2, np.int32) for _ in range(6)]
    row = np.zeros(width, np.uint8)
    keys = np.zeros(8, np.uint64)
    return Scratch._make([row, *small, *numbers, keys, matching_for(len(board.boxes)), corrals_for(board.size)])
