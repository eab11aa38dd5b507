"""Cache in Redis that reads only values which this version of the site has signed; all others are cache misses.

Values are Python objects, so they are pickled, and reading a pickle can run any code. Without a signature, anybody who
can write to Redis could run code in the site. The key depends on the version, whose classes may have other fields.
"""

import hashlib
import hmac
import pickle
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.cache.backends.redis import RedisCache

import solvers

_UNREADABLE = object()
_SIGNATURE_BYTES = 32


class SignedPickles:
    """Serializer of `SignedCache`. It signs integers too, so such a cache has no `incr`."""

    def __init__(self) -> None:
        self._key = hashlib.sha256(f"contest.cache {solvers.__version__} {settings.SECRET_KEY}".encode()).digest()

    def dumps(self, value: object) -> bytes:
        """Return the signature of the pickled *value*, followed by the pickle."""
        pickled = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        return self._sign(pickled) + pickled

    def loads(self, data: bytes) -> Any:
        """Return the value, or `_UNREADABLE` if the signature is another's or a class has moved since."""
        signature, pickled = data[:_SIGNATURE_BYTES], data[_SIGNATURE_BYTES:]
        if not hmac.compare_digest(signature, self._sign(pickled)):
            return _UNREADABLE
        try:
            return pickle.loads(pickled)  # noqa: S301 - our own: the signature fits
        except Exception:  # a pickle of a class that is gone raises anything
            return _UNREADABLE

    def _sign(self, pickled: bytes) -> bytes:
        return hmac.digest(self._key, pickled, "sha256")


class SignedCache(RedisCache):
    """Django's cache in Redis, to which unreadable values are misses."""

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        value = super().get(key, default, version)
        return default if value is _UNREADABLE else value

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        values = super().get_many(keys, version)
        return {key: value for key, value in values.items() if value is not _UNREADABLE}
