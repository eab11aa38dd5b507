"""Shortest solution to the exit for every layout, by table look-up: without a search, NumPy or numba.

The file `exit.bin` has two bits for each of the 363,480 layouts, in the order of their numbers (`numbering`), four per
byte from the lowest bits: the distance to the exit modulo 3, or 3 if the exit cannot be reached. Distances of
neighbours differ by at most one, so the remainder shows which are nearer; following these to the exit counts the moves.
`export` computes the file; a page can read it too (docs/reference/klotski.md).
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from solvers.klotski.layout import EXIT, Kind, Layout, Mirror, Piece
from solvers.klotski.moves import Move, layout_after, legal_moves, piece_at
from solvers.klotski.numbering import layout_of, number, numbered_moves

FILE = Path(__file__).with_name("exit.bin")
LOST = 3


def distance(layout: Layout) -> int | None:
    """Return the number of moves to bring the 2x2 block to the exit, or None if that is impossible.

    >>> distance(Layout.parse("VCCVVCCVVHHVVooVo..o"))
    81
    """
    way = solution(layout)
    return None if way is None else len(way)


def best_moves(layout: Layout) -> list[Move]:
    """Return all moves that begin a shortest solution; none at the exit or if it is unreachable. About 0.1 ms.

    >>> [str(move) for move in best_moves(Layout.parse("VCCVVCCVVHHVVooVo..o"))]
    ['B4d', 'C4d', 'A5r', 'D5l']
    """
    residue = _residue(number(layout))
    if layout.is_solved or residue == LOST:
        return []
    return [move for move, neighbour in numbered_moves(layout) if _residue(neighbour) == (residue - 1) % 3]


def solution(layout: Layout) -> list[Move] | None:
    """Return a shortest solution, up to 138 moves, or None if there is none. Takes some milliseconds."""
    if _residue(number(layout)) == LOST:
        return None
    steps: list[Move] = []
    while moves := best_moves(layout):
        steps.append(moves[0])
        layout = layout_after(layout, moves[0])
    return steps


def dictionary() -> Iterator[tuple[str, int, str | None]]:
    """Yield the 121,969 layouts of the published dictionary: cells, moves to the exit, first move of a solution.

    They are the layouts from which the exit can be reached but is not yet, and the 684 end states: those at the exit in
    which the 2x2 block can move. Of two left-right images only the one with the smaller number is included. About 30 s.
    """
    from solvers.klotski.searching.graph import exit_distances  # imports numba

    for at, moves in enumerate(exit_distances().tolist()):
        if moves < 0:
            continue
        layout = layout_of(at)
        if at > number(layout.reflect(Mirror.LEFT_RIGHT)):
            continue
        if moves:
            yield layout.cells, moves, str(best_moves(layout)[0])
        elif any(piece_at(layout, move.start) == Piece(Kind.CAO, EXIT) for move in legal_moves(layout)):
            yield layout.cells, 0, None


def export() -> bytes:
    """Compute the content of `exit.bin`: 90,870 bytes, about a second, nearly all of it for loading numba."""
    import numpy as np  # needed only to create the file

    from solvers.klotski.searching.graph import exit_distances

    distances = exit_distances()
    residues = np.where(distances < 0, LOST, distances % 3).astype(np.uint8).reshape(-1, 4)
    return bytes(residues[:, 0] | residues[:, 1] << 2 | residues[:, 2] << 4 | residues[:, 3] << 6)


@cache
def _read_file() -> bytes:
    return FILE.read_bytes()


def _residue(number: int) -> int:
    return _read_file()[number >> 2] >> 2 * (number & 3) & 3
