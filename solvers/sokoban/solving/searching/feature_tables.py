"""The tables that a feature-space search works with, and the names of its counters and options."""

from typing import NamedTuple

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table
from solvers.sokoban.solving.deadlocks.corral_search import CorralMemory
from solvers.sokoban.solving.deadlocks.corrals import Corrals
from solvers.sokoban.solving.deadlocks.dead_ends import DeadEnds
from solvers.sokoban.solving.deadlocks.freezing import Walls
from solvers.sokoban.solving.floor.macros import Work
from solvers.sokoban.solving.floor.matching import Matching
from solvers.sokoban.solving.floor.rooms import Rooms
from solvers.sokoban.solving.searching.advising import Advice
from solvers.sokoban.solving.searching.guides import Guide
from solvers.sokoban.solving.searching.removing import Sinks
from solvers.sokoban.solving.searching.scoring import Features
from solvers.sokoban.solving.searching.tree import Edges, States

# Counters of a search
(C_STATES, C_EXPANDED, C_CELLS, C_EDGES, C_TURN, C_CELL, C_BEST, C_LOST, C_MET_EDGE, C_MET_OTHER) = range(10)
# C_STALE: turns since C_BEST is the best state, C_PROOFS: how often it was tried to prove that it is lost
C_PRUNED, C_CORRALS, C_STALE, C_PROOFS = range(10, 14)
# Options of a search
(O_MODE, O_INWARD, O_CORRAL, O_EXPLORER, O_CELLS, O_SEED, O_WEIGHTS, O_ONE_CELL, O_REMOVAL_WALK, O_DOUBT) = range(10)

# The cell of a state: that of the best score on its path, of its own score, or of this and the boxes in each room
BY_PATH, BY_SCORE, BY_ROOM = range(3)


class Cells(NamedTuple):
    """The cells met: *keys* int64, *heaps* int32 (first waiting move, -1) by number; *places* their hash table."""

    keys: Table
    heaps: Table
    places: Table


class Meeting(NamedTuple):
    """The states of a search the other way: hash table *places* int32, *keys* uint64 (one row: there is none)."""

    places: Table
    keys: Table


class Search(NamedTuple):
    """All that a feature-space search works with. *places*, *keys*: hash table of its states; *counters*, *options*."""

    board: Board
    guide: Guide
    rooms: Rooms
    work: Work
    walls: Walls
    corrals: Corrals
    memory: CorralMemory
    ends: DeadEnds
    matching: Matching
    scratch: Matching
    sinks: Sinks
    features: Features
    advice: Advice
    states: States
    edges: Edges
    cells: Cells
    places: Table
    keys: Table
    meeting: Meeting
    counters: Table
    options: Table
