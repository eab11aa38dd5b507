"""A solution as pushes, and its pieces: levels that end where the next piece begins."""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.answers import Solved
from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table
from solvers.sokoban.solving.floor.pushes import Push, positions_of, pushes_of
from solvers.sokoban.solving.proving.lower_bounds import costs_to


class Piece(NamedTuple):
    """The pushes from *first* to before *last* of a solution.

    *board* starts at the piece's start; its goals are the boxes' squares at the piece's end. *ends*: see `Costs`.
    *moves*: the steps of the piece and of the walk that follows.
    """

    board: Board
    ends: Table
    moves: int


class Course:
    """A solution as a sequence of pushes and positions."""

    def __init__(self, board: Board, solution: Solved) -> None:
        self.solution = solution
        self.pushes = pushes_of(board, solution.lurd)
        self.positions = positions_of(board, solution.lurd)
        self._board = board
        # The player's square before each push and at the end, and the steps made until then.
        self._players = [board.player, *(box for box, _ in self.pushes)]
        self._steps = [0, *(at + 1 for at, letter in enumerate(solution.lurd) if letter.isupper())]

    def __len__(self) -> int:
        return len(self.pushes)

    def name_of(self, first: int, last: int) -> tuple[object, ...]:
        """Return a key that identifies the same piece in any solution."""
        boxes = np.sort(self.positions[first]).tobytes()
        return boxes, self._players[first], tuple(self.pushes[first : last + 1])

    def piece(self, first: int, last: int) -> Piece | None:
        """Return the piece as a level, or None if its boxes end as they began."""
        boxes, goals = np.sort(self.positions[first]), np.sort(self.positions[last])
        if (boxes == goals).all():
            return None
        goal = np.zeros(self._board.size + 1, np.uint8)
        goal[goals] = 1
        board = self._board._replace(player=self._players[first], boxes=boxes, goals=goals, goal=goal)
        costs = costs_to(board, goals, pull=False)
        reached = (costs.pushes < FAR).any(axis=1)
        rows = costs.row.reshape(-1, 4)
        alive = ((rows >= 0) & reached[rows]).any(axis=1)
        board = board._replace(dead=np.append(~alive, True).astype(np.uint8))
        moves = self._steps[last] - self._steps[first]
        ends = np.zeros(self._board.size + 1, np.int32)
        if last < len(self):
            moves = self._steps[last + 1] - 1 - self._steps[first]
            ends = self._walks_to(self.pushes[last], goals)
        return Piece(board, ends, moves)

    def _walks_to(self, push: Push, boxes: Table) -> Table:
        """Return int32[n+1]: the player's steps from each square to where *push* begins, FAR if unreachable."""
        neighbours, size = self._board.neighbours, self._board.size
        start = int(neighbours[push.box, push.direction ^ 2])
        steps = np.full(size + 1, FAR, np.int32)
        steps[start] = 0
        seen = {start, size, *boxes.tolist()}
        todo = [start]
        for here in todo:
            for there in neighbours[here].tolist():
                if there not in seen:
                    seen.add(there)
                    steps[there] = steps[here] + 1
                    todo.append(there)
        return steps
