"""Tables of one exact search, and scratch arrays for one of its steps."""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table
from solvers.sokoban.solving.deadlocks.corrals import Corrals, corrals_for
from solvers.sokoban.solving.floor.matching import Matching, matching_for
from solvers.sokoban.solving.floor.squares import Squares
from solvers.sokoban.solving.proving.lower_bounds import Costs
from solvers.sokoban.solving.proving.open_list import Queue
from solvers.sokoban.solving.proving.pairs import Pairs
from solvers.sokoban.solving.proving.states import Store


class Scratch(NamedTuple):
    """Scratch of a step: *row*, *parent* uint8 like the store's rows; *blocked*, *frozen*, *only* uint8[n+1]; *keys*
    uint64[8]; the rest int32[n+2].
    """

    row: Table
    parent: Table
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
    """Allocate the arrays of a step; *width* is that of the store's rows."""
    small = [np.zeros(board.size + 1, np.uint8) for _ in range(3)]
    numbers = [np.zeros(board.size + 2, np.int32) for _ in range(6)]
    rows = [np.zeros(width, np.uint8) for _ in range(2)]
    keys = np.zeros(8, np.uint64)
    return Scratch._make([*rows, *small, *numbers, keys, matching_for(len(board.boxes)), corrals_for(board.size)])


class Search(NamedTuple):
    """Tables of one exact search.

    *slots* is the hash table of the *store*; *fence* (see `vicinity`) and *images* (see `symmetries`) limit what is
    stored; *counters* int64 are indexed by the names in `astar`; *aim* is the cost type (see `open_list`).
    """

    board: Board
    squares: Squares
    costs: Costs
    pairs: Pairs
    fence: Table
    images: Table
    store: Store
    slots: Table
    queue: Queue
    scratch: Scratch
    counters: Table
    aim: int
