"""Improve a solution: fewer pushes, then moves, or fewer moves, then pushes.

The A* search of `astar` replaces the solution piece by piece, and never returns anything that is not better: it finds
the best way from the start of a piece to the start of the next, through box positions near those of the solution
(`vicinity`). The first fences let a box make its own pushes sooner or later than before, so that interleaved pushes
become one run, the most common improvement. Wider fences and longer pieces follow, until a piece is the whole solution.
Pieces without improvement are skipped until something in them changes. Finally, in the remaining time, the whole level
is searched without a fence, which proves the solution optimal if it completes.

Every result is replayed.
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
# (boxes, squares): up to *boxes* boxes of a piece may be on one of the *squares* nearest squares instead; None: on
# another square of their own path, so that they are pushed sooner or later.
_FENCES: tuple[tuple[int, int | None], ...] = ((1, None), (1, 10), (1, 10_000), (2, 4), (2, 10))
_POSITIONS = (5_000, 20_000, 80_000, 320_000, 1_280_000, 3_000_000)  # positions per fence; they fix a piece's length
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

    `proven` is set if the whole level could be searched. Raise WrongSolution if *lurd* is not a solution, BadLevel
    if no replay can judge the level.
    """
    aim = proof_aim(aim)
    best = verify(level, lurd, by=NAME)
    meter = Meter(budget, report=report, cancelled=cancelled)
    board = make_board(level)
    kinds = (open_list.MOVES_PUSHES,) if aim == Aim.MOVES else (open_list.PUSHES, open_list.PUSHES_MOVES)
    proven = None
    for kind in kinds:
        best = _Optimizer(level, board, meter, kind).improve_fully(best, aim)
        proven = proven or best.proven  # fewer moves at the fewest pushes leave the pushes proved
    return replace(best, proven=proven, nodes=meter.nodes, cpu_seconds=meter.cpu_seconds)


class _Optimizer:
    """Optimises one level by one count."""

    def __init__(self, level: Level, board: Board, meter: Meter, kind: int) -> None:
        self._level, self._board, self._meter, self._kind = level, board, meter, kind
        self._is_over = False
        self._failed_pieces: set[object] = set()  # pieces without improvement, with the fence

    def improve_fully(self, best: Solved, aim: Aim) -> Solved:
        """Improve *best* until no fence finds an improvement or the budget ends."""
        for positions in _POSITIONS:
            fences = [fence for fence in _FENCES if self._length(fence, positions) >= _LEAST_LENGTH]
            index = 0
            while index < len(fences) and not self._is_over:
                better = self._improve_pieces(best, self._length(fences[index], positions), fences[index])
                is_better, best = better is not best, better
                # After an improvement by a wide fence, try the narrow ones again: they take no time.
                index = 0 if is_better else index + 1
        if self._is_over:
            return best
        end = self._search(self._board, best, below=cost(best, self._kind), images=symmetries(self._board), whole=True)
        if end.lurd is not None:
            best = verify(self._level, end.lurd, by=NAME)
        is_proof = end.limit is None and self._kind != open_list.PUSHES_MOVES
        return replace(best, proven=aim) if is_proof else best

    def _length(self, fence: tuple[int, int | None], positions: int) -> int:
        """Return the length in pushes of a piece whose fence has about this many positions."""
        boxes, squares = fence
        if squares is None:  # the boxes of a piece have as many squares of their own as the piece has pushes
            return int(positions**0.5)
        live = int(self._board.size + 1 - self._board.dead.sum())
        count = len(self._board.boxes)
        return int(positions / comb(count, min(boxes, count)) / min(squares, live) ** min(boxes, count))

    def _improve_pieces(self, best: Solved, length: int, fence: tuple[int, int | None]) -> Solved:
        """Search the solution again piece by piece, each piece overlapping the one before by half."""
        course = Course(self._board, best)
        first = 0
        while first < len(course) and not self._is_over:
            last = min(first + length, len(course))
            name = (*course.name_of(first, last), fence)
            if name not in self._failed_pieces:
                better = self._improve_piece(course, first, last, *fence)
                if better is None:
                    self._failed_pieces.add(name)
                else:
                    course = Course(self._board, better)
            first = last if last == len(course) else first + length // 2
        return course.solution

    def _improve_piece(
        self, course: Course, first: int, last: int, boxes: int, squares: int | None
    ) -> Solved | None:  # fmt: skip
        """Search the pushes from *first* to before *last* again; return None if that is no improvement."""
        piece = course.piece(first, last)
        new_pushes: list[Push] = []  # enough if the boxes return to their start squares
        if piece is not None:
            fence = make_fence(piece.board, course.positions[first : last + 1], boxes, squares, _MOST_POSITIONS)
            if fence is None:
                return None
            below = cost(Solved("", piece.moves, last - first), self._kind)
            end = self._search(piece.board, course.solution, below=below, fence=fence, ends=piece.ends)
            if end.lurd is None:
                return None
            new_pushes = pushes_of(piece.board, end.lurd)
        lurd = in_moves(self._board, course.pushes[:first] + new_pushes + course.pushes[last:])
        if lurd is None:
            return None
        improved = verify(self._level, lurd, by=NAME)
        return improved if cost(improved, self._kind) < cost(course.solution, self._kind) else None

    def _search(self, board: Board, best: Solved, **limits: Any) -> SearchEnd:
        end = search(board, self._kind, self._meter, name=NAME, **limits)
        # Check whether the budget has ended, and report the progress.
        count = best.moves if self._kind == open_list.MOVES_PUSHES else best.pushes
        progress = Progress(self._meter.nodes, 0, 0, count, NAME)
        self._is_over = self._is_over or self._meter.over(progress) is not None
        return end
