"""Rate limits per address or token and minute, and the order of turns (rules 5.2, 5.9).

The counts are in Redis, one script call each, so that any number of processes on any number of machines share them and
no burst slips through between reading and writing. Without Redis everything passes, so that our fault refuses no
player; the quota inside the inserting transaction still holds.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, lru_cache
from typing import Any, NamedTuple

import redis
from django.conf import settings
from django.utils.crypto import salted_hmac

from contest.infra.circuit_breaker import Breaker
from contest.infra.client_ip import block_of
from contest.infra.redis.scripts import Script

log = logging.getLogger(__name__)

SPAN_SECONDS = 60
_CACHE_SIZE = 4_096
breaker = Breaker()

# The newest `most` passes of the last span, newest first. If the entry that this request would push out is within
# the span, the request must wait until it is older. This is exact at every moment, unlike a counter per minute.
# Entries in the future were written before the clock was set back; they are deleted, as they would block for hours.
_COUNT = """
local most, amount, span = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call("TIME")
local now = clock[1] + clock[2] / 1000000
local newest = redis.call("LINDEX", KEYS[1], 0)
if newest and newest - now > 1 then
  redis.call("DEL", KEYS[1])
end
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


# Number of passes in the last span, and the seconds until the oldest of them expires.
_READ_PASSES = """
local span = tonumber(ARGV[1])
local clock = redis.call("TIME")
local now = clock[1] + clock[2] / 1000000
local passes, counted, seconds = redis.call("LRANGE", KEYS[1], 0, -1), 0, 0
for _, at in ipairs(passes) do
  if now - at >= span or at - now > 1 then break end
  counted, seconds = counted + 1, math.ceil(span - (now - at))
end
return {counted, seconds}
"""


# Seconds until the client's next turn; each request pushes the next turn back by its share. A value written in the
# future dates from before the clock was set back and is ignored.
_TAKE_TURN = """
local share, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local clock = redis.call("TIME")
local now = clock[1] + clock[2] / 1000000
local next, told = unpack(redis.call("HMGET", KEYS[1], "next", "told"))
local ahead = 0
if next and told and told - now <= 1 then
  ahead = math.max(0, next - now)
end
if ahead > most then
  return {0, math.ceil(ahead - most)}
end
redis.call("HSET", KEYS[1], "next", string.format("%.6f", now + ahead + share), "told", string.format("%.6f", now))
redis.call("EXPIRE", KEYS[1], math.ceil(ahead + share) + 1)
return {1, string.format("%.6f", ahead)}
"""


class Gate(NamedTuple):
    """Rate limit counter: its *key* ("" is not counted), and the *most* passes allowed in a span."""

    key: str
    most: int


@dataclass(frozen=True)
class Allowance:
    """Passes *left* of *most* in this span, and the *seconds* until all are available again."""

    most: int
    left: int
    seconds: int


class Busy(Exception):
    """Too many requests: *most* a minute are allowed; retry after *wait* seconds (None: too large for any minute)."""

    def __init__(self, most: int, wait: int | None) -> None:
        super().__init__(f"{most} a minute")
        self.most = most
        self.wait = wait


def gate_of_address(address: str) -> Gate:
    """Return the gate for requests from *address* without proof of a nickname; "" (unknown) is not counted."""
    return Gate(f"address:{_block(address)}" if address else "", settings.ADDRESS_PER_MINUTE)


def gate_of_token(public_id: str, most: int | None = None) -> Gate:
    """Return the gate of a token. *most*: the token's own limit."""
    return Gate(f"token:{public_id}", settings.TOKEN_PER_MINUTE if most is None else most)


def pass_address(address: str) -> None:
    """Count one more request from *address* without proof of a nickname, or raise Busy. Unknown ("") passes."""
    _pass(gate_of_address(address), 1)


def take_turns(requests: Sequence[tuple[str, float]], most: float) -> list[float | Busy]:
    """Return for each text the seconds until its turn, given the texts sent from its address before.

    *requests*: pairs of address and seconds by which the text delays the address's next turn. Busy if the delay
    would exceed *most*. An unknown address ("") never waits, and no address does without Redis.
    """
    indexes = [index for index, (address, _share) in enumerate(requests) if address]
    keys_and_values = [(f"next-turn:{_block(requests[index][0])}", [requests[index][1], most]) for index in indexes]
    turns: list[float | Busy] = [0.0] * len(requests)
    for index, answer in zip(indexes, _ask_all(_TAKE_TURN, keys_and_values), strict=True):
        if answer is not None:
            taken, seconds = answer
            turns[index] = float(seconds) if taken else Busy(int(most), int(seconds))
    return turns


