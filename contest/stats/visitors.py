"""Visitor counts by country, without tracking anybody; off unless the operator turns them on (COUNT_VISITORS).

Only a salted digest of an address goes into a sketch (HyperLogLog: Flajolet, Fusy, Gandouet and Meunier, 2007) of its
country and day. The salt expires with its day, and only the sketch's count is stored. Two days cannot be joined.
"""

import hashlib
import logging
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

import redis
from django.conf import settings
from django.db.models import Min, Sum
from django.utils import timezone
from django_countries import countries

from contest.infra import client_ip, clock, identity
from contest.infra.circuit_breaker import Breaker
from contest.infra.redis.scripts import Script
from contest.models import VisitorCount

log = logging.getLogger(__name__)

# Smaller counts are not shown.
FEWEST = 5
# The page covers whole weeks: a small count of one day could identify a person.
WEEKS = 4
# A sketch outlives its day by the longest delay of the counting task.
_SKETCH_DAYS = 3
_SKETCH_SECONDS = (_SKETCH_DAYS + 1) * 86_400
# Each process sends an address once a day; when this set is full it is cleared, and repeated sends change nothing.
_MOST_SEEN = 100_000
# User-assigned code of ISO 3166 for unknown countries.
_NOWHERE = "ZZ"
_ROBOT = re.compile(r"bot\b|crawl|spider|slurp|headless", re.IGNORECASE)
_GET_SALT = 'redis.call("SET", KEYS[1], ARGV[1], "NX", "EX", ARGV[2]) return redis.call("GET", KEYS[1])'
_ADD = """
redis.call("PFADD", KEYS[1], ARGV[1]) redis.call("EXPIRE", KEYS[1], ARGV[3])
redis.call("SADD", KEYS[2], ARGV[2]) redis.call("EXPIRE", KEYS[2], ARGV[3])
"""
_COUNT = 'return redis.call("PFCOUNT", KEYS[1])'
_CODES = 'return redis.call("SMEMBERS", KEYS[1])'
_FORGET = "return redis.call('DEL', unpack(KEYS))"
breaker = Breaker()


@dataclass
class _Today:
    """State of this process for one day; none of it outlives the day."""

    day: date
    salt: bytes = field(repr=False)
    seen: set[bytes] = field(default_factory=set)


_today: _Today | None = None


def count_visit(environ: Mapping[str, Any]) -> None:
    """Count a page view, unless the client opts out of counting. Never raise an exception."""
    if not settings.COUNT_VISITORS or breaker.is_open or not _is_reader(environ):
        return
    if address := client_ip.sender_in(environ):
        try:
            _add(address, clock.now())
        except Exception as error:  # a page must not fail because of the count
            log.warning("A visitor was not counted (%s).", error)
            breaker.trip()


def _is_reader(environ: Mapping[str, Any]) -> bool:
    """Return whether this is a page view by a person who does not opt out of tracking."""
    opens = environ["REQUEST_METHOD"] == "GET" and "text/html" in environ.get("HTTP_ACCEPT", "")
    declines = environ.get("HTTP_DNT") == "1" or environ.get("HTTP_SEC_GPC") == "1"
    is_robot = _ROBOT.search(environ.get("HTTP_USER_AGENT", "")) or "prefetch" in environ.get("HTTP_SEC_PURPOSE", "")
    return opens and not declines and not is_robot


def _add(address: str, at: datetime) -> None:
    global _today  # noqa: PLW0603 - of this process
    # Local variable: another thread may begin a new day meanwhile.
    day, today = timezone.localdate(at, identity.zone()), _today
    if today is None or today.day != day:
        _today = None  # drops the old salt
        today = _today = _Today(day, _salt_of(day, at))
    # A client with one IPv6 address controls its whole block.
    known_by = client_ip.block_of(address).encode()
    digest = hashlib.blake2b(known_by, key=today.salt, digest_size=8).digest()
    if digest in today.seen:
        return
    code = country_of(address)
    _script(_ADD)([_sketch(day, code), _codes(day)], [digest, code, _SKETCH_SECONDS])
    if len(today.seen) >= _MOST_SEEN:
        today.seen.clear()
    today.seen.add(digest)


