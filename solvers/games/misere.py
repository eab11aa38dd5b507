"""Misère play: the player who makes the last move loses. Values cannot be added here, so outcomes are searched.

Positions with the same moves, moves of moves and so on to the end are one *form*, regardless of their game; a sum is
a multiset of forms, and each multiset is searched once. This is exact, and identifies boards and heaps that look
different without further theory. (J. H. Conway, On Numbers and Games, 1976, chapter 12.)
"""

from collections.abc import Hashable, Iterator
from typing import Any

from solvers.games.protocol import Game, Sum
from solvers.games.search import Budget, fold

# The numbers of forms, sorted; the form without moves is omitted.
_Multiset = tuple[int, ...]


class Misere:
    """Cached outcomes of misère sums."""

    def __init__(self) -> None:
        self._numbers: dict[frozenset[_Multiset], int] = {frozenset(): 0}
        self._moves: list[frozenset[_Multiset]] = [frozenset()]
        self._forms: dict[Game[Any], dict[Hashable, int]] = {}
        self._wins: dict[_Multiset, bool] = {(): True}

    def wins(self, terms: Sum, budget: Budget) -> bool:
        """Return whether the next player wins. Time O(moves of all sums). Raise TooManyPositions or EndlessGame."""
        return self._search(_sort([self._form_of(game, position, budget) for game, position in terms]), budget)

    def __len__(self) -> int:
        """Return the number of cached sums and positions."""
        return len(self._wins) + sum(map(len, self._forms.values()))

    def _form_of(self, game: Game[Any], position: Hashable, budget: Budget) -> int:
        return fold(game, position, self._forms.setdefault(game, {}), self._number_form, budget)

    def _number_form(self, moves: list[list[int]]) -> int:
        form = frozenset(_sort(parts) for parts in moves)
        if form not in self._numbers:
            self._numbers[form] = len(self._moves)
            self._moves.append(form)
        return self._numbers[form]

    def _search(self, first: _Multiset, budget: Budget) -> bool:
        wins = self._wins
        stack = [(first, self._moves_from(first, budget))]
        while first not in wins:
            current, moves = stack[-1]
            # A move to a lost sum wins; if there is none, all moves lead to sums won by the opponent.
            lost_sum = next((move for move in moves if not wins.get(move, False)), None)
            if lost_sum is None:
                wins[current] = False
            elif lost_sum in wins:
                wins[current] = True
            else:
                stack.append((lost_sum, self._moves_from(lost_sum, budget)))
                stack[-2] = (current, _put_back(lost_sum, moves))
                continue
            stack.pop()
        return wins[first]

    def _moves_from(self, forms: _Multiset, budget: Budget) -> Iterator[_Multiset]:
        distinct = {form: at for at, form in enumerate(forms)}
        moves = (
            _sort([*forms[:at], *parts, *forms[at + 1 :]])
            for form, at in distinct.items()
            for parts in self._moves[form]
        )
        return iter(budget.collect(moves))


def _put_back(move: _Multiset, moves: Iterator[_Multiset]) -> Iterator[_Multiset]:
    yield move
    yield from moves


def _sort(forms: list[int]) -> _Multiset:
    return tuple(sorted(form for form in forms if form))
