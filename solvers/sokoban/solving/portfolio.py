"""Find any solution with a portfolio of searches that run in turn, in slices that double; the first answer wins.

No single search solves all levels that the others solve. Each search keeps its state between slices, and all but the
greedy one share a corral cache. Each round also makes some short searches with other plans: run times have heavy tails
(Feng, Gomes, Selman, NeurIPS 2020). One plan may fail for minutes where another succeeds in a tenth of a second.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from solvers.sokoban.level import Level
from solvers.sokoban.solving.answers import Answer, Proof, Unknown, Unsolvable, verify
from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.budget import Limit, Meter, Progress
from solvers.sokoban.solving.compiling import Table
from solvers.sokoban.solving.deadlocks.corral_search import CorralMemory, corral_memory_for
from solvers.sokoban.solving.deadlocks.dead_ends import DeadEnds, dead_ends_for
from solvers.sokoban.solving.floor.hotspots import hotspots_for
from solvers.sokoban.solving.floor.rooms import Rooms, find_rooms
from solvers.sokoban.solving.floor.routes import MacroMove, to_lurd
from solvers.sokoban.solving.searching import feature_search, greedy
from solvers.sokoban.solving.searching.feature_runs import FeatureRun, no_meeting
from solvers.sokoban.solving.searching.feature_tables import Meeting
from solvers.sokoban.solving.searching.greedy import GreedyRun
from solvers.sokoban.solving.searching.guides import make_guide
from solvers.sokoban.solving.searching.scoring import PICTURE, PLAN, PULL, REMOVE

FIRST_SLICE = 0.2  # CPU seconds of a search in the first round; doubled every round
DOUBT = 50  # states of the first proof that the most promising state is lost
ROOMS_DOUBT = 2  # the round from which the search by rooms doubts too: its cells keep other states active anyway
LESS = 0.5  # fraction of a slice for pulls and for each restart
RESTARTED = ("plan", "plan rooms", "plan bare", "picture")
PARTS = ("greedy", "plan", "plan rooms", "picture", "restarts")  # in this order


@dataclass
class SearchEnd:
    """Result of a finished search: the macro moves, or None if unsolvable, and the name of the search."""

    macros: list[MacroMove] | None
    by: str


@dataclass
class Portfolio:
    """The searches of one level. *parts* names the active searches, for the bench."""

    board: Board
    meter: Meter
    parts: tuple[str, ...] = PARTS
    runs: dict[str, FeatureRun] = field(default_factory=dict)
    spent: int = 0  # states of discarded searches
    restarts: int = 0

    def __post_init__(self) -> None:
        megabytes = self.meter.budget.megabytes or 2400
        rows = min(1 << 21, (megabytes << 18) // (59 + 2 * len(self.board.boxes)))  # a quarter for each side
        self.greedy = GreedyRun(self.board, self.ends.pairs, rows) if "greedy" in self.parts else None
        self.turns = list(self.parts)
        for at, part in enumerate(self.parts):
            if part.startswith(("picture", "restarts")):
                self.turns.insert(at, "pull")  # provides the picture
                break
        self.megabytes = min(400, megabytes // 6)
        self.limit: Limit | None = None
        self.backward_meeting: Meeting = no_meeting()

    @cached_property
    def rooms(self) -> Rooms:
        """The rooms of the board; created lazily, as the greedy search does not need them."""
        return find_rooms(self.board)

    @cached_property
    def hotspots(self) -> Table:
        """The squares where a box keeps others from goals; for the searches by plan."""
        return hotspots_for(self.board)

    @cached_property
    def memory(self) -> CorralMemory:
        """Known corrals; created lazily, as it is as large as all other tables of a small level."""
        return corral_memory_for(self.board)

    @cached_property
    def ends(self) -> DeadEnds:
        """Learned dead ends."""
        return dead_ends_for(self.board)

    def search(self) -> SearchEnd | None:
        """Search until there is a result. Return None if a limit was reached; see *limit*."""
        slice_ = FIRST_SLICE
        number = 0
        while True:
            has_work = False
            for end in self._run_round(slice_, number):
                if end:
                    return end
                if self.limit:
                    return None
                has_work = True
            if not has_work:
                self.limit = Limit.METHODS
                return None
            slice_ *= 2
            number += 1

    def _run_round(self, seconds: float, number: int) -> Iterator[SearchEnd | None]:
        """Run each part for its slice and yield its result."""
        for part in self.turns:
            if part == "greedy":
                if self.greedy and self.greedy.status == greedy.GOING:
                    yield self._run_greedy(seconds)
            elif part == "pull":
                yield self._run_pull(LESS * seconds)
            elif part == "restarts":
                yield from self._run_restarts(LESS * seconds)
            elif part not in self.runs or self.runs[part].status != feature_search.GOING:
                if part not in self.runs or number <= 6:
                    self._create_run(part, number, seconds)
                    yield self._run_slice(part, seconds)
            else:
                if number == ROOMS_DOUBT:
                    self.runs[part].doubt(DOUBT)
                yield self._run_slice(part, seconds)

    def _run_restarts(self, seconds: float) -> Iterator[SearchEnd | None]:
        """Run one search of each kind with another plan or picture, breaking ties at random."""
        for kind in RESTARTED:
            self.restarts += 1
            part = f"{kind} {self.restarts}"
            self._create_run(part, self.restarts, seconds)
            yield self._run_slice(part, seconds)
            self.spent += self.runs.pop(part).states

    def _run_greedy(self, seconds: float) -> SearchEnd | None:
        if not self.greedy:
            return None
        until = self.meter.cpu_seconds + seconds
        while (
            self.greedy.status == greedy.GOING
            and self.meter.cpu_seconds < until
            and not self._is_over_limit("greedy", 0)
        ):
            self.greedy.run()
        if self.greedy.status == greedy.MET:
            return SearchEnd(self.greedy.macros(), "greedy")
        return SearchEnd(None, "greedy") if self.greedy.status == greedy.EXHAUSTED else None

    def _run_pull(self, seconds: float) -> SearchEnd | None:
        """Search on from the goals without removal: its best board is the picture; the others meet its states."""
        if "pull" not in self.runs:
            self.runs["pull"] = FeatureRun(
                self.board, self.rooms, make_guide(self.board), self.memory, self.ends, PULL, megabytes=self.megabytes
            )
        run = self.runs["pull"]
        if run.status == feature_search.GOING:
            self._advance(run, "pull", seconds)
            if run.status == feature_search.FOUND:
                return SearchEnd(run.backward_macros(int(run.search.tree.states.via[run.best])), "pull")
            if run.status == feature_search.EXHAUSTED:
                return SearchEnd(None, "pull")
            self.backward_meeting = run.meeting()
            for name, other in self.runs.items():
                if name != "pull":
                    other.search = other.search._replace(meeting=self.backward_meeting)
        return None

    def _create_run(self, part: str, seed: int, seconds: float) -> None:
        """Create the search with this name, replacing an older one that has used up its memory.

        *seconds* is its time slice; planning may take a quarter of it.
        """
        memory, by_room = self.memory, part.startswith("plan rooms")
        if part in self.runs:
            self.spent += self.runs[part].states
        if part.startswith("plan"):
            remove = FeatureRun(self.board, self.rooms, make_guide(self.board), memory, self.ends, REMOVE, seed=seed)
            self._advance(remove, part, max(0.1, seconds / 4))
            resting, steps = remove.plan()
            hotspots = np.zeros_like(self.hotspots) if part.startswith("plan bare") else self.hotspots
            guide = make_guide(self.board, resting=resting, steps=steps, hotspots=hotspots)
            mode = PLAN
        else:
            guide, mode = make_guide(self.board, picture=self.runs["pull"].picture()), PICTURE
        self.runs[part] = FeatureRun(
            self.board, self.rooms, guide, memory, self.ends, mode,
            meeting=self.backward_meeting, by_room=by_room, seed=seed, doubt=0 if by_room else DOUBT,
            megabytes=self.megabytes,
        )  # fmt: skip

    def _run_slice(self, part: str, seconds: float) -> SearchEnd | None:
        run = self.runs[part]
        self._advance(run, part, seconds)
        if run.status == feature_search.FOUND:
            return SearchEnd(run.forward_macros(run.best), part)
        if run.status == feature_search.MET:
            return SearchEnd(run.met_macros(self.runs["pull"]), part)
        return SearchEnd(None, part) if run.status == feature_search.EXHAUSTED else None

    def _advance(self, run: FeatureRun, part: str, seconds: float) -> None:
        until = self.meter.cpu_seconds + seconds
        while run.status == feature_search.GOING and self.meter.cpu_seconds < until:
            if self._is_over_limit(part, int(run.search.tree.states.depth[run.best])):
                return
            run.run()

    def count_states(self) -> None:
        """Report the states of all searches to the meter."""
        self.meter.nodes = self.spent + sum(run.states for run in self.runs.values())
        self.meter.nodes += self.greedy.states if self.greedy else 0

    def _is_over_limit(self, part: str, depth: int) -> bool:
        self.count_states()
        self.limit = self.meter.over(Progress(self.meter.nodes, depth, part=part))
        return self.limit is not None


def solve_any(level: Level, board: Board, meter: Meter, parts: tuple[str, ...] = PARTS) -> Answer:
    """Find any solution of a level that is not solved at its start, or prove that there is none, within the budget.

    Every pruning test is sound, so an exhausted search proves the level unsolvable. The board must not have more than
    MOST_PAIRS squares: the searches need all-pairs distances.
    """
    portfolio = Portfolio(board, meter, parts)
    end = portfolio.search()
    portfolio.count_states()
    nodes, seconds = meter.nodes, meter.cpu_seconds
    if end is None:
        return Unknown(portfolio.limit or Limit.METHODS, nodes=nodes, cpu_seconds=seconds)
    if end.macros is None:
        return Unsolvable(Proof.EXHAUSTED, end.by, nodes, seconds)
    return verify(level, to_lurd(board, end.macros), by=end.by, nodes=nodes, cpu_seconds=seconds)
