"""The level of the day: the same for everybody, determined by the site's date and the public levels."""

from datetime import date, datetime, time
from typing import Any

from django.db.models import Count, F, QuerySet, Value, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from contest import visibility
from contest.infra.cache import remember
from contest.models import Level
from contest.visibility import Viewer

NOBODY = Viewer()


def day(at: datetime) -> date:
    """Return the date in the site's time zone."""
    return timezone.localdate(at, timezone.get_default_timezone())


def of_day(at: datetime) -> Level | None:
    """Return the day's level, or None if no level was playable when the day began. One query.

    Levels are shuffled by their boards' digests, and each day takes the next: while none is added, none repeats before
    all others were used. A level revealed today is included from tomorrow, so that the day's level does not change.
    """
    playable = visibility.playable_levels(NOBODY, at)
    cached, is_new = _cached_choice(at)
    if cached is None or is_new:
        return cached
    return playable.filter(pk=cached.pk).first() or _choose(at)  # it has become void since it was cached


def is_of_day(level: Level, at: datetime) -> bool:
    """Return True if *level* is the day's. One query, or none while the choice is cached."""
    return not level.voided_at and level == _cached_choice(at)[0]


def _cached_choice(at: datetime) -> tuple[Level | None, bool]:
    """Return the cached choice, and whether it was made just now."""
    computed: list[Level | None] = []

    def choose() -> Level | None:
        computed.append(_choose(at))
        return computed[0]

    return remember(("level of the day", day(at)), choose), bool(computed)


def _choose(at: datetime) -> Level | None:
    today = day(at)
    began = datetime.combine(today, time.min, timezone.get_default_timezone())
    playable: QuerySet[Any] = visibility.playable_levels(NOBODY, began)  # constant all day, except for voided levels
    placed = playable.annotate(place=Window(RowNumber(), order_by=["sha256", "pk"]), count=Window(Count("pk")))
    chosen: Level | None = placed.filter(place=Value(today.toordinal()) % F("count") + 1).order_by().first()
    return chosen
