"""Rate limits per address or token and minute, the order of turns, and a network's amounts per day (rules 5.2, 5.9).

The counts are in Redis, one script call each, so that any number of processes on any number of machines share them and
no burst slips through between reading and writing. Without Redis everything passes, so that our fault refuses no
player; the quota inside the inserting transaction still holds. Only the amounts per day, which protect the disk, are
then counted by each process for itself.
"""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, lru_cache
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import redis
from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.db.transaction import TransactionManagementError
from django.utils.crypto import salted_hmac

from contest.infra.circuit_breaker import Breaker
from contest.infra.client_ip import block_of, network_around
from contest.infra.database import locks
from contest.infra.redis.limit_scripts import COUNT, READ_PASSES, TAKE_TURN
from contest.infra.redis.scripts import Script

log = logging.getLogger(__name__)

V = TypeVar("V", bound=Callable[..., Any])

SPAN_SECONDS = 60
# Counted for each stored row beside its texts.
ROW_BYTES = 1_024
_DAY_SECONDS = 86_400
_CACHE_SIZE = 4_096
breaker = Breaker()


class Gate(NamedTuple):
    """Rate limit counter: its *key* ("" is not counted), and the *most* passes allowed in a span."""

    key: str
    most: int


class Cost(NamedTuple):
    """Cost of a request: the *name* of its count per address, or per *wide* network if a worker does the work in turn,
    and the *setting* with the passes allowed per minute.

    A request costs one pass, and another for each *bytes_per_pass* of its body and query string.
    """

    name: str
    setting: str
    bytes_per_pass: int = 0
    wide: bool = False


# What a form costs unless its view declares more, and a search, and a link that carries a puzzle.
FORM = Cost("form", "FORMS_PER_MINUTE")
# A form of the older programs, which is read as bytes: 100 KB of escapes take 20 ms.
OLD_FORM = Cost("form", "FORMS_PER_MINUTE", bytes_per_pass=32_768)
TRIAL = Cost("address", "ADDRESS_PER_MINUTE")
# A board of 4 KB is examined in 20 ms, the largest, of 38 KB, in a quarter of a second.
BOARD = Cost("board", "BOARDS_PER_MINUTE", bytes_per_pass=4_096)
QUESTION = Cost("question", "QUESTIONS_PER_MINUTE")
KLOTSKI = Cost("klotski", "KLOTSKI_PER_MINUTE", wide=True)
FILM = Cost("film", "FILMS_PER_MINUTE")
LETTER = Cost("letter", "LETTERS_PER_MINUTE")
# A complete list of lines: the longest takes fifteen seconds and most of a minute's passes.
LISTS = Cost("lists", "FORMS_PER_MINUTE")
# A download of all own data: 600 passes are 39 MB, which take a second.
EXPORT = Cost("export", "FORMS_PER_MINUTE", bytes_per_pass=65_536)


class Door(NamedTuple):
    """Declaration of a view: its cost, whether reading with a query costs as much, and how it refuses."""

    cost: Cost
    is_read: bool = False
    refuse: Callable[[Any, "Busy"], Any] | None = None


def costs(cost: Cost, *, is_read: bool = False, refuse: Callable[[Any, "Busy"], Any] | None = None) -> Callable[[V], V]:
    """Declare the cost of a view; `contest.web.shell.gates` counts it before the body is read."""

    def declare(view: V) -> V:
        view.door = Door(cost, is_read, refuse)  # type: ignore[attr-defined] # like Django's csrf_exempt
        return view

    return declare


@dataclass(frozen=True)
class Allowance:
    """Passes *left* of *most* in this span, and the *seconds* until all are available again."""

    most: int
    left: int
    seconds: int


class Load(NamedTuple):
    """The cost of a text from *address*: it delays the address's next turn by *share* seconds, and counts *size* bytes
    stored and *seconds* of judging against the address's network.
    """

    address: str
    share: float
    size: int = 0
    seconds: float = 0.0


class Busy(Exception):
    """Too many requests: *most* a minute are allowed; retry after *wait* seconds (None: too large for any minute).

    *amount* names the amount per day that the network has used up, "bytes" or "seconds"; else it is empty.
    """

    def __init__(self, most: int, wait: int | None, amount: str = "") -> None:
        super().__init__(f"{most} a minute")
        self.most = most
        self.wait = wait
        self.amount = amount


