"""Better a solution: fewer pushes, then moves, or fewer moves, then pushes.

Piece by piece, by the A* of `astar`, which never returns anything that is no better: the best way from where a piece
begins to where the next one does, through box positions near those of the solution (`vicinity`). In the first fences a
box goes its own way sooner or later than before: what was pushed in turns is pushed in one go, which is most of what a
found solution can be bettered by. Wider fences and longer pieces follow, until a piece is the whole solution; pieces
that nothing bettered are passed over until something in them changes. At last, in what is left of the time, the whole
level is searched without a fence, which proves the solution best if it ends.

Everything is replayed.
"""

from collections.abc import Callable
from dataclasses import replace
from math import comb
from typing import Any

from solvers.sokoban.level import Level
from solvers.sokoban.solving.answers import Aim, Solved, proof_aim, verify
from solvers.sokoban.solving.board import Board, make_board
from solvers.sokoban.solving.budget import Budget, Meter, Progress, Report
from solvers.sokoban.solving.floor.pushes import Push, in_moves, pushes_of
from solvers.sokoban.solving.pieces import Course
from solvers.sokoban.solving.proving import open_list
from solvers.sokoban.solving.proving.best_first import SearchEnd, cost, search
from solvers.sokoban.solving.proving.symmetries import symmetries
from solvers.sokoban.solving.proving.vicinity import make_fence

NAME = "optimizer"
# Of each piece up to so many boxes leave their places, to so many of the nearest squares; None: to squares of their
# own, so that they are pushed sooner or later.
_FENCES: tuple[tuple[int, int | None], ...] = ((1, None), (1, 10), (1, 10_000), (2, 4), (2, 10))
_POSITIONS = (5_000, 20_000, 80_000, 320_000, 1_280_000, 3_000_000)  # of a fence, which says how long a piece is
_MOST_POSITIONS = 4_000_000
_LEAST_LENGTH = 8


def optimize(
    level: Level,
    lurd: str,
    aim: Aim | str = Aim.PUSHES,
    budget: Budget = Budget(cpu_seconds=1.0),  # noqa: B008 - frozen
    *,
    report: Report | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Solved:
    """Return a solution of *level* that is no worse than *lurd* by *aim*: pushes, then moves, or moves, then pushes.

    >>> optimize(Level.parse("######|#@-$.#|#----#|######"), "drurdluR").lurd
    'rR'

    `proven` is set where the whole level could be searched. Raise WrongSolution where *lurd* solves nothing, BadLevel
    where no replay can judge the level.
    """
    aim = proof_aim(aim)
    best = verify(level, lurd, by=NAME)
    meter = Meter(budget, report=report, cancelled=cancelled)
    board = make_board(level)
    kinds = (open_list.MOVES_PUSHES,) if aim == Aim.MOVES else (open_list.PUSHES, open_list.PUSHES_MOVES)
    proven = None
    for kind in kinds:
        best = _Optimizer(level, board, meter, kind).to_the_end(best, aim)
        proven = proven or best.proven  # fewer moves among the fewest pushes leave the pushes proved
    return replace(best, proven=proven, nodes=meter.nodes, cpu_seconds=meter.cpu_seconds)


class _Optimizer:
    """One count of one level."""

    def __init__(self, level: Level, board: Board, meter: Meter, kind: int) -> None:
        self._level, self._board, self._meter, self._kind = level, board, meter, kind
        self._is_over = False
        self._in_vain: set[object] = set()  # pieces that nothing betters, with the fence

    def to_the_end(self, best: Solved, aim: Aim) -> Solved:
        """Better *best* in all ways until none betters it or the budget ends."""
        for positions in _POSITIONS:
            fences = [fence for fence in _FENCES if self._length(fence, positions) >= _LEAST_LENGTH]
            at = 0
            while at < len(fences) and not self._is_over:
                better = self._by_pieces(best, self._length(fences[at], positions), fences[at])
                is_better, best = better is not best, better
                # What a wide fence has opened the narrow one, which is searched in no time, looks at once more.
                at = 0 if is_better else at + 1
        if self._is_over:
            return best
        found = self._search(
            self._board, best, below=cost(best, self._kind), images=symmetries(self._board), whole=True
        )
        if found.lurd is not None:
            best = verify(self._level, found.lurd, by=NAME)
        is_proof = found.limit is None and self._kind != open_list.PUSHES_MOVES
        return replace(best, proven=aim) if is_proof else best

    def _length(self, fence: tuple[int, int | None], positions: int) -> int:
        """Of how many pushes a piece is whose fence has about so many positions."""
        boxes, squares = fence
        if squares is None:  # the boxes of a piece have as many squares of their own as it has pushes
            return int(positions**0.5)
        live = int(self._board.size + 1 - self._board.dead.sum())
        count = len(self._board.boxes)
        return int(positions / comb(count, min(boxes, count)) / min(squares, live) ** min(boxes, count))

    def _by_pieces(self, best: Solved, length: int, fence: tuple[int, int | None]) -> Solved:
        """Do the solution anew piece by piece, each overlapping the one before by half."""
        course = Course(self._board, best)
        first = 0
        while first < len(course) and not self._is_over:
            last = min(first + length, len(course))
            name = (*course.name_of(first, last), fence)
            if name not in self._in_vain:
                better = self._with_piece(course, first, last, *fence)
                if better is None:
                    self._in_vain.add(name)
                else:
                    course = Course(self._board, better)
            first = last if last == len(course) else first + length // 2
        return course.solution

    def _with_piece(
        self, course: Course, first: int, last: int, boxes: int, squares: int | None
    ) -> Solved | None:  # fmt: skip
        """Do the pushes from *first* to before *last* anew; None where that betters nothing."""
        piece = course.piece(first, last)
        anew: list[Push] = []  # enough where the boxes come back to where they were
        if piece is not None:
            fence = make_fence(piece.board, course.positions[first : last + 1], boxes, squares, _MOST_POSITIONS)
            if fence is None:
                return None
            below = cost(Solved("", piece.moves, last - first), self._kind)
            found = self._search(piece.board, course.solution, below=below, fence=fence, ends=piece.ends)
            if found.lurd is None:
                return None
            anew = pushes_of(piece.board, found.lurd)
        lurd = in_moves(self._board, course.pushes[:first] + anew + course.pushes[last:])
        if lurd is None:
            return None
        whole = verify(self._level, lurd, by=NAME)
        return whole if cost(whole, self._kind) < cost(course.solution, self._kind) else None

    def _search(self, board: Board, best: Solved, **limits: Any) -> SearchEnd:
        found = search(board, self._kind, self._meter, name=NAME, **limits)
        # See whether the budget has ended, and tell how far the work is.
        count = best.moves if self._kind == open_list.MOVES_PUSHES else best.pushes
        progress = Progress(self._meter.nodes, 0, 0, count, NAME)
        self._is_over = self._is_over or self._meter.over(progress) is not None
        return found
