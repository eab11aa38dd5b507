"""Search the positions of games: without recursion, each position once, and within limits."""

from collections.abc import Callable, Hashable, Iterator, MutableMapping
from functools import reduce
from itertools import islice
from operator import xor
from typing import Any, TypeVar

from solvers.games.errors import EndlessGame, TooManyPositions
from solvers.games.protocol import Game

V = TypeVar("V")

MOST_POSITIONS = 100_000
MOST_MOVES = 4_000_000


class Budget:
    """The number of positions and moves that a search may still examine."""

    def __init__(self, positions: int = MOST_POSITIONS, moves: int = MOST_MOVES) -> None:
        self.limit, self.positions, self.moves = positions, positions, moves

    def collect(self, moves: Iterator[V]) -> list[V]:
        """Return the moves of one position. Raise TooManyPositions."""
        found = list(islice(moves, self.moves + 1))
        self.moves -= len(found)
        self.positions -= 1
        if self.moves < 0 or self.positions < 0:
            raise TooManyPositions(limit=self.limit)
        return found


def mex(values: set[int]) -> int:
    """Return the least number from 0 on that is not in *values* (minimum excludant).

    >>> mex({0, 1, 3}), mex(set())
    (2, 0)
    """
    return next(number for number in range(len(values) + 1) if number not in values)


def grundy(game: Game[Any], position: Hashable, known: MutableMapping[Hashable, int], budget: Budget) -> int:
    """Return the Grundy value of a position: the mex over all moves of the xor of their parts.

    Sprague (1935) and Grundy (1939): a position of value v is equivalent to a Nim heap of v, in any sum. *known* caches
    the values. Time O(moves of all positions), memory O(positions). Raise TooManyPositions or EndlessGame.
    """

    def value(moves: list[list[int]]) -> int:
        return mex({reduce(xor, parts, 0) for parts in moves})

    return fold(game, position, known, value, budget, game.grundy)


def fold(
    game: Game[Any],
    position: Hashable,
    known: MutableMapping[Hashable, V],
    value: Callable[[list[list[V]]], V],
    budget: Budget,
    closed_form: Callable[[Hashable], V | None] = lambda _position: None,
) -> V:
    """Compute the value of a position from the values of the positions after its moves; *known* caches values.

    Uses an explicit stack, because a game may be deeper than Python's recursion limit.
    """
    position = game.canonical(position)
    if game.count(position) > budget.positions:
        raise TooManyPositions(limit=budget.limit)
    open_moves: dict[Hashable, list[list[Hashable]]] = {}  # of the positions on the current search path
    stack = [position]
    while stack:
        current = stack[-1]
        if current in known:
            stack.pop()
        elif current in open_moves:
            known[current] = value([[known[part] for part in parts] for parts in open_moves.pop(current)])
        elif (closed := closed_form(current)) is not None:
            known[current] = closed
        else:
            moves = [[game.canonical(part) for part in parts] for parts in budget.collect(iter(game.moves(current)))]
            open_moves[current] = moves
            unknown = [part for parts in moves for part in parts if part not in known]
            if repeated := [part for part in unknown if part in open_moves]:
                raise EndlessGame(value=repeated[0])
            stack.extend(unknown)
    return known[position]