class _Amounts:
    """Amounts per day that networks have used, counted by this process alone while Redis is away."""

    def __init__(self) -> None:
        self._used: dict[str, tuple[float, float, float]] = {}
        self._lock = Lock()

    def add(self, key: str, load: Load) -> Busy | None:
        """Count *load*, or return Busy; the formula is that of TAKE_TURN."""
        with self._lock:
            now, (*before, at) = time.monotonic(), self._used.get(key, (0.0, 0.0, 0.0))
            used = []
            for name, amount, spent, most in zip(
                _AMOUNTS, (load.size, load.seconds), before, _most_a_day(), strict=True
            ):
                used.append(max(0.0, spent - (now - at) * most / _DAY_SECONDS) + amount)
                if amount > 0 and used[-1] > most:
                    return Busy(most, int((used[-1] - most) / most * _DAY_SECONDS) + 1, name)
            self._used.pop(key, None)
            self._used[key] = (used[0], used[1], now)
            if len(self._used) > _CACHE_SIZE:
                del self._used[next(iter(self._used))]  # the network that has sent nothing for longest
        return None


_AMOUNTS = ("bytes", "seconds")
_amounts = _Amounts()


def _most_a_day() -> tuple[int, int]:
    return settings.STORED_BYTES_PER_DAY, settings.JUDGED_SECONDS_PER_DAY


def gate_of_address(address: str) -> Gate:
    """Return the gate for requests from *address* without proof of a nickname; "" (unknown) is not counted."""
    return Gate(f"address:{_block(address)}" if address else "", settings.ADDRESS_PER_MINUTE)


def gate_of_token(public_id: str, most: int | None = None) -> Gate:
    """Return the gate of a token. *most*: the token's own limit."""
    return Gate(f"token:{public_id}", settings.TOKEN_PER_MINUTE if most is None else most)


def pass_address(address: str) -> None:
    """Count one more request from *address* without proof of a nickname, or raise Busy. Unknown ("") passes."""
    _pass(gate_of_address(address), 1)


def take_turns(loads: Sequence[Load], most: float) -> list[float | Busy]:
    """Return for each text the seconds until its turn, given the texts sent from its address before.

    Busy if the delay would exceed *most*, or an amount per day of its network. An unknown address ("") never waits, and
    no address does without Redis.
    """
    indexes = [index for index, load in enumerate(loads) if load.address]
    calls = [(_keys_of(loads[index]), _values_of(loads[index], most)) for index in indexes]
    turns: list[float | Busy] = [0.0] * len(loads)
    for index, answer in zip(indexes, _ask_all(TAKE_TURN, calls), strict=True):
        if answer is None:
            turns[index] = _amounts.add(_keys_of(loads[index])[1], loads[index]) or 0.0
        elif answer[0]:
            turns[index] = float(answer[1])
        elif place := answer[2:]:
            turns[index] = Busy(_most_a_day()[place[0] - 1], int(answer[1]), _AMOUNTS[place[0] - 1])
        else:
            turns[index] = Busy(int(most), int(answer[1]))
    return turns


def pass_stored(address: str, size: int, seconds: float = 0.0) -> None:
    """Count *size* bytes that are stored for *address* and are no submission, and *seconds* of work, or raise Busy.

    Unknown ("") passes.
    """
    (turn,) = take_turns([Load(address, 0.0, size, seconds)], SPAN_SECONDS)
    if isinstance(turn, Busy):
        raise turn


def _keys_of(load: Load) -> tuple[str, str]:
    return f"next-turn:{_block(load.address)}", f"amounts:{wide_network_of(load.address)}"


def _values_of(load: Load, most: float) -> list[float]:
    most_bytes, most_seconds = _most_a_day()
    return [load.share, most, load.size, most_bytes, load.seconds, most_seconds]


