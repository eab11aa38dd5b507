"""Winners and winning moves of a sum of games: normal play by Grundy values, misère play by outcomes."""

from collections.abc import Hashable, Iterator
from functools import reduce
from operator import xor
from typing import Any, NamedTuple

from solvers.games import search
from solvers.games.misere import Misere
from solvers.games.protocol import Game, Sum, Term
from solvers.games.search import Budget

_MOST_CACHED = 1_000_000


class Move(NamedTuple):
    """A move in term number *term* of a sum, which is replaced by the positions in *parts*."""

    term: int
    parts: tuple[Hashable, ...]


def terms_after(terms: Sum, move: Move) -> list[Term]:
    """Return the sum after a legal move."""
    game = terms[move.term].game
    return [*terms[: move.term], *(Term(game, part) for part in move.parts), *terms[move.term + 1 :]]


class Player:
    """The perfect player of every impartial game. Caches its results.

    >>> from solvers.games.nim import NIM
    >>> player = Player()
    >>> heaps = [Term(NIM, heap) for heap in (3, 4, 5)]
    >>> player.grundy(heaps), player.wins(heaps)
    (2, True)
    >>> list(player.winning_moves(heaps))
    [Move(term=0, parts=(1,))]

    All methods raise TooManyPositions if a game is too large, and EndlessGame if positions can recur.
    """

    def __init__(self, positions: int = search.MOST_POSITIONS, moves: int = search.MOST_MOVES) -> None:
        self._limits = positions, moves
        self._values: dict[Game[Any], dict[Hashable, int]] = {}
        self._misere = Misere()

    def grundy(self, terms: Sum) -> int:
        """Return the Grundy value of a sum in normal play: the xor of the values of its terms."""
        self._trim_cache()
        budget = Budget(*self._limits)
        return reduce(xor, (self._value(term, budget) for term in terms), 0)

    def wins(self, terms: Sum, *, misere: bool = False) -> bool:
        """Return whether the player to move wins: a player who cannot move loses, or wins with *misere*."""
        if not misere:
            return self.grundy(terms) != 0
        self._trim_cache()
        closed = _closed_misere(terms)
        return self._misere.wins(terms, Budget(*self._limits)) if closed is None else closed

    def winning_moves(self, terms: Sum, *, misere: bool = False) -> Iterator[Move]:
        """Yield all moves after which the opponent loses."""
        self._trim_cache()
        return self._misere_winning_moves(terms) if misere else self._normal_winning_moves(terms)

    def _normal_winning_moves(self, terms: Sum) -> Iterator[Move]:
        budget = Budget(*self._limits)
        values = [self._value(term, budget) for term in terms]
        total = reduce(xor, values, 0)
        if total == 0:
            return
        for index, (game, position) in enumerate(terms):
            rest = total ^ values[index]
            for parts in budget.collect(iter(game.worth_trying(position, rest))):
                if reduce(xor, (self._value(Term(game, part), budget) for part in parts), 0) == rest:
                    yield Move(index, parts)

    def _misere_winning_moves(self, terms: Sum) -> Iterator[Move]:
        budget = Budget(*self._limits)
        is_closed = _closed_misere(terms) is not None
        total = self.grundy(terms) if is_closed else 0
        for index, (game, position) in enumerate(terms):
            rest = total ^ self._value(terms[index], budget) if is_closed else 0
            moves = game.worth_trying(position, rest) if is_closed else game.moves(position)
            for parts in budget.collect(iter(moves)):
                after = terms_after(terms, Move(index, parts))
                closed = _closed_misere(after)
                if not (self._misere.wins(after, budget) if closed is None else closed):
                    yield Move(index, parts)

    def _value(self, term: Term, budget: Budget) -> int:
        game, position = term
        closed = game.grundy(position)
        if closed is not None:
            return closed
        return search.grundy(game, position, self._values.setdefault(game, {}), budget)

    def _trim_cache(self) -> None:
        if len(self._misere) + sum(map(len, self._values.values())) > _MOST_CACHED:
            self._values.clear()
            self._misere = Misere()


def _closed_misere(terms: Sum) -> bool | None:
    """Return the outcome if all terms belong to one game that has a closed form, else None."""
    games = {game for game, _position in terms}
    if len(games) > 1:
        return None
    return next(iter(games)).wins_misere([position for _game, position in terms]) if games else True