def country_of(address: str) -> str:
    """Return the ISO 3166-1 code of the country an internet registry assigned this address to; ZZ if unknown.

    >>> country_of("2001:200::1"), country_of("10.0.0.1")
    ('JP', 'ZZ')
    """
    from iptocc import country_code

    return country_code(address) or _NOWHERE


def _salt_of(day: date, at: datetime) -> bytes:
    """Return the day's salt, shared by all processes, in Redis until the day ends."""
    midnight = datetime.combine(day + timedelta(days=1), datetime.min.time(), identity.zone())
    left = max(1, int((midnight - at).total_seconds()))
    salt: bytes = _script(_GET_SALT)([f"visitors:{day}:salt"], [secrets.token_hex(16), left])
    return salt


def keep_counts(at: datetime) -> None:
    """Store the counts of finished days and delete their sketches."""
    if not settings.COUNT_VISITORS:
        return
    today = timezone.localdate(at, identity.zone())
    try:
        for days in range(_SKETCH_DAYS, 0, -1):
            _keep(today - timedelta(days=days))
    except (redis.RedisError, OSError) as error:
        log.warning("Visitors were not counted (%s); this is retried later.", error)


def _keep(day: date) -> None:
    codes = [code.decode() for code in _script(_CODES)([_codes(day)], [])]
    if codes:
        counts = {code: _script(_COUNT)([_sketch(day, code)], []) for code in codes}
        rows = [VisitorCount(day=day, country=code, visitors=count) for code, count in counts.items()]
        VisitorCount.objects.bulk_create(rows, ignore_conflicts=True)
        _script(_FORGET)([_codes(day), *(_sketch(day, code) for code in codes)], [])


@dataclass(frozen=True)
class FromCountry:
    """Distinct daily visitors from a country, summed over all days; None if below FEWEST."""

    code: str
    visitors: int | None

    @property
    def name(self) -> str:
        """Return the country's name; empty if unknown."""
        return str(countries.name(self.code))

    @property
    def words(self) -> str:
        """Return the number as displayed."""
        return f"<{FEWEST}" if self.visitors is None else f"{self.visitors:,}"


@dataclass(frozen=True)
class Visitors:
    """Visitors by country from the Monday *first* to the Sunday *last*, largest number first."""

    first: date
    last: date
    lines: list[FromCountry]
    fewest: int = FEWEST

    @property
    def most(self) -> int:
        return max((line.visitors or 0 for line in self.lines), default=0)


def of_weeks(at: datetime) -> Visitors | None:
    """Return the visitors of the last whole weeks; None if counting is off or no week has numbers yet."""
    if not settings.COUNT_VISITORS:
        return None
    today = timezone.localdate(at, identity.zone())
    monday = today - timedelta(days=today.weekday())
    first, last = monday - timedelta(weeks=WEEKS), monday - timedelta(days=1)
    chosen = VisitorCount.objects.filter(day__range=(first, last))
    rows = list(chosen.values("country").annotate(visitors=Sum("visitors"), since=Min("day")).order_by("country"))
    if not rows:
        return None
    began = min(row["since"] for row in rows)
    lines = [FromCountry(row["country"], row["visitors"] if row["visitors"] >= FEWEST else None) for row in rows]
    lines.sort(key=lambda line: (line.code == _NOWHERE, -(line.visitors or 0), line.name))
    return Visitors(max(first, began), last, lines)


def _sketch(day: date, code: str) -> str:
    return f"visitors:{day}:of:{code}"


def _codes(day: date) -> str:
    return f"visitors:{day}:codes"


@cache
def _script(text: str) -> Script:
    return Script(settings.LIMITS_URL, text)
