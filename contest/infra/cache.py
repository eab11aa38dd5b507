"""Answers kept for the next who asks. Without Redis every answer is made anew, and nobody notices but the server."""

import hashlib
import logging
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from django.core.cache import cache

log = logging.getLogger(__name__)

K = TypeVar("K")
T = TypeVar("T")

_SECONDS = 600
_SECONDS_OF_PARTS = 7 * 24 * 3600
_REST_AFTER_FAILURE = 5.0
_resting_until = 0.0


def digest(key: object) -> str:
    """A short name for *key*, which must say everything that the answer depends on."""
    return hashlib.sha256(repr(key).encode()).hexdigest()[:32]


def remember(key: object, make: Callable[[], T]) -> T:
    """What *make* returned for *key* before, or returns now."""
    name = f"answer:{digest(key)}"
    kept: tuple[T] | None = _tried(lambda: cache.get(name))
    if kept is None:
        kept = (make(),)  # in a tuple, so that None can be an answer
        _tried(lambda: cache.set(name, kept, _SECONDS))
    return kept[0]


def is_first(name: str, seconds: int) -> bool:
    """Whether nobody else has asked this for *seconds*; always where there is no cache."""
    return _tried(lambda: cache.add(f"first:{name}", "", seconds)) is not False


def cached_parts(parts: Mapping[K, object], make: Callable[[Collection[K]], Mapping[K, T]]) -> dict[K, T]:
    """What *make* returned for each of *parts*, by its key, before; asked once for those that it returns now.

    For what is made of many parts of which few change: they are kept for a week.
    """
    names = {part: f"part:{digest(key)}" for part, key in parts.items()}
    kept = _tried(lambda: cache.get_many(names.values())) or {}
    found: dict[K, T] = {part: kept[name] for part, name in names.items() if name in kept}
    missing = [part for part in parts if part not in found]
    if missing:
        made = make(missing)
        found |= made
        _tried(lambda: cache.set_many({names[part]: value for part, value in made.items()}, _SECONDS_OF_PARTS))
    return found


def _tried(act: Callable[[], Any]) -> Any:
    """What *act* returns; None from a cache that is down, which is then not asked again for some seconds."""
    global _resting_until  # noqa: PLW0603 - each process learns for itself that Redis is down
    if time.monotonic() < _resting_until:
        return None
    try:
        return act()
    except Exception as error:  # whatever the cache's client raises
        _resting_until = time.monotonic() + _REST_AFTER_FAILURE
        log.warning("No cache (%s); answers are made anew.", error)
        return None
