"""The first gate: how much an address or a token may send in a minute, and whose turn is when (rules 5.2, 5.9).

The counts are in Redis, one script call each, so that any number of processes on any number of machines share them and
no burst slips through between reading and writing. Without Redis the gate stands open: the quota inside the inserting
transaction still holds, and no contestant is turned away for a fault of ours.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
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
_KEPT = 4_096
breaker = Breaker()

# The newest `most` passes of the last span, newest first. If the one that this request would push out is still within
# the span, the request has to wait until it is not. Exact at every moment, unlike a count that starts anew each minute.
# What passed in the future did so before the clock was set back, and counts for nothing: it would for hours.
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


# How many passes of the last span there were, and in how many seconds the oldest of them is forgotten.
_LOOK = """
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


# When the sender's next turn comes, in seconds from now; it is pushed back by what this one takes. One that was told
# in the future was told before the clock was set back, and says nothing about now.
_PUSH_BACK = """
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
    """Where passes are counted: by which *key* ("" counts none), and how many may be in a span at *most*."""

    key: str
    most: int


@dataclass(frozen=True)
class Allowance:
    """What of *most* in a span may still pass, and in how many seconds all of it may again."""

    most: int
    left: int
    seconds: int


class Busy(Exception):
    """Too many requests: *most* a minute are allowed; send again after *wait* seconds (None: not in this size)."""

    def __init__(self, most: int, wait: int | None) -> None:
        super().__init__(f"{most} a minute")
        self.most = most
        self.wait = wait


def gate_of_address(address: str) -> Gate:
    """What is sent without proof from *address*; nobody counts that of an unknown one ("")."""
    return Gate(f"address:{_block(address)}" if address else "", settings.ADDRESS_PER_MINUTE)


def gate_of_token(public_id: str, most: int | None = None) -> Gate:
    """What is sent under a token. *most*: the token's own limit."""
    return Gate(f"token:{public_id}", settings.TOKEN_PER_MINUTE if most is None else most)


def pass_address(address: str) -> None:
    """Let through one more request without proof from *address*, or raise Busy. An unknown address ("") passes."""
    _pass(gate_of_address(address), 1)


def take_turns(asked: Sequence[tuple[str, float]], most: float) -> list[float | Busy]:
    """How many seconds behind its arrival the turn of each text lies, for what was sent from its address before it.

    *asked*: the address of each, and the seconds by which the next one's turn lies further. Busy where it would be more
    than *most*. An unknown address ("") and one that nobody can count (no Redis) never wait.
    """
    places = [place for place, (address, _share) in enumerate(asked) if address]
    about = [(f"next-turn:{_block(asked[place][0])}", [asked[place][1], most]) for place in places]
    turns: list[float | Busy] = [0.0] * len(asked)
    for place, answer in zip(places, _ask_all(_PUSH_BACK, about), strict=True):
        if answer is not None:
            taken, seconds = answer
            turns[place] = float(seconds) if taken else Busy(int(most), int(seconds))
    return turns


def give_turn_back(address: str, share: float) -> None:
    """Take back what a text from *address* pushed the next one back: it had been sent before (rule 5.9)."""
    if address and not breaker.is_open:
        with suppress(redis.RedisError, OSError):
            _redis().hincrbyfloat(f"gate:next-turn:{_block(address)}", "next", -share)


def pass_token(public_id: str, amount: int = 1, most: int | None = None) -> None:
    """Let through *amount* submissions under a token, all or none, or raise Busy. *most*: the token's own limit."""
    _pass(gate_of_token(public_id, most), amount)


def left_at(gates: Sequence[Gate]) -> list[Allowance | None]:
    """What may still pass at each of *gates*; None where nobody can tell."""
    counted = [gate for gate in gates if gate.key]
    answers = iter(_ask_all(_LOOK, [(gate.key, [SPAN_SECONDS]) for gate in counted]))
    return [_allowance(gate, next(answers)) if gate.key else None for gate in gates]


def _allowance(gate: Gate, answer: Any) -> Allowance | None:
    return None if answer is None else Allowance(gate.most, max(0, gate.most - int(answer[0])), int(answer[1]))


def pass_film(address: str) -> None:
    """Let through one more order of an animation from *address*, or raise Busy. An unknown address ("") passes."""
    if address:
        _pass(Gate(f"film:{_block(address)}", settings.FILMS_PER_MINUTE), 1)


def pass_board(address: str) -> None:
    """Let through one more board for the editor's page, or raise Busy. An unknown address ("") passes."""
    if address:
        _pass(Gate(f"board:{_block(address)}", settings.BOARDS_PER_MINUTE), 1)


def pass_question(address: str) -> None:
    """Let through one more question to the solver from *address*, or raise Busy. An unknown address ("") passes."""
    if address:
        _pass(Gate(f"question:{_block(address)}", settings.QUESTIONS_PER_MINUTE), 1)


def pass_letter(address: str) -> None:
    """Let through one more wish for letters by email, or raise Busy."""
    if address:
        _pass(Gate(f"letter:{_block(address)}", settings.LETTERS_PER_MINUTE), 1)


def pass_klotski(address: str) -> None:
    """Let through one more question about Klotski for a worker, or raise Busy. An unknown address ("") passes."""
    if address:
        _pass(Gate(f"klotski:{_block(address)}", settings.KLOTSKI_PER_MINUTE), 1)


def give_back(public_id: str, amount: int) -> None:
    """Take back what *amount* submissions under a token have cost: they had been sent before (rule 5.9)."""
    if amount and not breaker.is_open:
        with suppress(redis.RedisError, OSError):
            _redis().lpop(f"gate:token:{public_id}", amount)


def _pass(gate: Gate, amount: int) -> None:
    if not gate.key:
        return
    if amount > gate.most:
        raise Busy(gate.most, None)
    (wait,) = _ask_all(_COUNT, [(gate.key, [gate.most, amount, SPAN_SECONDS])])
    if wait:
        raise Busy(gate.most, int(wait))


def _ask_all(script: str, about: Sequence[tuple[str, Sequence[float]]]) -> list[Any]:
    """What *script* answers about each key and its values, by one message; None for each without Redis."""
    if not about or breaker.is_open:
        return [None] * len(about)
    try:
        return _script(script).ask_all([([f"gate:{key}"], values) for key, values in about])
    except (redis.RedisError, OSError) as error:  # who may open no file more cannot ask either
        breaker.trip()
        log.warning("The gate stands open (%s); the quota of each player still holds.", error)
        return [None] * len(about)


@cache
def _script(text: str) -> Script:
    return Script(settings.LIMITS_URL, text)


def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.LIMITS_URL, **settings.REDIS_PATIENCE)


def network_of(address: str) -> str:
    """A name of the network of *address* that does not tell it; empty for an unknown one."""
    return _block(address) if address else ""


def _block(address: str) -> str:
    """Hide the address: only whether two are the same matters."""
    return _hidden_block(block_of(address), settings.SECRET_KEY)


@lru_cache(_KEPT)
def _hidden_block(block: str, key: str) -> str:
    return salted_hmac("contest.gate", block, secret=key, algorithm="sha256").hexdigest()[:32]
