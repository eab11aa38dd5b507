"""The level of the day: the same for everybody, by nothing but the date in Beijing and the public levels."""

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
    """The date in Beijing."""
    return timezone.localdate(at, timezone.get_default_timezone())


def of_day(at: datetime) -> Level | None:
    """The day's level, None where no level was playable when the day began. One query.

    The fingerprints of the boards shuffle the levels, and the days go through them in that order: while none is added,
    none comes again before all others. What is revealed today joins tomorrow, so that the day keeps its level.
    """
    playable = visibility.playable_levels(NOBODY, at)
    kept, is_new = _keep(at)
    if kept is None or is_new:
        return kept
    return playable.filter(pk=kept.pk).first() or _choose(at)  # void since it was kept


def is_of_day(level: Level, at: datetime) -> bool:
    """Whether *level* is the day's. One query, and none while the choice is kept."""
    return not level.voided_at and level == _keep(at)[0]


def _keep(at: datetime) -> tuple[Level | None, bool]:
    """The choice, and whether it was made just now."""
    made: list[Level | None] = []

    def choose() -> Level | None:
        made.append(_choose(at))
        return made[0]

    return remember(("level of the day", day(at)), choose), bool(made)


def _choose(at: datetime) -> Level | None:
    today = day(at)
    began = datetime.combine(today, time.min, timezone.get_default_timezone())
    playable: QuerySet[Any] = visibility.playable_levels(NOBODY, began)  # which stays so, but for what becomes void
    placed = playable.annotate(place=Window(RowNumber(), order_by=["sha256", "pk"]), count=Window(Count("pk")))
    chosen: Level | None = placed.filter(place=Value(today.toordinal()) % F("count") + 1).order_by().first()
    return chosen
