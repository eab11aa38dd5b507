"""Definition of an impartial game: positions, and the results of each move."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

P = TypeVar("P", bound=Hashable)


class Game(ABC, Generic[P]):
    """An impartial game: both players have the same moves, and every game ends.

    A subclass must define `moves`; all other methods only speed up answers. A player who cannot move has lost in
    normal play, and won in misère play.

    A position is one heap, one row or one board. Several of them, of any games, are a sum: see `Term`. Positions and
    games are hashable; equal ones are the same.
    """

    name: str = ""

    @abstractmethod
    def moves(self, position: P) -> Iterable[tuple[P, ...]]:
        """Yield the result of each move in *position*: a tuple of no, one or (if it is split) several positions."""

    def allows(self, position: P, parts: tuple[P, ...]) -> bool:
        """Return whether a move in *position* results in *parts*."""
        return parts in self.moves(position)

    def canonical(self, position: P) -> P:
        """Return one representative of all positions that differ from *position* only by a symmetry."""
        return position

    def grundy(self, position: P) -> int | None:
        """Return the Grundy value by a closed form, or None to search for it."""
        del position
        return None

    def wins_misere(self, positions: Sequence[P]) -> bool | None:
        """Return by a closed form whether the player to move wins the misère sum of *positions*, or None to search."""
        del positions
        return None

    def worth_trying(self, position: P, rest: int) -> Iterable[tuple[P, ...]]:
        """Yield moves that include all winning ones; *rest* is the Grundy value of the rest of the sum.

        In misère play it is called only if the whole sum has a closed form.
        """
        del rest
        return self.moves(position)

    def count(self, position: P) -> int:
        """Return the number of positions reachable from here if known without a search, else 0."""
        del position
        return 0


class Term(NamedTuple):
    """One position of a sum, with its game. A sum is a sequence of terms; a move is a move in one of them."""

    game: Game[Any]
    position: Hashable


Sum = Sequence[Term]
