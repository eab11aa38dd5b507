"""Answers kept for the next who asks. Without Redis every answer is made anew, and nobody notices but the server."""

import hashlib
import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

from django.core.cache import cache

from contest.infra.circuit_breaker import Breaker

log = logging.getLogger(__name__)

K = TypeVar("K")
T = TypeVar("T")
R = TypeVar("R")

_SECONDS = 600
_SECONDS_OF_PARTS = 7 * 24 * 3600
breaker = Breaker()


def digest(key: object) -> str:
    """A short name for *key*, which must say everything that the answer depends on."""
    return hashlib.sha256(repr(key).encode()).hexdigest()[:32]


def remember(key: object, make: Callable[[], T]) -> T:
    """What *make* returned for *key* before, or returns now."""
    name = f"answer:{digest(key)}"
    kept: tuple[T] | None = _try(lambda: cache.get(name))
    if kept is None:
        kept = (make(),)  # in a tuple, so that None can be an answer
        _try(lambda: cache.set(name, kept, _SECONDS))
    return kept[0]


def is_first(name: str, seconds: int) -> bool:
    """Whether nobody else has asked this for *seconds*; always where there is no cache."""
    return _try(lambda: cache.add(f"first:{name}", "", seconds)) is not False


def raise_flag(name: str, seconds: int) -> None:
    """Let every process know of *name* for so long."""
    _try(lambda: cache.set(f"flag:{name}", "", seconds))


def is_raised(name: str) -> bool:
    """Whether a process raised the flag of that name and it still stands."""
    return _try(lambda: cache.get(f"flag:{name}")) is not None


def cached_parts(parts: Mapping[K, object], make: Callable[[Collection[K]], Mapping[K, T]]) -> dict[K, T]:
    """What *make* returned for each of *parts*, by its key, before; asked once for those that it returns now.

    For what is made of many parts of which few change: they are kept for a week.
    """
    names = {part: f"part:{digest(key)}" for part, key in parts.items()}
    kept = _try(lambda: cache.get_many(names.values())) or {}
    found: dict[K, T] = {part: kept[name] for part, name in names.items() if name in kept}
    missing = [part for part in parts if part not in found]
    if missing:
        made = make(missing)
        found |= made
        _try(lambda: cache.set_many({names[part]: value for part, value in made.items()}, _SECONDS_OF_PARTS))
    return found


class Long(Generic[T]):
    """The list that *make* returned for *key*, kept in pieces: who wants a page of it gets its pieces."""

    PIECE = 200
    AT_ONCE = 10

    def __init__(self, key: object, make: Callable[[], list[T]]) -> None:
        self._key = key
        self._make = make
        self._whole: list[T] | None = None

    def __len__(self) -> int:
        return cached_parts({"length": (self._key, "length")}, lambda _missing: {"length": len(self._whole_list())})[
            "length"
        ]

    def part(self, start: int, stop: int) -> list[T]:
        """What `[start:stop]` is of the list."""
        first, behind = start // self.PIECE, -(-min(stop, len(self)) // self.PIECE)
        pieces = self._pieces(range(first, behind))
        rows = [row for number in range(first, behind) for row in pieces[number]]
        return rows[start - first * self.PIECE : stop - first * self.PIECE]

    def _pieces(self, numbers: Collection[int]) -> dict[int, list[T]]:
        return cached_parts({number: (self._key, number) for number in numbers}, self._cut)

    def _cut(self, numbers: Collection[int]) -> dict[int, list[T]]:
        whole = self._whole_list()
        return {number: whole[number * self.PIECE : (number + 1) * self.PIECE] for number in numbers}

    def _whole_list(self) -> list[T]:
        if self._whole is None:
            self._whole = self._make()
            # The next reader wants another one. A few at a time: the cache has a second for each message.
            count = -(-len(self._whole) // self.PIECE)
            for first in range(0, count, self.AT_ONCE):
                self._pieces(range(first, min(first + self.AT_ONCE, count)))
        return self._whole


class Table(Sequence[R], Generic[T, R]):
    """A `Long` list for readers: *show* makes of some of its rows what those who ask for that part read."""

    def __init__(self, rows: Long[T], show: Callable[[list[T]], Sequence[R]]) -> None:
        self._rows = rows
        self._show = show

    def __len__(self) -> int:
        return len(self._rows)

    def make(self) -> None:
        """Have it made and kept, if it is not."""
        len(self._rows)

    @overload
    def __getitem__(self, wanted: int) -> R: ...
    @overload
    def __getitem__(self, wanted: slice) -> list[R]: ...
    def __getitem__(self, wanted: int | slice) -> R | list[R]:
        if isinstance(wanted, int):
            return self[:][wanted]
        chosen = range(len(self))[wanted]
        if not chosen:
            return []
        first, behind = min(chosen[0], chosen[-1]), max(chosen[0], chosen[-1]) + 1
        return list(self._show(self._rows.part(first, behind)))[:: chosen.step]

    def __iter__(self) -> Iterator[R]:
        return iter(self[:])


def _try(act: Callable[[], Any]) -> Any:
    """What *act* returns; None from a cache that is down, which is then not asked again for some seconds."""
    if breaker.is_open:
        return None
    try:
        return act()
    except Exception as error:  # whatever the cache's client raises
        breaker.trip()
        log.warning("No cache (%s); answers are made anew.", error)
        return None
