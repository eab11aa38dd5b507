"""Better a solution: fewer pushes, then moves, or fewer moves, then pushes.

Three ways, each by the A* of `astar`, which never returns anything that is no better:

- pieces: the pushes from one position of the solution to a later one are done anew at the least cost, and the pieces
  are joined again; independent pushes fall into a better order by this;
- vicinity: the best way from the start to the end through box positions near those of the solution (`vicinity`);
- at last, in what is left of the time, the whole level, which proves the solution best if it ends.

What one way finds the others begin with, until none finds more or the budget ends. Everything is replayed.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from solvers.sokoban.level import Level
from solvers.sokoban.solving.answers import Aim, Solved, verify
from solvers.sokoban.solving.board import Board, make_board
from solvers.sokoban.solving.budget import Budget, Meter, Progress, Report
from solvers.sokoban.solving.floor.pushes import Push, in_moves, positions_of, pushes_of
from solvers.sokoban.solving.proving import open_list
from solvers.sokoban.solving.proving.best_first import SearchEnd, cost, search
from solvers.sokoban.solving.proving.lower_bounds import costs_to
from solvers.sokoban.solving.proving.symmetries import symmetries
from solvers.sokoban.solving.proving.vicinity import make_fence

NAME = "optimizer"
# How many boxes leave their places, and to how many squares, in one vicinity after the other.
_VICINITIES = ((1, 10_000), (2, 8), (2, 20), (3, 6), (3, 12))
_MOST_POSITIONS = 4_000_000
_PIECES = (12, 30, 60)  # pushes of a piece
_PIECE_STATES = 20_000


def optimize(
    level: Level,
    lurd: str,
    aim: Aim = Aim.PUSHES,
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
    best = verify(level, lurd, by=NAME)
    meter = Meter(budget, report=report, cancelled=cancelled)
    board = make_board(level)
    kinds = (open_list.MOVES_PUSHES,) if aim is Aim.MOVES else (open_list.PUSHES, open_list.PUSHES_MOVES)
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

    def to_the_end(self, best: Solved, aim: Aim) -> Solved:
        """Better *best* in all ways until none betters it or the budget ends."""
        passes = [self._by_pieces(length) for length in _PIECES]
        passes += [self._by_vicinity(boxes, squares) for boxes, squares in _VICINITIES]
        at = 0
        while at < len(passes) and not self._is_over:
            better = passes[at](best)
            if better is None:
                at += 1
            else:
                best = better
                at = 0 if at >= len(_PIECES) else at
        if self._is_over:
            return best
        found = self._search(self._board, best, images=symmetries(self._board), whole=True)
        if found.lurd is not None:
            best = verify(self._level, found.lurd, by=NAME)
        is_proof = found.limit is None and self._kind != open_list.PUSHES_MOVES
        return replace(best, proven=aim) if is_proof else best

    def _by_vicinity(self, boxes: int, squares: int) -> Callable[[Solved], Solved | None]:
        def better(best: Solved) -> Solved | None:
            near = min(squares, self._board.size)
            fence = make_fence(self._board, positions_of(self._board, best.lurd), boxes, near, _MOST_POSITIONS)
            if fence is None:
                return None
            found = self._search(self._board, best, fence=fence)
            return None if found.lurd is None else verify(self._level, found.lurd, by=NAME)

        return better

    def _search(self, board: Board, best: Solved, **limits: Any) -> SearchEnd:
        found = search(board, self._kind, self._meter, below=cost(best, self._kind), name=NAME, **limits)
        self._look(best)
        return found

    def _look(self, best: Solved) -> None:
        """See whether the budget has ended, and tell how far the work is."""
        count = best.moves if self._kind == open_list.MOVES_PUSHES else best.pushes
        progress = Progress(self._meter.nodes, 0, 0, count, NAME)
        self._is_over = self._is_over or self._meter.over(progress) is not None

    def _by_pieces(self, length: int) -> Callable[[Solved], Solved | None]:
        def better(best: Solved) -> Solved | None:
            found = best
            for first in self._starts(best, length):
                if self._is_over:
                    break
                anew = self._with_piece(found, first, first + length)
                found = anew or found
            return found if found is not best else None

        return better

    @staticmethod
    def _starts(best: Solved, length: int) -> Iterator[int]:
        yield from range(0, max(best.pushes - length // 2, 1), max(length // 2, 1))

    def _with_piece(self, best: Solved, first: int, last: int) -> Solved | None:
        """Do the pushes from *first* to before *last* anew; None where that betters nothing."""
        pushes = pushes_of(self._board, best.lurd)
        last = min(last, len(pushes))
        if last - first < 2:
            return None
        start, steps = self._state_before(best, pushes, first)
        end, steps_after = self._state_before(best, pushes, last)
        board = self._piece_board(start, end)
        if board is None:
            return None
        moves = steps_after - steps
        piece = Solved("", moves, last - first)
        # A piece may end elsewhere than before: a few moves more may be made good by the walk that follows.
        found = search(
            board, self._kind, self._meter, below=cost(piece, self._kind), states=_PIECE_STATES, name=NAME
        )  # fmt: skip
        self._look(best)
        if found.lurd is None:
            return None
        joined = pushes[:first] + pushes_of(board, found.lurd) + pushes[last:]
        lurd = in_moves(self._board, joined)
        if lurd is None:
            return None
        whole = verify(self._level, lurd, by=NAME)
        return whole if cost(whole, self._kind) < cost(best, self._kind) else None

    def _state_before(self, best: Solved, pushes: list[Push], number: int) -> tuple[tuple[int, list[int]], int]:
        """The player where the last push before *number* left him, the boxes, and the steps made."""
        boxes = [int(box) for box in self._board.boxes]
        player = self._board.player
        for box, direction in pushes[:number]:
            boxes[boxes.index(box)] = int(self._board.neighbours[box, direction])
            player = box
        steps = 0
        left = number
        for at, letter in enumerate(best.lurd):
            if left == 0:
                break
            left -= letter.isupper()
            steps = at + 1
        return (player, boxes), steps

    def _piece_board(self, start: tuple[int, list[int]], end: tuple[int, list[int]]) -> Board | None:
        """The board as a level whose goals are the places of the boxes at the *end*; None if nothing differs."""
        boxes, goals = np.array(sorted(start[1]), np.int32), np.array(sorted(end[1]), np.int32)
        if (boxes == goals).all():
            return None
        goal = np.zeros(self._board.size + 1, np.uint8)
        goal[goals] = 1
        board = self._board._replace(player=start[0], boxes=boxes, goals=goals, goal=goal)
        costs = costs_to(board, goals, pull=False)
        reached = (costs.pushes < 1_000_000).any(axis=1)
        rows = costs.row.reshape(-1, 4)
        alive = ((rows >= 0) & reached[rows]).any(axis=1)
        return board._replace(dead=np.append(~alive, True).astype(np.uint8))
