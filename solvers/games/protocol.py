"""What an impartial game is: positions, and what each move makes of one."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

P = TypeVar("P", bound=Hashable)


class Game(ABC, Generic[P]):
    """An impartial game: both players have the same moves, and every game ends.

    A subclass must say its `moves`; everything else here only makes answers come sooner. Who cannot move has lost in
    normal play, and won in misère play.

    A position is one heap, one row or one board. Several of them, of any games, are a sum: see `Term`. Positions and
    games can be hashed; equal ones are the same.
    """

    name: str = ""

    @abstractmethod
    def moves(self, position: P) -> Iterable[tuple[P, ...]]:
        """Yield what each move makes of *position*: one position, or several where it falls apart, or none."""

    def canonical(self, position: P) -> P:
        """Return one of all positions that differ from *position* by a symmetry only."""
        return position

    def grundy(self, position: P) -> int | None:
        """Return the Grundy value by a closed form, or None to have it searched."""
        del position
        return None

    def wins_misere(self, positions: Sequence[P]) -> bool | None:
        """Say by a closed form whether who is to move wins the misère sum of *positions*, or None to search."""
        del positions
        return None

    def worth_trying(self, position: P, rest: int) -> Iterable[tuple[P, ...]]:
        """Yield moves among which all winning ones are, where *rest* is the Grundy value of the rest of the sum.

        In misère play it is asked only where the whole sum has a closed form.
        """
        del rest
        return self.moves(position)

    def count(self, position: P) -> int:
        """Return how many positions there are from here on, where that can be known before a search, else 0."""
        del position
        return 0


class Term(NamedTuple):
    """One position of a sum, with its game. A sum is a tuple of terms; a move is a move in one of them."""

    game: Game[Any]
    position: Hashable


Sum = Sequence[Term]
