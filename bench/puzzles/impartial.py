"""Find the winner of Nim by plain search, by memoised search, by Grundy values without the closed form, and by xor."""

from collections.abc import Callable, Iterator
from functools import reduce
from math import prod
from operator import xor

from bench.figures import Figure, cpu_seconds
from solvers.games import NIM, Game, Player, Term

HEAPS = [(5, 3, 6), (5, 3, 6, 2), (7, 6, 5, 4), (9, 8, 7, 6, 5), (500, 300, 600), (10**18, 10**17, 10**16)]


class Heap(Game[int]):
    """A heap known only by its moves, without the closed form of its value."""

    name = "heap"

    def moves(self, position: int) -> Iterator[tuple[int, ...]]:
        return ((left,) for left in range(position))


def measure() -> Iterator[Figure]:
    """Yield the time of each method compared with the xor, for each of HEAPS that it can solve within seconds."""
    for heaps in HEAPS:
        shown = ", ".join(f"{heap:,}" if heap < 10**6 else f"10^{len(str(heap)) - 1}" for heap in heaps)
        wins = reduce(xor, heaps) != 0
        (closed,) = cpu_seconds(lambda heaps=heaps: reduce(xor, heaps) != 0, repeat=1_000)
        for name, ask, can_do in METHODS:
            if can_do(heaps):
                assert ask(heaps) == wins
                (taken,) = cpu_seconds(lambda ask=ask, heaps=heaps: ask(heaps), runs=3)
                yield Figure(f"({shown}), {name}", taken * 1e6, "us", "xor", closed * 1e6)


def plain(heaps: tuple[int, ...]) -> bool:
    """Return whether the player to move wins, by plain search over all moves."""
    return any(
        not plain((*heaps[:at], left, *heaps[at + 1 :])) for at in range(len(heaps)) for left in range(heaps[at])
    )


def with_memo(heaps: tuple[int, ...]) -> bool:
    """Return the same by search with memoisation."""
    known: dict[tuple[int, ...], bool] = {}

    def wins(heaps: tuple[int, ...]) -> bool:
        if heaps not in known:
            known[heaps] = any(
                not wins((*heaps[:at], left, *heaps[at + 1 :])) for at in range(len(heaps)) for left in range(heaps[at])
            )
        return known[heaps]

    return wins(heaps)


def by_values(heaps: tuple[int, ...]) -> bool:
    """Return the same by the xor of the Grundy values of the heaps, each found by search."""
    return Player().wins([Term(Heap(), heap) for heap in heaps])


def by_xor(heaps: tuple[int, ...]) -> bool:
    """Return the same by the library, which knows that the value of a heap is its size."""
    return Player().wins([Term(NIM, heap) for heap in heaps])


METHODS: list[tuple[str, Callable[[tuple[int, ...]], bool], Callable[[tuple[int, ...]], bool]]] = [
    ("plain search", plain, lambda heaps: sum(heaps) <= 16),
    ("search with memo", with_memo, lambda heaps: prod(heaps) <= 20_000),
    ("values of heaps searched", by_values, lambda heaps: max(heaps) <= 1_000),
    ("the library", by_xor, lambda _heaps: True),
]
