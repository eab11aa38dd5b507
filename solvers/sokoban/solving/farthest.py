"""The start positions farthest from the goals, found by exhaustive backward search with pulls.

Breadth-first search by pulls over states of boxes and player zone. Each state is first reached at its minimum number of
pushes, so each of the last states is a level with a proven optimum. With more states than allowed the search is cut
off at a depth, and everything up to that depth is still exact.
"""

from collections.abc import Sequence
from typing import NamedTuple, overload

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.budget import Meter
from solvers.sokoban.solving.compiling import Table, kernel
from solvers.sokoban.solving.floor.floods import flood
from solvers.sokoban.solving.floor.squares import Squares, live_squares
from solvers.sokoban.solving.floor.tables import copy
from solvers.sokoban.solving.proving.scratch import Scratch, scratch_for
from solvers.sokoban.solving.proving.states import (
    Store,
    bytes_a_state,
    find,
    key_of,
    make_slots,
    make_store,
    number_in,
    pack,
    put_number,
    unpack,
)


class Start(NamedTuple):
    """A start position: boxes, the player's least square, the minimum of pushes, and box changes on the path found."""

    boxes: tuple[int, ...]
    player: int
    pushes: int
    changes: int


class Starts(Sequence[Start]):
    """All start positions found, in the order of their pushes, each read from the table when it is asked for."""

    def __init__(self, board: Board, states: int, meter: Meter | None = None) -> None:
        """Search at most *states* states, from boxes on goals; a *meter* limits them further, and counts them."""
        self._squares = live_squares(board.dead)
        if meter:
            affordable = int(meter.bytes_allowed // bytes_a_state(self._squares, with_moves=True))
            states = max(board.size, min(states, affordable, meter.nodes_left))  # room for the player's zones
        self._store = make_store(self._squares, states, with_moves=True)
        self._scratch = scratch_for(board, self._store.rows.shape[1])
        self._count = spread_out(board, self._squares, self._store, make_slots(2 * states), self._scratch)
        if meter:
            meter.nodes += self._count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Start: ...
    @overload
    def __getitem__(self, index: slice) -> list[Start]: ...

    def __getitem__(self, index: int | slice) -> Start | list[Start]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(self._count))]
        state = range(self._count)[index]
        row, boxes = self._store.rows[state], self._scratch.boxes
        held = unpack(self._squares, row, boxes)
        place = tuple(int(box) for box in boxes[:held])
        return Start(place, int(number_in(row, 4)), int(number_in(row, 2)), int(self._store.moves[state]) >> 16)


def farthest_starts(board: Board, states: int, most: int, meter: Meter | None = None) -> list[Start]:
    """Return the *most* starts that need the most pushes, searching at most *states* states from boxes on goals.

    A *meter* limits the states further, and counts those stored.
    *changes* counts the box changes on the path found, at most 65,535.
    """
    return Starts(board, states, meter)[: -1 - most : -1]


@kernel
def spread_out(board: Board, squares: Squares, store: Store, slots: Table, scratch: Scratch) -> int:
    """Store the solved states of all zones and all states pulled from them; return the number of states.

    `moves` of a state is the square of the box pulled last and, above 16 bits, the box changes.
    """
    boxes, row, blocked, zone, marks, queue = (
        scratch.boxes, scratch.row, scratch.blocked, scratch.walked, scratch.marks, scratch.queue
    )  # fmt: skip
    size, count = board.size, board.goals.shape[0]
    neighbours = board.neighbours
    room = store.rows.shape[0]
    blocked[size] = 1
    for at in range(count):
        blocked[board.goals[at]] = 1
    stored = 0
    for square in range(size):
        if blocked[square] == 0 and zone[square] == 0:
            flood(neighbours, blocked, square, zone, 1, queue)
            pack(squares, board.goals, count, row)
            put_number(row, 4, square)
            put_number(row, 2, 0)
            slots[-1 - find(store, slots, row, key_of(board, board.goals, count, square))] = stored + 1
            copy(row, store.rows[stored])
            store.moves[stored] = size
            stored += 1
    mark = 1
    state = 0
    while state < stored:
        unpack(squares, store.rows[state], boxes)
        man, pushes = number_in(store.rows[state], 4), number_in(store.rows[state], 2)
        last, changes = store.moves[state] & 0xFFFF, store.moves[state] >> 16
        for square in range(size):
            blocked[square] = 0
        for at in range(count):
            blocked[boxes[at]] = 1
        mark += 1
        zone_mark = mark
        flood(neighbours, blocked, man, zone, zone_mark, queue)
        key = key_of(board, boxes, count, man)
        for at in range(count):
            box = boxes[at]
            for direction in range(4):
                target = neighbours[box, direction]
                if blocked[target] or zone[target] != zone_mark or squares.bit[target] < 0:
                    continue
                stand = neighbours[target, direction]
                if blocked[stand]:
                    continue
                blocked[box] = 0
                blocked[target] = 1
                mark += 1
                after = flood(neighbours, blocked, stand, marks, mark, queue)
                blocked[box] = 1
                blocked[target] = 0
                code = key ^ board.zone_keys[man] ^ board.zone_keys[after]
                code ^= board.box_keys[box] ^ board.box_keys[target]
                copy(store.rows[state], row)
                row[squares.bit[box] >> 3] ^= np.uint8(1 << (squares.bit[box] & 7))
                row[squares.bit[target] >> 3] ^= np.uint8(1 << (squares.bit[target] & 7))
                put_number(row, 4, after)
                put_number(row, 2, pushes + 1)
                slot = find(store, slots, row, code)
                if slot >= 0 or stored == room or pushes >= 60_000:
                    continue
                slots[-1 - slot] = stored + 1
                copy(row, store.rows[stored])
                changed = min(changes + (0 if last == box else 1), 0x7FFF)
                store.moves[stored] = target | (changed << 16)
                stored += 1
        state += 1
    return stored