def undo_turn(address: str, share: float) -> None:
    """Undo the delay that a text from *address* caused, because it was a duplicate (rule 5.9)."""
    if address and not breaker.is_open:
        with suppress(redis.RedisError, OSError):
            _redis().hincrbyfloat(f"gate:next-turn:{_block(address)}", "next", -share)


def pass_token(public_id: str, amount: int = 1, most: int | None = None) -> None:
    """Count *amount* submissions under a token, all or none, or raise Busy. *most*: the token's own limit."""
    _pass(gate_of_token(public_id, most), amount)


def remaining_allowances(gates: Sequence[Gate]) -> list[Allowance | None]:
    """Return the remaining allowance of each of *gates*; None if not counted or without Redis."""
    counted = [gate for gate in gates if gate.key]
    answers = iter(_ask_all(_READ_PASSES, [(gate.key, [SPAN_SECONDS]) for gate in counted]))
    return [_allowance(gate, next(answers)) if gate.key else None for gate in gates]


def _allowance(gate: Gate, answer: Any) -> Allowance | None:
    return None if answer is None else Allowance(gate.most, max(0, gate.most - int(answer[0])), int(answer[1]))


def pass_film(address: str) -> None:
    """Count one more animation request from *address*, or raise Busy. An unknown address ("") passes."""
    if address:
        _pass(Gate(f"film:{_block(address)}", settings.FILMS_PER_MINUTE), 1)


def pass_board(address: str) -> None:
    """Count one more board for the editor's page, or raise Busy. An unknown address ("") passes."""
    if address:
        _pass(Gate(f"board:{_block(address)}", settings.BOARDS_PER_MINUTE), 1)


def pass_question(address: str) -> None:
    """Count one more solver request from *address*, or raise Busy. An unknown address ("") passes."""
    if address:
        _pass(Gate(f"question:{_block(address)}", settings.QUESTIONS_PER_MINUTE), 1)


def pass_letter(address: str) -> None:
    """Count one more subscription request for email, or raise Busy."""
    if address:
        _pass(Gate(f"letter:{_block(address)}", settings.LETTERS_PER_MINUTE), 1)


def pass_klotski(address: str) -> None:
    """Count one more Klotski request for a worker, or raise Busy. An unknown address ("") passes."""
    if address:
        _pass(Gate(f"klotski:{_block(address)}", settings.KLOTSKI_PER_MINUTE), 1)


def give_back(public_id: str, amount: int) -> None:
    """Refund *amount* submissions under a token, because they were duplicates (rule 5.9)."""
    if amount and not breaker.is_open:
        with suppress(redis.RedisError, OSError):
            _redis().lpop(f"gate:token:{public_id}", amount)


def _pass(gate: Gate, amount: int) -> None:
    if not gate.key:
        return
    if amount > gate.most:
        raise Busy(gate.most, None)
    (seconds,) = _ask_all(_COUNT, [(gate.key, [gate.most, amount, SPAN_SECONDS])])
    if seconds:
        raise Busy(gate.most, int(seconds))


def _ask_all(script: str, keys_and_values: Sequence[tuple[str, Sequence[float]]]) -> list[Any]:
    """Return the result of *script* for each key and its values, in one message; None for each without Redis."""
    if not keys_and_values or breaker.is_open:
        return [None] * len(keys_and_values)
    try:
        return _script(script).run_all([([f"gate:{key}"], values) for key, values in keys_and_values])
    except (redis.RedisError, OSError) as error:  # a process without free file descriptors cannot ask either
        breaker.trip()
        log.warning("The gate stands open (%s); the quota of each player still holds.", error)
        return [None] * len(keys_and_values)


@cache
def _script(text: str) -> Script:
    return Script(settings.LIMITS_URL, text)


def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.LIMITS_URL, **settings.REDIS_PATIENCE)


# Hashes of networks in the database are deleted after this time.
NETWORKS_KEPT = timedelta(days=30)


def network_of(address: str) -> str:
    """Return a keyed hash of the network of *address*; empty for an unknown one."""
    return _block(address) if address else ""


def _block(address: str) -> str:
    """Return a keyed hash of the address's block: only equality of addresses matters."""
    return _hidden_block(block_of(address), settings.SECRET_KEY)


@lru_cache(_CACHE_SIZE)
def _hidden_block(block: str, key: str) -> str:
    return salted_hmac("contest.gate", block, secret=key, algorithm="sha256").hexdigest()[:32]
