"""Explain why a position is lost: the fewest boxes that can never all get home, and the push that lost them.

`dead_ends` proves positions lost, and removes boxes as long as the rest is still proved lost. Which boxes remain
depends on the order in which they are removed, so several orders are tried.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.playback import Playback
from solvers.sokoban.position import Position
from solvers.sokoban.replay import replay
from solvers.sokoban.solving.board import Board, Hopeless, make_board
from solvers.sokoban.solving.budget import Budget, Meter
from solvers.sokoban.solving.compiling import Table, kernel
from solvers.sokoban.solving.deadlocks.corral_search import corral_memory_for
from solvers.sokoban.solving.deadlocks.corrals import corrals_for
from solvers.sokoban.solving.deadlocks.dead_ends import (
    MOST_STATES,
    N_PATTERNS,
    Deadlocks,
    dead_ends_for,
    is_dead_end,
)
from solvers.sokoban.solving.deadlocks.freezing import walls_for
from solvers.sokoban.solving.floor.macros import work_for

_LIMITS = (50, 1_000, MOST_STATES)  # states of a first proof, then of harder ones
_ORDERS = 12  # in which boxes are removed
_MOST_SPREAD = 3_000  # positions of the boxes of a loss that are listed to find the squares they can reach


@dataclass(frozen=True)
class Loss:
    """The reason why a position is lost.

    *boxes*: the cells of boxes that can never all get to goals, whatever becomes of the others. *reach*: the cells to
    which these can still be pushed, with their own; empty if these are too many to list. *push*: the number of the push
    after which that was so, from 1; 0 if it was so from the start. *moves*: moves before that push.
    """

    boxes: tuple[int, ...]
    reach: tuple[int, ...]
    push: int
    moves: int


def explain_loss(
    level: Level,
    lurd: str = "",
    budget: Budget = Budget(cpu_seconds=2.0),  # noqa: B008 - frozen
    *,
    cancelled: Callable[[], bool] | None = None,
) -> Loss | None:
    """Return why *level* cannot be solved after the moves *lurd*; None if that is not so, or is not proved.

    >>> level = Level.parse("#######|#-----#|#-$-$-#|#--@--#|#-..--#|#######")
    >>> explain_loss(level, "rU")
    Loss(boxes=(11,), reach=(8, 9, 10, 11, 12), push=1, moves=1)

    The boxes are the fewest found, and none of them can be left out. Raise ValueError if *lurd* cannot be played.
    """
    played = replay(level, Moves.parse(lurd))
    if played.step:
        raise ValueError(f"step {played.step} of these moves is impossible")
    try:
        board = make_board(level)
    except Hopeless:
        return None
    if not len(board.boxes):
        return None
    return Tutor(level, played.lurd, board, Meter(budget, cancelled=cancelled)).explain()


class Tutor:
    """The tables for the positions of one game: *lurd* played on *level*, whose board is *board*."""

    def __init__(self, level: Level, lurd: str, board: Board, meter: Meter) -> None:
        self.level, self.lurd, self.board, self.meter = level, lurd, board, meter
        self.goals = frozenset(level.goals)
        self.square = {int(cell): square for square, cell in enumerate(board.cells)}
        memory, ends = corral_memory_for(board, 1 << 16), dead_ends_for(board)
        work = work_for(board, len(board.boxes))
        self.deadlocks = Deadlocks(board, work, walls_for(board), corrals_for(board.size), memory, ends)

    def explain(self) -> Loss | None:
        playback = Playback(self.level, self.lurd)
        last = playback[len(self.lurd)]
        lost = self._fewest(last)
        if not lost:
            return None
        pushes = [number for number, letter in enumerate(self.lurd) if letter.isupper()]  # moves before each push
        first, sure = 0, len(pushes)  # the loss is proved after *sure* pushes; a lost position stays lost
        while first < sure:
            middle = (first + sure) // 2
            position = playback[pushes[middle - 1] + 1 if middle else 0]
            if self.prove_lost([position.boxes[index] for index in lost], position.player, MOST_STATES):
                sure = middle
            else:
                first = middle + 1
        cells = [last.boxes[index] for index in lost]
        return Loss(tuple(sorted(cells)), self._reach(cells, last.player), sure, pushes[sure - 1] if sure else 0)

    def _fewest(self, position: Position) -> list[int]:
        """Return the indices of the fewest boxes found that are lost; none if nothing is proved."""
        movable = [cell for cell in position.boxes if cell in self.square]
        fewest: list[int] = []
        for limit in _LIMITS:
            fewest = self.prove_lost(movable, position.player, limit)
            if fewest or self.meter.over():
                break
        chance = random.Random(0)  # noqa: S311 - no secret: the same position gets the same answer
        for _ in range(_ORDERS if len(fewest) > 1 else 0):
            if self.meter.over():
                break
            chance.shuffle(movable)
            other = self.prove_lost(movable, position.player, limit)
            fewest = min(fewest, other or fewest, key=len)
        return sorted(position.boxes.index(cell) for cell in fewest)

    def prove_lost(self, cells: list[int], player: int, limit: int) -> list[int]:
        """Return those of the boxes on *cells* that are lost, removing the last ones first; none without a proof."""
        ends = self.deadlocks.ends
        ends.counts[N_PATTERNS] = 0  # so that the pattern to be learned is the first
        boxes = np.array([self.square[cell] for cell in cells], np.int16)
        if not _prove_lost(self.deadlocks, boxes, len(boxes), self.square[player], limit):
            return []
        return [int(self.board.cells[square]) for square in ends.patterns[0, : ends.sizes[0]]]

    def _reach(self, cells: list[int], player: int) -> tuple[int, ...]:
        """Return the cells to which the boxes on *cells*, alone on the board, can be pushed; empty if too many."""
        level, seen, reached = self.level, set[tuple[frozenset[int], int]](), set(cells)
        waiting = [(frozenset(cells), player)]
        while waiting:
            boxes, player = waiting.pop()
            zone = _zone(level, boxes, player)
            if (boxes, min(zone)) in seen:
                continue
            if self.goals >= boxes:
                raise AssertionError(f"boxes on {cells} can get home on {level}")
            seen.add((boxes, min(zone)))
            if len(seen) > _MOST_SPREAD:
                return ()
            for stand in zone:
                for box in boxes.intersection(level.neighbours(stand)):
                    target = 2 * box - stand
                    if target in level.reach and target not in boxes:
                        waiting.append((boxes - {box} | {target}, box))
                        reached.add(target)
        return tuple(sorted(reached))


def _zone(level: Level, boxes: frozenset[int], player: int) -> set[int]:
    """Return the cells to which the player can walk."""
    zone, waiting = {player}, [player]
    while waiting:
        for cell in level.neighbours(waiting.pop()):
            if cell in level.reach and cell not in boxes and cell not in zone:
                zone.add(cell)
                waiting.append(cell)
    return zone


@kernel
def _prove_lost(deadlocks: Deadlocks, boxes: Table, count: int, stand: int, limit: int) -> bool:
    return is_dead_end(deadlocks, boxes, count, stand, limit)
