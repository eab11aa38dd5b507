"""Tables of a feature-space search, and the names of its counters."""

from typing import NamedTuple

from solvers.sokoban.solving.compiling import Table
from solvers.sokoban.solving.deadlocks.dead_ends import Deadlocks
from solvers.sokoban.solving.searching.advising import Advice
from solvers.sokoban.solving.searching.removing import Sinks
from solvers.sokoban.solving.searching.scoring import Scoring
from solvers.sokoban.solving.searching.tree import Edges, States

# Counters of a search
(C_STATES, C_EXPANDED, C_CELLS, C_EDGES, C_TURN, C_CELL, C_BEST, C_LOST, C_MET_EDGE, C_MET_OTHER) = range(10)
# C_STALE: turns since C_BEST became the best state; C_PROOFS: attempts to prove it lost
C_PRUNED, C_CORRALS, C_STALE, C_PROOFS = range(10, 14)


class Cells(NamedTuple):
    """Cells: *keys* int64 and *heaps* int32 (first queued move, or -1) by number; *places* is their hash table."""

    keys: Table
    heaps: Table
    places: Table


class Meeting(NamedTuple):
    """States of the opposite search: hash table *places* int32, *keys* uint64 (one row: there is none)."""

    places: Table
    keys: Table


class Tree(NamedTuple):
    """States and moves. *places* int32, *keys* uint64: hash table of the states; *counters* int64, by C_*."""

    states: States
    edges: Edges
    cells: Cells
    places: Table
    keys: Table
    counters: Table


class Search(NamedTuple):
    """Tables of one feature-space search; *options* int64, by O_*."""

    deadlocks: Deadlocks
    scoring: Scoring
    advice: Advice
    sinks: Sinks
    tree: Tree
    meeting: Meeting
    options: Table
