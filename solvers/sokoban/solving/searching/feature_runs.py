"""Run one feature-space search: create it, run it in batches, grow its tables, and read its path."""

from collections.abc import Iterable

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table
from solvers.sokoban.solving.deadlocks.corral_search import CorralMemory
from solvers.sokoban.solving.deadlocks.corrals import corrals_for
from solvers.sokoban.solving.deadlocks.dead_ends import DeadEnds, Deadlocks
from solvers.sokoban.solving.deadlocks.freezing import walls_for
from solvers.sokoban.solving.floor.floods import regions, zone_key
from solvers.sokoban.solving.floor.macros import put_boxes, work_for
from solvers.sokoban.solving.floor.rooms import Rooms
from solvers.sokoban.solving.floor.routes import MacroMove
from solvers.sokoban.solving.searching.advising import advice_for
from solvers.sokoban.solving.searching.feature_search import FULL, GOING, step
from solvers.sokoban.solving.searching.feature_tables import (
    C_BEST,
    C_EDGES,
    C_LOST,
    C_MET_EDGE,
    C_MET_OTHER,
    C_STATES,
    Cells,
    Meeting,
    Search,
    Tree,
)
from solvers.sokoban.solving.searching.guides import Guide, Step, plan_steps
from solvers.sokoban.solving.searching.options import O_BY_ROOM, O_DOUBT, O_MODE, O_SEED
from solvers.sokoban.solving.searching.removing import sinks_for
from solvers.sokoban.solving.searching.scoring import PULL, REMOVE, scoring_for
from solvers.sokoban.solving.searching.tree import EMPTY, edges_for, find, index_keys, longer, refill, states_for

FIRST_STATES, FIRST_EDGES = 1 << 12, 1 << 18
MOST_CELLS = 1 << 16
_CELLS = (MOST_CELLS, np.int64), (MOST_CELLS, np.int32), (4 * MOST_CELLS, np.int32)
TURNS = 20  # moves taken per batch


