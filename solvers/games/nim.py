"""Nim: take any number from one heap. The closed form is Bouton's (1901), for both kinds of play."""

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

    def grundy(self, position: int) -> int:
        return position

    def wins_misere(self, positions: Sequence[int]) -> bool:
        """The same side wins as in normal play, unless no heap has more than one."""
        if max(positions, default=0) <= 1:
            return sum(positions) % 2 == 0
        return reduce(xor, positions) != 0

    def worth_trying(self, position: int, rest: int) -> Iterator[tuple[int, ...]]:
        """To leave as many as the rest is worth wins; in misère play, to leave one or none may."""
        return ((left,) for left in sorted({rest, 0, 1}) if left < position)


NIM = Nim()
