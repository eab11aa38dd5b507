"""Cache of computed values. Without Redis every value is computed again; users only notice slower responses."""

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
_PART_SECONDS = 7 * 24 * 3600
breaker = Breaker()


def digest(key: object) -> str:
    """Return a short cache key for *key*, which must contain everything that the value depends on."""
    return hashlib.sha256(repr(key).encode()).hexdigest()[:32]


def remember(key: object, compute: Callable[[], T]) -> T:
    """Return the cached value for *key*; on a cache miss call *compute* and store its result."""
    cache_key = f"answer:{digest(key)}"
    cached: tuple[T] | None = _try_cache(lambda: cache.get(cache_key))
    if cached is None:
        cached = (compute(),)  # in a tuple, so that None can be an answer
        _try_cache(lambda: cache.set(cache_key, cached, _SECONDS))
    return cached[0]


def is_first(name: str, seconds: int) -> bool:
    """Return True for the first caller of *name* within *seconds*, and always if the cache is down."""
    return _try_cache(lambda: cache.add(f"first:{name}", "", seconds)) is not False


def raise_flag(name: str, seconds: int) -> None:
    """Set the flag *name* for all processes; it expires after *seconds*."""
    _try_cache(lambda: cache.set(f"flag:{name}", "", seconds))


def is_raised(name: str) -> bool:
    """Return whether the flag *name* is set and has not expired."""
    return _try_cache(lambda: cache.get(f"flag:{name}")) is not None


def cached_parts(parts: Mapping[K, object], compute: Callable[[Collection[K]], Mapping[K, T]]) -> dict[K, T]:
    """Return the value of each of *parts* from the cache; call *compute* once for all that are missing.

    Meant for values built from many parts that rarely change: parts are cached for a week.
    """
    cache_keys = {part: f"part:{digest(key)}" for part, key in parts.items()}
    cached = _try_cache(lambda: cache.get_many(cache_keys.values())) or {}
    values: dict[K, T] = {part: cached[name] for part, name in cache_keys.items() if name in cached}
    missing = [part for part in parts if part not in values]
    if missing:
        computed = compute(missing)
        values |= computed
        _try_cache(lambda: cache.set_many({cache_keys[part]: value for part, value in computed.items()}, _PART_SECONDS))
    return values


class CachedList(Generic[T]):
    """Cached list that *make* returned for *key*, stored in pieces so that reading a page loads only its pieces."""

    PIECE = 200
    PIECES_AT_ONCE = 10

    def __init__(self, key: object, compute: Callable[[], list[T]]) -> None:
        self._key = key
        self._compute = compute
        self._whole: list[T] | None = None

    def __len__(self) -> int:
        return cached_parts({"length": (self._key, "length")}, lambda _missing: {"length": len(self._whole_list())})[
            "length"
        ]

    def part(self, start: int, stop: int) -> list[T]:
        """Return the slice `[start:stop]` of the list."""
        first, end = start // self.PIECE, -(-min(stop, len(self)) // self.PIECE)
        pieces = self._pieces(range(first, end))
        rows = [row for number in range(first, end) for row in pieces[number]]
        return rows[start - first * self.PIECE : stop - first * self.PIECE]

    def _pieces(self, numbers: Collection[int]) -> dict[int, list[T]]:
        return cached_parts({number: (self._key, number) for number in numbers}, self._cut_pieces)

    def _cut_pieces(self, numbers: Collection[int]) -> dict[int, list[T]]:
        whole = self._whole_list()
        return {number: whole[number * self.PIECE : (number + 1) * self.PIECE] for number in numbers}

    def _whole_list(self) -> list[T]:
        if self._whole is None:
            self._whole = self._compute()
            # Store all pieces: the next reader wants another one. A few at a time: the cache has a one-second timeout.
            count = -(-len(self._whole) // self.PIECE)
            for first in range(0, count, self.PIECES_AT_ONCE):
                self._pieces(range(first, min(first + self.PIECES_AT_ONCE, count)))
        return self._whole


class CachedTable(Sequence[R], Generic[T, R]):
    """Sequence view of a `CachedList`: *show* converts the rows of each requested slice for display."""

    def __init__(self, rows: CachedList[T], show: Callable[[list[T]], Sequence[R]]) -> None:
        self._rows = rows
        self._show = show

    def __len__(self) -> int:
        return len(self._rows)

    def make(self) -> None:
        """Build and store the list if it is not cached yet."""
        len(self._rows)

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> list[R]: ...
    def __getitem__(self, index: int | slice) -> R | list[R]:
        if isinstance(index, int):
            return self[:][index]
        selected = range(len(self))[index]
        if not selected:
            return []
        first, end = min(selected[0], selected[-1]), max(selected[0], selected[-1]) + 1
        return list(self._show(self._rows.part(first, end)))[:: selected.step]

    def __iter__(self) -> Iterator[R]:
        return iter(self[:])


def _try_cache(call: Callable[[], Any]) -> Any:
    """Return the result of *call*, or None if the cache fails; after a failure skip the cache for some seconds."""
    if breaker.is_open:
        return None
    try:
        return call()
    except Exception as error:  # any exception of the cache client
        breaker.trip()
        log.warning("The cache failed (%s); values are computed again.", error)
        return None
