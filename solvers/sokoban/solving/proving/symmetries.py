"""Board symmetries: positions that are images of each other need the same pushes and moves.

Walls and goals must be symmetric; the boxes and the player need not be. Only one image of a state is stored, so a
proof on a level with all eight symmetries stores at best an eighth of the states.
"""

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner
from solvers.sokoban.solving.floor.squares import Squares
from solvers.sokoban.solving.proving.scratch import Scratch
from solvers.sokoban.solving.proving.states import pack, put_number

# Matrices of the symmetries: (column, row) of a square times one of them gives its image.
_TURNS = tuple(np.array(turn) for turn in (
    ((1, 0), (0, 1)), ((-1, 0), (0, 1)), ((1, 0), (0, -1)), ((-1, 0), (0, -1)),
    ((0, 1), (1, 0)), ((0, -1), (1, 0)), ((0, 1), (-1, 0)), ((0, -1), (-1, 0)),
))  # fmt: skip


def itself(board: Board) -> Table:
    """Return int32[1, n+1]: the identity as the only symmetry."""
    return np.arange(board.size + 1, dtype=np.int32)[None]


def symmetries(board: Board) -> Table:
    """Return int32[k, n+1]: the image of each square under the k symmetries of walls and goals; the first is `itself`.

    Time O(n).
    """
    places = _places(board)
    number = {tuple(place): square for square, place in enumerate(places.tolist())}
    images = []
    for turn in _TURNS:
        turned = places @ turn
        turned += places.min(axis=0) - turned.min(axis=0)
        image = [number.get(tuple(place), -1) for place in turned.tolist()]
        if min(image) >= 0 and (board.goal[image] == board.goal[:-1]).all():
            images.append([*image, board.size])
    return np.array(images, np.int32)


def _places(board: Board) -> Table:
    """Return int64[n, 2]: column and row of each square, relative to the first square."""
    places = np.zeros((board.size, 2), np.int64)
    neighbours = board.neighbours.tolist()
    seen = {0, board.size}
    todo = [0]
    for here in todo:
        for there, step in zip(neighbours[here], ((-1, 0), (0, -1), (1, 0), (0, 1)), strict=True):
            if there not in seen:
                seen.add(there)
                places[there] = places[here] + step
                todo.append(there)
    return places


@inner
def image_keys(box_keys: Table, images: Table, boxes: Table, count: int, keys: Table) -> None:
    """Write the key of the boxes' image under each symmetry to *keys*, uint64[k]."""
    for turn in range(images.shape[0]):
        keys[turn] = np.uint64(0)
        for at in range(count):
            keys[turn] ^= box_keys[images[turn, boxes[at]]]


@inner
def least_image(
    board: Board, images: Table, keys: Table, box: int, target: int, man: int, zone: Table, stamp: int
) -> int:  # fmt: skip
    """Return the symmetry under which a child's image has the least key.

    In the child a box moved from *box* to *target*; *keys* are those of its parent. The player is on *man* or, if
    *stamp* is not 0, in the zone that it marks in *zone*.
    """
    least = np.uint64(0)
    chosen = 0
    for turn in range(images.shape[0]):
        there = man_image(images, turn, man, zone, stamp)
        key = keys[turn] ^ board.box_keys[images[turn, box]] ^ board.box_keys[images[turn, target]]
        key ^= board.zone_keys[there]
        if turn == 0 or key < least:
            least = key
            chosen = turn
    return chosen


@inner
def man_image(images: Table, turn: int, man: int, zone: Table, stamp: int) -> int:
    """Return the image of the player's square or, if *stamp* is not 0, the least square of the zone's image."""
    least = np.int64(images[turn, man])
    for square in range(images.shape[1] - 1 if stamp and turn else 0):
        if zone[square] == stamp:
            least = min(least, images[turn, square])
    return least  # type: ignore[return-value]


@inner
def pack_image(
    squares: Squares, images: Table, turn: int, scratch: Scratch, count: int, moved: int, target: int, man: int
) -> None:
    """Write the image of a child to `scratch.row`: box number *moved* of `scratch.boxes` moved to *target*.

    *man* is the player's image.
    """
    boxes, after, row = scratch.boxes, scratch.after, scratch.row
    for at in range(count):
        after[at] = images[turn, boxes[at]]
    after[moved] = images[turn, target]
    pack(squares, after, count, row)
    put_number(row, 4, man)
