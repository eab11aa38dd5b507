"""Tree of a feature-space search: states, the moves between them, and the queued moves of each cell.

The queued moves of a cell are a pairing heap (Fredman, Sedgewick, Sleator, Tarjan 1986): least weight first, then best
score. Moves, not states, use most memory: 41 bytes each.
"""

from typing import NamedTuple, TypeVar

import numpy as np

from solvers.sokoban.solving.compiling import Table, inner, kernel

T = TypeVar("T", "States", "Edges")

EMPTY, LOST = -1, -2  # in the hash table of states: no entry, an unsolvable state


class States(NamedTuple):
    """State number e has `count[e]` boxes on `boxes[e]` (int16) and the player in the zone of *stand* (int16).

    *key* uint64 identifies it, *boxes_key* its boxes; *via* int32 is the move that led to it (-1: a root), *own* int64
    its score (-1: lost), *best* the best score on its path; *weight*, *cell*, *depth* int32. *alive* int32 counts its
    moves not known to be lost. *forced* uint8: its moves remove boxes from the board. *starts* uint8[e, n+1], in
    searches with removal: start squares still to be filled.
    """

    boxes: Table
    count: Table
    stand: Table
    key: Table
    boxes_key: Table
    via: Table
    own: Table
    best: Table
    weight: Table
    cell: Table
    depth: Table
    alive: Table
    forced: Table
    starts: Table


class Edges(NamedTuple):
    """Move number m leads from state *parent* (int32): a box from *source* to *target*, the player to *stand* (int16).

    *key* uint64 identifies the resulting state; *score* int64 and *weight* int32 are its priority; *child* and
    *sibling* int32 link the heap.
    """

    parent: Table
    source: Table
    target: Table
    stand: Table
    key: Table
    score: Table
    weight: Table
    child: Table
    sibling: Table


def states_for(rows: int, boxes: int, removal_size: int) -> States:
    """Allocate *rows* states; *removal_size* is n+1 in a search with removal, else 0."""
    return States._make(
        [
            np.zeros((rows, boxes), np.int16),
            np.zeros(rows, np.int16),
            np.zeros(rows, np.int16),
            np.zeros(rows, np.uint64),
            np.zeros(rows, np.uint64),
            np.full(rows, -1, np.int32),
            np.zeros(rows, np.int64),
            np.zeros(rows, np.int64),
            *(np.zeros(rows, np.int32) for _ in range(4)),
            np.zeros(rows, np.uint8),
            np.zeros((rows if removal_size else 1, max(removal_size, 1)), np.uint8),
        ]
    )


def edges_for(rows: int) -> Edges:
    """Allocate *rows* moves."""
    return Edges._make(
        [
            np.zeros(rows, np.int32),
            *(np.zeros(rows, np.int16) for _ in range(3)),
            np.zeros(rows, np.uint64),
            np.zeros(rows, np.int64),
            *(np.zeros(rows, np.int32) for _ in range(3)),
        ]
    )


def longer(arrays: T, rows: int) -> T:
    """Return the same tables with room for *rows* rows; tables of one row are unchanged."""
    return type(arrays)._make(_longer(array, rows) for array in arrays)


def _longer(array: Table, rows: int) -> Table:
    if len(array) == 1:
        return array
    grown = np.zeros((rows, *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


@kernel
def find(places: Table, keys: Table, key: int) -> int:
    """Return the index of *key* in a hash table, or -1 - (the index to insert it)."""
    mask = np.int64(places.shape[0] - 1)
    at = np.int64(key & np.uint64(mask))
    while places[at] != EMPTY and keys[at] != key:
        at = (at + 1) & mask
    return at if places[at] != EMPTY else -1 - at  # type: ignore[return-value]


@kernel
def refill(places: Table, keys: Table, into: Table, into_keys: Table) -> None:
    """Copy a hash table into a larger one."""
    for at in range(places.shape[0]):
        if places[at] != EMPTY:
            place = -1 - find(into, into_keys, keys[at])
            into[place] = places[at]
            into_keys[place] = keys[at]


@kernel
def index_keys(keys: Table, count: int, places: Table, place_keys: Table) -> None:
    """Fill an empty hash table with the first index of each key."""
    for number in range(count):
        at = find(places, place_keys, keys[number])
        if at < 0:
            places[-1 - at] = number
            place_keys[-1 - at] = keys[number]


@inner
def merge(edges: Edges, one: int, other: int) -> int:
    """Merge two heaps (-1: empty); return the first move of both."""
    weight, score = edges.weight, edges.score
    if one >= 0 and other >= 0:
        if weight[other] < weight[one] or (weight[other] == weight[one] and score[other] > score[one]):
            one, other = other, one
        edges.sibling[other] = edges.child[one]
        edges.child[one] = other
    return one if one >= 0 else other


@inner
def drop_first(edges: Edges, first: int) -> int:
    """Return the heap without its first move: merge its children in pairs, then the pairs from last to first."""
    sibling = edges.sibling
    at, paired, heap = np.int64(edges.child[first]), np.int64(-1), np.int64(-1)
    while at >= 0:
        following, rest = np.int64(sibling[at]), np.int64(-1)
        sibling[at] = -1
        if following >= 0:
            rest = np.int64(sibling[following])
            sibling[following] = -1
            at = merge(edges, at, following)  # type: ignore[assignment]
        sibling[at] = paired
        paired = at
        at = rest
    while paired >= 0:
        following = np.int64(sibling[paired])
        sibling[paired] = -1
        heap = merge(edges, heap, paired)  # type: ignore[assignment]
        paired = following
    return heap  # type: ignore[return-value]
