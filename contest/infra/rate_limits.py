"""The first gate: how many requests an address or a token may send in a minute (rule 5.9).

The counts are in Redis, one script call each, so that any number of processes on any number of machines share them and
no burst slips through between reading and writing. Without Redis the gate stands open: the quota inside the inserting
transaction still holds, and no contestant is turned away for a fault of ours.
"""

import logging
import time
from contextlib import suppress
from functools import cache

import redis
from django.conf import settings
from django.utils.crypto import salted_hmac

from contest.infra.client_ip import block_of

log = logging.getLogger(__name__)

SPAN_SECONDS = 60
_REST_AFTER_FAILURE = 5.0
_resting_until = 0.0

# The newest `most` passes of the last span, newest first. If the one that this request would push out is still within
# the span, the request has to wait until it is not. Exact at every moment, unlike a count that starts anew each minute.
_COUNT = """
local most, amount, span = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call("TIME")
local now = clock[1] + clock[2] / 1000000
local pushed_out = redis.call("LINDEX", KEYS[1], most - amount)
if pushed_out and now - pushed_out < span then
  return math.max(1, math.ceil(span - (now - pushed_out)))
end
for _ = 1, amount do
  redis.call("LPUSH", KEYS[1], string.format("%.6f", now))
end
redis.call("LTRIM", KEYS[1], 0, most - 1)
redis.call("EXPIRE", KEYS[1], span)
return 0
"""


class Busy(Exception):
    """Too many requests: *most* a minute are allowed; send again after *wait* seconds (None: not in this size)."""

    def __init__(self, most: int, wait: int | None) -> None:
        super().__init__(f"{most} a minute")
        self.most = most
        self.wait = wait


def pass_address(address: str) -> None:
    """Let through one more request without proof from *address*, or raise Busy. An unknown address ("") passes."""
    if address:
        _pass(f"address:{_block(address)}", settings.ADDRESS_PER_MINUTE, 1)


def pass_token(public_id: str, amount: int = 1, most: int | None = None) -> None:
    """Let through *amount* submissions under a token, all or none, or raise Busy. *most*: the token's own limit."""
    _pass(f"token:{public_id}", settings.TOKEN_PER_MINUTE if most is None else most, amount)


def pass_film(address: str) -> None:
    """Let through one more order of an animation from *address*, or raise Busy. An unknown address ("") passes."""
    if address:
        _pass(f"film:{_block(address)}", settings.FILMS_PER_MINUTE, 1)


def pass_question(address: str) -> None:
    """Let through one more question to the solver from *address*, or raise Busy. An unknown address ("") passes."""
    if address:
        _pass(f"question:{_block(address)}", settings.QUESTIONS_PER_MINUTE, 1)


def pass_letter(address: str) -> None:
    """Let through one more wish for letters by e-mail, or raise Busy."""
    if address:
        _pass(f"letter:{_block(address)}", settings.LETTERS_PER_MINUTE, 1)


def pass_klotski(address: str) -> None:
    """Let through one more question about Klotski for a worker, or raise Busy. An unknown address ("") passes."""
    if address:
        _pass(f"klotski:{_block(address)}", settings.KLOTSKI_PER_MINUTE, 1)


def give_back(public_id: str, amount: int) -> None:
    """Take back what *amount* submissions under a token have cost: they had been sent before (rule 5.9)."""
    if amount and time.monotonic() >= _resting_until:
        with suppress(redis.RedisError):
            _redis().lpop(f"gate:token:{public_id}", amount)


def _pass(key: str, most: int, amount: int) -> None:
    global _resting_until  # noqa: PLW0603 - each process learns for itself that Redis is down
    if amount > most:
        raise Busy(most, None)
    if time.monotonic() < _resting_until:
        return
    try:
        wait = int(_script()(keys=[f"gate:{key}"], args=[most, amount, SPAN_SECONDS]))
    except redis.RedisError as error:
        _resting_until = time.monotonic() + _REST_AFTER_FAILURE
        log.warning("The gate stands open (%s); the quota of each player still holds.", error)
        return
    if wait:
        raise Busy(most, wait)


@cache
def _script() -> redis.commands.core.Script:
    return _redis().register_script(_COUNT)


def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.LIMITS_URL, **settings.REDIS_PATIENCE)


def network_of(address: str) -> str:
    """A name of the network of *address* that does not tell it; empty for an unknown one."""
    return _block(address) if address else ""


def _block(address: str) -> str:
    """Hide the address: only whether two are the same matters."""
    return salted_hmac("contest.gate", block_of(address), algorithm="sha256").hexdigest()[:32]
