"""Similarity of two boards under all symmetries."""

from dataclasses import dataclass
from functools import lru_cache

from solvers.sokoban.level import BOX, GOAL, Level

_SLACK = 1  # rows and columns by which a board may be moved beyond the other's edges


@dataclass(frozen=True)
class _Marks:
    """Bit planes of a board in one integer: reached squares, goals and boxes, row by row."""

    width: int
    height: int
    bits: int


def likeness(one: Level, other: Level) -> float:
    """Return the similarity of *one* and *other*, from 0 to 1, at their best alignment.

    >>> room, turned = Level.parse("######|#@$-.#|######"), Level.parse("###|#.#|#-#|#$#|#@#|###")
    >>> likeness(room, turned)
    1.0
    >>> round(likeness(room, Level.parse("#######|#@$--.#|#######")), 2)
    0.77

    Dice coefficient (1945) of three sets: squares in the player's reach, goals and boxes. All eight symmetries are
    tried, at offsets up to one row or column beyond those where the smaller board lies within the larger. Each level
    needs a player. Cost: 8 * (difference of the widths + 3) * (difference of the heights + 3) comparisons of
    O(longest side squared) bits. The bit planes of *one* are cached for the next *other*.
    """
    side = max(one.width, one.height, other.width, other.height)
    stride = 2 * (side + _SLACK)  # wide enough that rows never overlap, wherever a board is moved
    whole = _marks_of(other, 0, stride)
    turned = [_marks_of(one, symmetry, stride) for symmetry in range(8)]
    best = max(
        _count_common(marks.bits, whole.bits, down * stride + right)
        for marks in turned
        for down in _offsets(marks.height - whole.height)
        for right in _offsets(marks.width - whole.width)
    )
    return 2 * best / (turned[0].bits.bit_count() + whole.bits.bit_count())


def _offsets(room: int) -> range:
    """Return the offsets to try for a board within one that is larger by *room*, which may be negative."""
    return range(min(0, room) - _SLACK, max(0, room) + _SLACK + 1)


def _count_common(first: int, second: int, shift: int) -> int:
    return (first & second << shift if shift >= 0 else first << -shift & second).bit_count()


@lru_cache(maxsize=512)
def _marks_of(level: Level, symmetry: int, stride: int) -> _Marks:
    level = level.transform(symmetry)
    squares = [(*divmod(cell, level.width), level.cells[cell]) for cell in level.reach]
    rows, columns = [row for row, _column, _what in squares], [column for _row, column, _what in squares]
    top, left, plane = min(rows), min(columns), stride * stride
    bits = 0
    for row, column, what in squares:
        at = (row - top) * stride + column - left
        bits |= 1 << at | bool(what & GOAL) << plane + at | bool(what & BOX) << 2 * plane + at
    return _Marks(max(columns) - left + 1, max(rows) - top + 1, bits)
