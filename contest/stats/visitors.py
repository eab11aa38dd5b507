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
from django.db import transaction
from django.db.models import Min, Sum
from django.db.models.functions import TruncMonth
from django.utils import timezone
from django_countries import countries

from contest.infra import client_ip, clock, identity
from contest.infra.circuit_breaker import Breaker
from contest.infra.redis.scripts import Script
from contest.models import VisitorCount, VisitorMonth

log = logging.getLogger(__name__)

# Smaller counts are not shown.
FEWEST = 5
# The page covers whole weeks, and whole months in its totals: a small count of one day could identify a person.
WEEKS = 4
# The days of a finished month are added up when neither these weeks nor a late count needs them.
_KEPT_DAYS = 7 * (WEEKS + 1)
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
    _add_up_months((today - timedelta(days=_KEPT_DAYS)).replace(day=1))


@transaction.atomic
def _add_up_months(before: date) -> None:
    """Replace the counts of the days before that day by their sums of each month and country."""
    days = VisitorCount.objects.filter(day__lt=before)
    sums = days.annotate(month=TruncMonth("day")).values("month", "country").annotate(sum=Sum("visitors")).order_by()
    # A second process that does the same at once waits for these rows, and then deletes nothing.
    rows = [VisitorMonth(month=row["month"], country=row["country"], visitors=row["sum"]) for row in sums]
    VisitorMonth.objects.bulk_create(rows, ignore_conflicts=True)
    days.delete()


def _keep(day: date) -> None:
    codes = [code.decode() for code in _script(_CODES)([_codes(day)], [])]
    if codes:
        counts = {code: _script(_COUNT)([_sketch(day, code)], []) for code in codes}
        rows = [VisitorCount(day=day, country=code, visitors=count) for code, count in counts.items()]
        VisitorCount.objects.bulk_create(rows, ignore_conflicts=True)
        _script(_FORGET)([_codes(day), *(_sketch(day, code) for code in codes)], [])


@dataclass(frozen=True)
class FromCountry:
    """Distinct daily visitors from a country, summed over the last weeks and over all months; None if below FEWEST.

    The map and the bar show one of them: that of all months once one is over.
    """

    code: str
    visitors: int | None
    total: int | None
    shown: int | None

    @property
    def name(self) -> str:
        """Return the country's name; empty if unknown."""
        return str(countries.name(self.code))

    @property
    def words(self) -> str:
        """Return the number of the last weeks as displayed."""
        return in_words(self.visitors)

    @property
    def total_words(self) -> str:
        return in_words(self.total)


def in_words(visitors: int | None) -> str:
    """Return a number of visitors as displayed: none below FEWEST."""
    return f"{visitors:,}" if visitors and visitors >= FEWEST else f"<{FEWEST}"


@dataclass(frozen=True)
class Visitors:
    """Visitors by country: from the Monday *first* to the Sunday *last*, and in all months from *since* to *until*.

    Each is None while no whole week or month has been counted. The largest numbers come first.
    """

    first: date | None
    last: date | None
    since: date | None
    until: date | None
    lines: list[FromCountry]
    fewest: int = FEWEST

    @property
    def most(self) -> int:
        """The largest number on the map."""
        return max(line.shown or 0 for line in self.lines)


def of_site(at: datetime) -> Visitors | None:
    """Return the visitors of the last whole weeks and of all whole months; None if counting is off or none is over."""
    if not settings.COUNT_VISITORS:
        return None
    today = timezone.localdate(at, identity.zone())
    monday = today - timedelta(days=today.weekday())
    first, last = monday - timedelta(weeks=WEEKS), monday - timedelta(days=1)
    weeks, began = _sum_days(first, last)
    months = _months_until(today.replace(day=1))
    totals = {code: _release(counts) for code, counts in months.items()}
    if not weeks and not totals:
        return None
    since = min((month for counts in months.values() for month in counts), default=None)
    large = {code: count for code, count in weeks.items() if count >= FEWEST}
    lines = []
    for code in sorted({*weeks, *totals}):
        visitors, total = large.get(code), totals.get(code) or None
        lines.append(FromCountry(code, visitors, total, total if since else visitors))
    lines.sort(key=lambda line: (line.code == _NOWHERE, -(line.total or 0), -(line.visitors or 0), line.name))
    until = today.replace(day=1) - timedelta(days=1) if since else None
    return Visitors(max(first, began) if began else None, last if began else None, since, until, lines)


def _sum_days(first: date, last: date) -> tuple[dict[str, int], date | None]:
    """Return the visitors of these days by country, and the first day that was counted."""
    chosen = VisitorCount.objects.filter(day__range=(first, last)).order_by()
    rows = list(chosen.values("country").annotate(sum=Sum("visitors"), since=Min("day")))
    return {row["country"]: row["sum"] for row in rows}, min((row["since"] for row in rows), default=None)


def _months_until(end: date) -> dict[str, dict[date, int]]:
    """Return the visitors of each country and month before the day *end*, whether its days are added up or not."""
    days = VisitorCount.objects.filter(day__lt=end).annotate(month=TruncMonth("day")).order_by()
    sums = days.values_list("month", "country").annotate(sum=Sum("visitors"))
    counts: dict[str, dict[date, int]] = {}
    for month, code, visitors in [*VisitorMonth.objects.values_list("month", "country", "visitors"), *sums]:
        of_country = counts.setdefault(code, {})
        of_country[month] = of_country.get(month, 0) + visitors
    return counts


def _release(months: Mapping[date, int]) -> int:
    """Return the sum of *months* as shown: it grows by FEWEST at least, so that no two of them tell a smaller number.

    >>> [_release({date(2027, 1, 1): 7, date(2027, 2, 1): few, date(2027, 3, 1): 0}) for few in (4, 5)]
    [7, 12]
    """
    shown = waiting = 0
    for month in sorted(months):
        waiting += months[month]
        if waiting >= FEWEST:
            shown, waiting = shown + waiting, 0
    return shown


def _sketch(day: date, code: str) -> str:
    return f"visitors:{day}:of:{code}"


def _codes(day: date) -> str:
    return f"visitors:{day}:codes"


@cache
def _script(text: str) -> Script:
    return Script(settings.LIMITS_URL, text)
