"""Nim: take any number from one heap. Bouton's closed form (1901) solves both normal and misère play."""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import xor

from solvers.games.protocol import Game


class Nim(Game[int]):
    """A heap of Nim. The Grundy value of a heap is its size.

    >>> NIM.wins_misere([1, 1, 1]), NIM.wins_misere([5, 3, 6])
    (False, False)
    """

    name = "nim"

    def moves(self, position: int) -> Iterator[tuple[int, ...]]:
        return ((left,) for left in range(position))

    def allows(self, position: int, parts: tuple[int, ...]) -> bool:
        return len(parts) == 1 and 0 <= parts[0] < position

    def grundy(self, position: int) -> int:
        return position

    def wins_misere(self, positions: Sequence[int]) -> bool:
        """Return whether the player to move wins: as in normal play, unless no heap exceeds one."""
        if max(positions, default=0) <= 1:
            return sum(positions) % 2 == 0
        return reduce(xor, positions) != 0

    def worth_trying(self, position: int, rest: int) -> Iterator[tuple[int, ...]]:
        """Yield the winning reduction to *rest*, and the reductions to one or none, which may win in misère play."""
        return ((left,) for left in sorted({rest, 0, 1}) if left < position)


NIM = Nim()
