"""The level of the day: the same for everybody, determined by the site's date and the public levels.

While no round's level is playable, it is one of the levels that come with the site.
"""

from datetime import date, datetime, time
from typing import Any

from django.db.models import Count, F, QuerySet, Value, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from contest import visibility
from contest.infra import identity
from contest.infra.cache import remember
from contest.models import OWN_SLUGS, CollectedLevel, Level
from contest.visibility import Viewer

NOBODY = Viewer()
Playable = Level | CollectedLevel


def day(at: datetime) -> date:
    """Return the date in the site's time zone."""
    return timezone.localdate(at, identity.zone())


def of_day(at: datetime) -> Playable | None:
    """Return the day's level, or None if there is none. One query, two if no round's level is playable.

    Levels are shuffled by their boards' digests, and each day takes the next: while none is added, none repeats before
    all others were used. A level revealed today is included from tomorrow, so that the day's level does not change.
    """
    cached, is_new = _cached_choice(at)
    if cached is None or is_new:
        return cached
    is_collected = isinstance(cached, CollectedLevel)
    playable: QuerySet[Any] = _own_levels(at) if is_collected else visibility.playable_levels(NOBODY, at)
    # It may have become void or been withdrawn since it was cached.
    current: Playable | None = playable.filter(pk=cached.pk).first()
    return current or _choose(at)


def is_of_day(level: Playable, at: datetime) -> bool:
    """Return True if *level* is the day's and not void. No query while the choice is cached."""
    return not getattr(level, "voided_at", None) and level == _cached_choice(at)[0]


def _cached_choice(at: datetime) -> tuple[Playable | None, bool]:
    """Return the cached choice, and whether it was made just now."""
    computed: list[Playable | None] = []

    def choose() -> Playable | None:
        computed.append(_choose(at))
        return computed[0]

    return remember(("level of the day", day(at)), choose), bool(computed)


def _choose(at: datetime) -> Playable | None:
    began = datetime.combine(day(at), time.min, identity.zone())
    # The rounds' levels are constant all day, except for voided ones.
    of_rounds = _choose_from(visibility.playable_levels(NOBODY, began), at)
    return of_rounds or _choose_from(_own_levels(at), at)


def _own_levels(at: datetime) -> QuerySet[CollectedLevel]:
    own = visibility.collected_levels(NOBODY, at).filter(collection__slug__in=OWN_SLUGS)
    return own.select_related("collection")


def _choose_from(playable: QuerySet[Any], at: datetime) -> Playable | None:
    placed = playable.annotate(place_of_day=Window(RowNumber(), order_by=["sha256", "pk"]), count=Window(Count("pk")))
    chosen: Playable | None = placed.filter(place_of_day=Value(day(at).toordinal()) % F("count") + 1).order_by().first()
    return chosen