class FeatureRun:
    """A feature-space search in one of the modes of `scoring`.

    Corral verdicts in *memory* are shared with other searches of the level. *megabytes* bounds the growing tables; a
    search that needs more ends with FULL.
    """

    def __init__(
        self, board: Board, rooms: Rooms, guide: Guide, memory: CorralMemory, ends: DeadEnds, mode: int, *,
        meeting: Meeting | None = None, by_room: bool = False, seed: int = 0, doubt: int = 0, megabytes: int = 400,
    ) -> None:  # fmt: skip
        self.board, self.mode, self.megabytes = board, mode, megabytes
        count = len(board.boxes)
        self.work = work = work_for(board, count)
        options = np.zeros(4, np.int64)
        options[O_MODE], options[O_BY_ROOM], options[O_SEED], options[O_DOUBT] = mode, by_room, seed, doubt
        rows = max(FIRST_EDGES, 2 * len(work.moves.source))
        self.search = Search(
            deadlocks=Deadlocks(board, work, walls_for(board), corrals_for(board.size), memory, ends),
            scoring=scoring_for(guide, rooms, count),
            advice=advice_for(board),
            sinks=sinks_for(board),
            tree=Tree(
                states_for(FIRST_STATES, count, board.size + 1 if mode == REMOVE else 0),
                edges_for(rows),
                Cells(*(np.full(size, -1, kind) for size, kind in _CELLS)),
                np.full(4 * FIRST_STATES, EMPTY, np.int32),
                np.zeros(4 * FIRST_STATES, np.uint64),
                np.zeros(16, np.int64),
            ),
            meeting=meeting or no_meeting(),
            options=options,
        )
        self.status = GOING
        self.aim = np.uint64(0)
        if mode <= PULL:
            self._add_goal_roots()
            self.aim = self.key_of(board.boxes, board.player)
        else:
            self.add_root(board.boxes, board.player)

    @property
    def counters(self) -> Table:
        return self.search.tree.counters

    @property
    def states(self) -> int:
        """States stored and states found lost, which count as nodes of the budget."""
        return int(self.counters[C_STATES] + self.counters[C_LOST])

    @property
    def best(self) -> int:
        """The best state, or the target state once found."""
        return int(self.counters[C_BEST])

    def doubt(self, states: int) -> None:
        """Enable attempts to prove the best state lost, the first with a limit of *states* states."""
        self.search.options[O_DOUBT] = states

    def key_of(self, boxes: Table, stand: int) -> np.uint64:
        """Return the key of a state."""
        board, work = self.board, self.work
        put_boxes(board.size, work.blocked, boxes, len(boxes))
        work.mark[:] = 0
        key = np.uint64(zone_key(board.neighbours, work.blocked, int(stand), board.zone_keys, work.mark, 1, work.queue))
        work.mark[:] = 0
        return np.uint64(key ^ np.bitwise_xor.reduce(board.box_keys[boxes]))

    def _add_goal_roots(self) -> None:
        """Add every zone in which the player may end as a root of the backward search."""
        board, work = self.board, self.work
        put_boxes(board.size, work.blocked, board.goals, len(board.goals))
        count = regions(board.size, board.neighbours, work.blocked, work.mark, work.queue)
        stands = [int(np.flatnonzero(work.mark[: board.size] == region)[0]) for region in range(1, count + 1)]
        work.mark[:] = 0
        for stand in stands:
            self.add_root(board.goals, stand)

    def add_root(self, boxes: Table, stand: int) -> None:
        """Add a root state."""
        tree = self.search.tree
        states = tree.states
        number = int(tree.counters[C_STATES])
        key = self.key_of(boxes, stand)
        states.boxes[number] = boxes
        states.count[number] = len(boxes)
        states.stand[number] = stand
        states.key[number] = key
        states.boxes_key[number] = np.bitwise_xor.reduce(self.board.box_keys[boxes])
        states.via[number] = -1
        if self.mode == REMOVE:
            states.starts[number, self.board.boxes] = 1
        at = find(tree.places, tree.keys, key)
        if at < 0:
            tree.places[-1 - at] = number
            tree.keys[-1 - at] = key
            tree.counters[C_STATES] += 1

    def run(self, turns: int = TURNS) -> int:
        """Take *turns* moves; return the result of `feature_search.step`. Grow the tables while memory lasts."""
        if self.status == GOING:
            self.status = step(self.search, turns, self.aim)
            if self.status == FULL and self._grow():
                self.status = GOING
        return self.status

    def _grow(self) -> bool:
        tree = self.search.tree
        states, edges = len(tree.states.key), len(tree.edges.key)
        if tree.counters[C_STATES] + 2 > states:
            states *= 2
        if tree.counters[C_EDGES] + len(self.work.moves.source) > edges:
            edges *= 2
        if edges * 41 + states * (70 + 2 * len(self.board.boxes)) > self.megabytes << 20:
            return False
        places, keys = tree.places, tree.keys
        if 4 * (tree.counters[C_STATES] + tree.counters[C_LOST]) > len(places):
            places, keys = np.full(4 * len(places), EMPTY, np.int32), np.zeros(4 * len(keys), np.uint64)
            refill(tree.places, tree.keys, places, keys)
        grown = tree._replace(
            states=longer(tree.states, states), edges=longer(tree.edges, edges), places=places, keys=keys
        )
        self.search = self.search._replace(tree=grown)
        return True

    def path(self, state: int) -> list[int]:
        """Return the moves from a root to *state*."""
        tree, moves = self.search.tree, []
        while (via := int(tree.states.via[state])) >= 0:
            moves.append(via)
            state = int(tree.edges.parent[via])
        return moves[::-1]

    def macro(self, edge: int) -> MacroMove:
        """Return a move of a forward search."""
        edges = self.search.tree.edges
        return MacroMove(int(edges.source[edge]), int(edges.target[edge]), int(edges.stand[edge]))

    def forward_macros(self, state: int) -> list[MacroMove]:
        """Return the path from the start to *state* in a forward search."""
        return [self.macro(edge) for edge in self.path(state)]

    def backward_macros(self, edge: int) -> list[MacroMove]:
        """Return the path by pushes from the state that the pull *edge* leads to, to the solved state."""
        tree, macros = self.search.tree, []
        while edge >= 0:
            state = int(tree.edges.parent[edge])
            source, target = int(tree.edges.target[edge]), int(tree.edges.source[edge])
            macros.append(MacroMove(source, target, int(tree.states.stand[state])))
            edge = int(tree.states.via[state])
        return macros

    def met_macros(self, backward: "FeatureRun") -> list[MacroMove]:
        """Return the complete path of a forward search that met *backward*."""
        edge = int(self.counters[C_MET_EDGE])
        begin = self.forward_macros(int(self.search.tree.edges.parent[edge]))
        return [*begin, self.macro(edge), *backward.backward_macros(int(self.counters[C_MET_OTHER]))]

    def meeting(self) -> Meeting:
        """Return a hash table of all children of this search, for another search to meet."""
        count = int(self.counters[C_EDGES])
        if count == 0:
            return no_meeting()
        rows = 1 << (2 * count).bit_length()
        places, keys = np.full(rows, EMPTY, np.int32), np.zeros(rows, np.uint64)
        index_keys(self.search.tree.edges.key, count, places, keys)
        return Meeting(places, keys)

    def plan(self) -> tuple[list[int], list[Step]]:
        """Return the packing plan of the best state of a search with removal: resting boxes, and steps."""
        tree, best = self.search.tree, self.best
        resting = tree.states.boxes[best, : tree.states.count[best]].tolist()
        return resting, plan_steps(list(self._steps(reversed(self.path(best)))))

    def _steps(self, edges: Iterable[int]) -> Iterable[Step]:
        tree = self.search.tree
        for edge in edges:
            gone = tree.states.forced[tree.edges.parent[edge]]
            yield -1 if gone else int(tree.edges.target[edge]), int(tree.edges.source[edge])

    def picture(self) -> list[int]:
        """Return the boxes of the best state."""
        return self.search.tree.states.boxes[self.best].tolist()  # type: ignore[no-any-return]


def no_meeting() -> Meeting:
    """Return an empty meeting: there is no other search."""
    return Meeting(np.full(1, EMPTY, np.int32), np.zeros(1, np.uint64))
