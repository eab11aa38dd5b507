"""Packed states of an exact search: a bit for each square a box may use, the player, and the cost.

A state takes `live squares / 8 + 8` bytes, six more if moves count, and five to seven in the hash table: about 30
for an ordinary level of up to 256 floor squares. It stores no parent: the path is reconstructed by undoing pushes
(see `tracing`).
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner, kernel
from solvers.sokoban.solving.floor.squares import Squares

FIRST_SLOTS = 1 << 15
FULLEST = 0.85  # load factor of the hash table, at which it grows by half
MOST_PUSHES = 0xFFF0  # stored in 16 bits


class Store(NamedTuple):
    """All states. *rows* uint8[states, width]: box bits, then the player and the pushes, two bytes each.

    *moves* int32[states], or [1] if moves do not count. *link* int32[states]: the next state of a bucket, plus 1.
    """

    rows: Table
    moves: Table
    link: Table


def bytes_a_state(squares: Squares, *, with_moves: bool) -> float:
    """Return the maximum bytes per state, with the hash table just grown."""
    return _width(squares) + 4 + (4 if with_moves else 0) + 4 * 1.5 / FULLEST


def _width(squares: Squares) -> int:
    return (len(squares.square) + 7) // 8 + 4


def make_store(squares: Squares, states: int, *, with_moves: bool) -> Store:
    """Allocate a store of *states* states; physical memory is used only as they are written."""
    return Store(
        np.empty((states, _width(squares)), np.uint8),
        np.empty(states if with_moves else 1, np.int32),
        np.empty(states, np.int32),
    )


def make_slots(count: int = FIRST_SLOTS) -> Table:
    """Return an empty hash table, int32[count]: state number plus 1, or 0."""
    return np.zeros(count, np.int32)


@inner
def pack(squares: Squares, boxes: Table, count: int, row: Table) -> None:
    """Write the bits of the first *count* of *boxes* to *row*."""
    width = row.shape[0] - 4
    for at in range(width):
        row[at] = 0
    for at in range(count):
        bit = squares.bit[boxes[at]]
        row[bit >> 3] |= np.uint8(1 << (bit & 7))


@kernel
def unpack(squares: Squares, row: Table, boxes: Table) -> int:
    """Write the squares of the boxes to *boxes*, ascending; return their number."""
    count = 0
    for at in range(row.shape[0] - 4):
        rest = np.int64(row[at])
        bit = at << 3
        while rest:
            if rest & 1:
                boxes[count] = squares.square[bit]
                count += 1
            rest >>= 1
            bit += 1
    return count


@inner
def put_number(row: Table, place: int, number: int) -> None:
    """Write 16 bits to *row*: the player at offset 4 from the end, the pushes at 2."""
    at = row.shape[0] - place
    row[at] = np.uint8(number & 255)
    row[at + 1] = np.uint8(number >> 8)


@kernel
def number_in(row: Table, place: int) -> int:
    """Read a number written by `put_number`."""
    at = row.shape[0] - place
    return np.int64(row[at]) | (np.int64(row[at + 1]) << 8)  # type: ignore[return-value]


@inner
def key_of(board: Board, boxes: Table, count: int, man: int) -> int:
    """Return the Zobrist key of a state."""
    key = board.zone_keys[man]
    for at in range(count):
        key ^= board.box_keys[boxes[at]]
    return key  # type: ignore[no-any-return]


@inner
def first_slot(key: int, slots: int) -> int:
    """Return the first slot probed for this key in a table of *slots* slots."""
    return np.int64(((np.uint64(key) >> np.uint64(33)) * np.uint64(slots)) >> np.uint64(31))  # type: ignore[return-value]


@inner
def find(store: Store, slots: Table, row: Table, key: int) -> int:
    """Return the number of the state with the boxes and player of *row*, or -1 - (the slot to insert it)."""
    rows, size, last = store.rows, slots.shape[0], row.shape[0] - 3
    slot, at = first_slot(key, size), 0
    while slots[slot]:
        state = slots[slot] - 1
        at = last
        while at >= 0 and rows[state, at] == row[at]:
            at -= 1
        if at < 0:
            break
        slot += 1
        if slot == size:
            slot = 0
    return np.int64(slots[slot] - 1) if at < 0 else -1 - slot  # type: ignore[return-value]


@inner
def replace(slots: Table, key: int, known: int, fresh: int) -> None:
    """Point the hash table entry of *known* to *fresh*, the same state at lower cost."""
    size = slots.shape[0]
    slot = first_slot(key, size)
    while slots[slot] != known + 1:
        slot += 1
        if slot == size:
            slot = 0
    slots[slot] = fresh + 1


@kernel
def refill(board: Board, squares: Squares, store: Store, old: Table, slots: Table, boxes: Table) -> None:
    """Insert the states in *old* into the larger table *slots*. *boxes* is scratch for `unpack`."""
    for at in range(old.shape[0]):
        if old[at] == 0:
            continue
        row = store.rows[old[at] - 1]
        held = unpack(squares, row, boxes)
        slot = find(store, slots, row, key_of(board, boxes, held, number_in(row, 4)))
        slots[-1 - slot] = old[at]
