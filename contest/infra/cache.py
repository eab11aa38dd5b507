"""Answers kept for the next who asks. Without Redis every answer is made anew, and nobody notices but the server."""

import hashlib
import logging
import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache import cache

log = logging.getLogger(__name__)

T = TypeVar("T")

_SECONDS = 600
_REST_AFTER_FAILURE = 5.0
_resting_until = 0.0


def digest(key: object) -> str:
    """A short name for *key*, which must say everything that the answer depends on."""
    return hashlib.sha256(repr(key).encode()).hexdigest()[:32]


def cached(key: object, make: Callable[[], T]) -> T:
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
