"""The ground a level stands on: all of its positions, and all that differ from it in boxes alone, have the same."""

from functools import lru_cache

from solvers import sokoban
from solvers.sokoban.level import BOX


def ground_of(board: sokoban.Level) -> str:
    """A key of the walls and goals of *board*, however it is turned or mirrored; empty without exactly one player.

    >>> one, other = (sokoban.Level.parse(text) for text in ("######|#@$-.#|######", "######|#.-@$#|######"))
    >>> ground_of(one) == ground_of(other)
    True
    """
    return _ground_of(board.published_text) if len(board.players) == 1 else ""


@lru_cache(maxsize=64)
def _ground_of(text: str) -> str:
    board = sokoban.Level.parse(text)
    return sokoban.Level(board.width, board.height, bytes(cell & ~BOX for cell in board.cells)).key
