"""Moves: one piece along any path of free cells, written as its square and its path."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Self

from solvers.errors import TooLong
from solvers.klotski.errors import UnreadableMove
from solvers.klotski.layout import CELLS, COLUMNS, COVER, ROWS, Layout, Piece

MAX_TEXT = 1 << 20
STEPS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}
_NEIGHBOURS = [
    [
        (letter, cell + rows * COLUMNS + columns)
        for letter, (rows, columns) in STEPS.items()
        if 0 <= cell // COLUMNS + rows < ROWS and 0 <= cell % COLUMNS + columns < COLUMNS
    ]
    for cell in range(CELLS)
]
# Cells that a piece would cover after one step in any direction, as a bit set.
_BESIDE = {
    kind: [reduce(or_, (covers[there] for _, there in _NEIGHBOURS[cell]), 0) for cell in range(CELLS)]
    for kind, covers in COVER.items()
}
_CHINESE = str.maketrans("左上右下", "lurd")
_WORD = re.compile(r"([a-d])([1-5])(?:([lurd]+)|-([a-d])([1-5]))")


def square(cell: int) -> str:
    """Return the name of a cell: columns A to D, rows 1 to 5 from the top.

    >>> square(13)
    'B4'
    """
    return f"{'ABCD'[cell % COLUMNS]}{cell // COLUMNS + 1}"


@dataclass(frozen=True)
class Move:
    """The piece on cell *start* moves along *path* (letters lurd); with an empty path, so that *start* moves to *stop*.

    >>> Move.parse("B4dr"), str(Move.parse("c5左上")), str(Move.parse("B4-C5"))
    (Move(start=13, path='dr', stop=18), 'C5lu', 'B4-C5')
    """

    start: int
    path: str
    stop: int

    @classmethod
    def parse(cls, word: str) -> Self:
        """Parse one move, which may name any cell of the piece. Raise UnreadableMove."""
        match = _WORD.fullmatch(word.lower().translate(_CHINESE))
        if not match:
            raise UnreadableMove(word=word[:20], index=0)
        start = _cell(match[1], match[2])
        if match[4]:
            return cls(start, "", _cell(match[4], match[5]))
        row, column = divmod(start, COLUMNS)
        for letter in match[3]:
            row, column = row + STEPS[letter][0], column + STEPS[letter][1]
            if not (0 <= row < ROWS and 0 <= column < COLUMNS):
                raise UnreadableMove(word=word[:20], index=0)
        return cls(start, match[3], row * COLUMNS + column)

    def __str__(self) -> str:
        return square(self.start) + (self.path or f"-{square(self.stop)}")


def parse(text: str) -> list[tuple[int, Move]]:
    """Parse moves separated by blanks, commas, semicolons or arrows, each with the index of its first character.

    >>> [(index, str(move)) for index, move in parse("A5r, B4dr")]
    [(0, 'A5r'), (5, 'B4dr')]

    Numbers before moves (`12.`) are skipped. Raise TooLong or UnreadableMove.
    """
    if len(text) > MAX_TEXT:
        raise TooLong(size=len(text), limit=MAX_TEXT)
    moves = []
    for word in re.finditer(r"[^\s,;→>，；、]+", text):
        if re.fullmatch(r"[0-9]+[.):]?", word[0]):
            continue
        try:
            moves.append((word.start(), Move.parse(word[0])))
        except UnreadableMove as error:
            raise error.at(index=word.start()) from None
    return moves


def legal_moves(layout: Layout) -> Iterator[Move]:
    """Yield every move of a layout once, each by a shortest path, pieces in the order of their first cells.

    >>> [str(move) for move in legal_moves(Layout.parse("VCCVVCCVVHHVVooVo..o"))]
    ['B4d', 'B4dr', 'C4d', 'C4dl', 'A5r', 'A5rr', 'D5l', 'D5ll']
    """
    for piece in layout.pieces:
        for stop, path in ways(layout, piece).items():
            yield Move(piece.cell, path, stop)


def ways(layout: Layout, piece: Piece) -> dict[int, str]:
    """Map each cell that the piece's top left cell can reach, except its own, to a shortest path."""
    if not _BESIDE[piece.kind][piece.cell] & layout.free:
        return {}  # most pieces in most layouts
    covers = COVER[piece.kind]
    room = layout.free | covers[piece.cell]
    paths: dict[int, str] = {piece.cell: ""}
    for cell in (queue := [piece.cell]):
        for letter, neighbour in _NEIGHBOURS[cell]:
            if neighbour not in paths and covers[neighbour] and not covers[neighbour] & ~room:
                paths[neighbour] = paths[cell] + letter
                queue.append(neighbour)
    del paths[piece.cell]
    return paths


def piece_at(layout: Layout, cell: int) -> Piece | None:
    """Return the piece that covers a cell, or None."""
    return next((piece for piece in layout.pieces if COVER[piece.kind][piece.cell] >> cell & 1), None)


def is_legal(layout: Layout, move: Move) -> bool:
    """Return whether there is a piece on the move's square and nothing blocks it."""
    piece = piece_at(layout, move.start)
    if piece is None:
        return False
    return piece.cell + move.stop - move.start in ways(layout, piece) and _is_open(layout, piece, move.path)


def layout_after(layout: Layout, move: Move) -> Layout:
    """Return the layout after a legal move; names move with their pieces."""
    moving, offset = piece_at(layout, move.start), move.stop - move.start
    return Layout.of([
        piece._replace(cell=piece.cell + offset) if piece is moving else piece for piece in layout.pieces
    ])  # fmt: skip


def _is_open(layout: Layout, piece: Piece, path: str) -> bool:
    """Return whether a path is free."""
    covers, cell = COVER[piece.kind], piece.cell
    room = layout.free | covers[cell]
    for letter in path:
        cell = dict(_NEIGHBOURS[cell]).get(letter, -1)
        if cell < 0 or not covers[cell] or covers[cell] & ~room:
            return False
    return True


def _cell(column: str, row: str) -> int:
    return (int(row) - 1) * COLUMNS + "abcd".index(column)