def undo_turn(load: Load, *, is_again: bool) -> None:
    """Undo the amounts of a text that was not stored, and its delay if the same was stored before (rule 5.9)."""
    if not load.address:
        return
    turn, amounts = _keys_of(load)
    if breaker.is_open:
        _amounts.add(amounts, load._replace(size=-load.size, seconds=-load.seconds))
        return
    with suppress(redis.RedisError, OSError):
        batch = _redis().pipeline(transaction=False)
        if is_again:
            batch.hincrbyfloat(f"gate:{turn}", "next", -load.share)
        batch.hincrbyfloat(f"gate:{amounts}", "bytes", -load.size)
        batch.hincrbyfloat(f"gate:{amounts}", "seconds", -load.seconds)
        batch.execute()


def pass_token(public_id: str, amount: int = 1, most: int | None = None) -> None:
    """Count *amount* submissions under a token, all or none, or raise Busy. *most*: the token's own limit."""
    _pass(gate_of_token(public_id, most), amount)


def remaining_allowances(gates: Sequence[Gate]) -> list[Allowance | None]:
    """Return the remaining allowance of each of *gates*; None if not counted or without Redis."""
    counted = [gate for gate in gates if gate.key]
    answers = iter(_ask_all(READ_PASSES, [([gate.key], [SPAN_SECONDS]) for gate in counted]))
    return [_allowance(gate, next(answers)) if gate.key else None for gate in gates]


def _allowance(gate: Gate, answer: Any) -> Allowance | None:
    return None if answer is None else Allowance(gate.most, max(0, gate.most - int(answer[0])), int(answer[1]))


def pass_door(cost: Cost, address: str, size: int = 0, amount: int = 1) -> None:
    """Count *amount* requests of *size* bytes together from *address*, or raise Busy. An unknown address ("") passes.

    A request too large for any minute counts as a whole minute.
    """
    if address:
        sender = wide_network_of(address) if cost.wide else _block(address)
        gate = Gate(f"{cost.name}:{sender}", getattr(settings, cost.setting))
        _pass(gate, min(gate.most, amount + (size // cost.bytes_per_pass if cost.bytes_per_pass else 0)))


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
    (seconds,) = _ask_all(COUNT, [([gate.key], [gate.most, amount, SPAN_SECONDS])])
    if seconds:
        raise Busy(gate.most, int(seconds))


def _ask_all(script: str, calls: Sequence[tuple[Sequence[str], Sequence[float]]]) -> list[Any]:
    """Return the result of *script* for each of *calls* (keys, values), in one message; None for each without Redis."""
    if not calls or breaker.is_open:
        return [None] * len(calls)
    try:
        return _script(script).run_all([([f"gate:{key}" for key in keys], values) for keys, values in calls])
    except (redis.RedisError, OSError) as error:  # a process without free file descriptors cannot ask either
        breaker.trip()
        log.warning("The gate stands open (%s); the quota of each player still holds.", error)
        return [None] * len(calls)


@cache
def _script(text: str) -> Script:
    return Script(settings.LIMITS_URL, text)


def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.LIMITS_URL, **settings.REDIS_PATIENCE)


def has_room(waiting: QuerySet[Any], network: str, *, most: int, most_of_network: int) -> bool:
    """Return whether one more row of *network* may wait beside the rows *waiting*: of one that has none, always.

    Call it in the transaction that stores the row: concurrent requests are counted one after another until it ends.
    """
    if not connection.in_atomic_block:
        raise TransactionManagementError("A place is free only until the transaction that takes it ends.")
    locks.take(locks.Turn.PLACES)
    own = waiting.filter(network=network).count() if network else None
    return own == 0 or ((own or 0) < most_of_network and waiting.count() < most)


# Hashes of networks in the database are deleted after this time.
NETWORKS_KEPT = timedelta(days=30)


def network_of(address: str) -> str:
    """Return a keyed hash of the network of *address*; empty for an unknown one."""
    return _block(address) if address else ""


def wide_network_of(address: str) -> str:
    """Return a keyed hash of the /24 or /48 around *address*, which one site may have; empty for an unknown one."""
    return _hidden_block(network_around(address), settings.SECRET_KEY) if address else ""


def _block(address: str) -> str:
    """Return a keyed hash of the address's block: only equality of addresses matters."""
    return _hidden_block(block_of(address), settings.SECRET_KEY)


@lru_cache(_CACHE_SIZE)
def _hidden_block(block: str, key: str) -> str:
    return salted_hmac("contest.gate", block, secret=key, algorithm="sha256").hexdigest()[:32]
