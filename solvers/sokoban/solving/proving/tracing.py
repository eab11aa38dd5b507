"""The solution that ends in a state of an exact search, found by taking its pushes back one by one.

No state remembers where it came from: of the states one push before, one stands in the hash table at the cost less what
the push takes.
"""

from collections.abc import Iterator

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table
from solvers.sokoban.solving.floor.routes import MacroMove, to_lurd
from solvers.sokoban.solving.proving.open_list import PUSHES
from solvers.sokoban.solving.proving.states import Squares, Store, find_state, number_in, unpack


def solution(board: Board, squares: Squares, images: Table, store: Store, slots: Table, state: int, aim: int) -> str:
    """The moves from the start to *state*, or to an image of it. Raise LookupError where no state before can be found
    (a bug).
    """
    return _Trace(board, squares, images, store, slots, aim).back_from(state)


class _Trace:
    def __init__(
        self, board: Board, squares: Squares, images: Table, store: Store, slots: Table, aim: int
    ) -> None:  # fmt: skip
        self._board, self._squares, self._store, self._slots, self._aim = board, squares, store, slots, aim
        self._images, self._turns = images, images.tolist()
        self._beside = [[int(to) for to in row] for row in board.neighbours]
        self._row = np.zeros(store.rows.shape[1], np.uint8)
        # The way may begin in any image of the start: (boxes, player).
        boxes = board.boxes.tolist()
        self._starts = [(frozenset(turn[box] for box in boxes), turn[board.player]) for turn in self._turns]

    def back_from(self, state: int) -> str:
        held = np.zeros(len(self._squares.square) + 1, np.int32)
        count = unpack(self._squares, self._store.rows[state], held)
        boxes = frozenset(map(int, held[:count]))
        man = int(number_in(self._store.rows[state], 4))
        cost = self._cost(state)
        macros = []
        while cost[0] > 0:
            cost, boxes, man, macro = self._before(cost, boxes, man)
            macros.append(macro)
        turn = self._turns[self._starts.index((boxes, man))]
        back = {there: here for here, there in enumerate(turn)}
        return to_lurd(self._board, (MacroMove(*(back[square] for square in macro)) for macro in reversed(macros)))

    def _cost(self, state: int) -> tuple[int, int]:
        """Pushes and moves; moves are 0 where they do not count."""
        pushes = int(number_in(self._store.rows[state], 2))
        return pushes, 0 if self._aim == PUSHES else int(self._store.moves[state])

    def _before(
        self, cost: tuple[int, int], boxes: frozenset[int], man: int
    ) -> tuple[tuple[int, int], frozenset[int], int, MacroMove]:
        """The cheapest state known one push before, and the push."""
        found = []
        for box, square, stand in self._last_pushes(boxes, man):
            others = boxes - {box} | {square}
            walked = self._walks(others, stand)
            if cost[0] == 1:
                for start, man_there in self._starts:
                    if others == start and man_there in walked:
                        walk = 0 if self._aim == PUSHES else walked[man_there] + 1
                        found.append(((walk, 0), (0, 0), others, man_there, MacroMove(square, box, square)))
                continue
            for before in (min(walked),) if self._aim == PUSHES else walked:
                known = self._find(others, list(walked) if self._aim == PUSHES else [before])
                if known is None:
                    continue
                pushes, moves = self._cost(known)
                walk = 0 if self._aim == PUSHES else walked[before] + 1
                if pushes == cost[0] - 1 and moves + walk <= cost[1]:
                    found.append(
                        ((moves + walk, before), (pushes, moves), others, before, MacroMove(square, box, square))
                    )
        if not found:
            raise LookupError(f"no state leads to the boxes on {sorted(boxes)} with the player on {man}")
        _, known_cost, others, before, macro = min(found, key=lambda one: one[0])
        return known_cost, others, before, macro

    def _last_pushes(self, boxes: frozenset[int], man: int) -> Iterator[tuple[int, int, int]]:
        """Yield what may have been pushed last: the box, the square it left, and the one the player stood on before."""
        squares = self._walks(boxes, man) if self._aim == PUSHES else (man,)
        for box in boxes:
            for direction in range(4):
                square = self._beside[box][direction]
                stand = self._beside[square][direction] if square in squares else self._board.size
                if stand != self._board.size and stand not in boxes:
                    yield box, square, stand

    def _walks(self, boxes: frozenset[int], start: int) -> dict[int, int]:
        """Where the player can walk, with the steps."""
        walked = {start: 0}
        todo = [start]
        for here in todo:
            for there in self._beside[here]:
                if there != self._board.size and there not in boxes and there not in walked:
                    walked[there] = walked[here] + 1
                    todo.append(there)
        return walked

    def _find(self, boxes: frozenset[int], zone: list[int]) -> int | None:
        """The number of the state, or of its image that is kept: the one whose key is least."""
        held = self._images[:, list(boxes)]
        men = self._images[:, zone].min(axis=1)
        keys = np.bitwise_xor.reduce(self._board.box_keys[held], axis=1) ^ self._board.zone_keys[men]
        least = int(keys.argmin())
        kept = np.sort(held[least])
        state = int(
            find_state(self._board, self._squares, self._store, self._slots, kept, int(men[least]), self._row)
        )  # fmt: skip
        return state if state >= 0 else None
