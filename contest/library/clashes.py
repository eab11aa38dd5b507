"""Rounds of series that an announced round keeps from opening: a track has one open round at a time (rule 2.6)."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from contest.models import Series
from contest.wording import times

_MOST_NAMED = 5  # openings of one series


def messages(
    track: str | None,
    opens_at: datetime,
    closes_at: datetime,
    at: datetime,
    *,
    but: tuple[datetime, datetime] | None = None,
) -> Iterator[str]:
    """Yield the openings of running series that fall into the span, except those that fall into the span *but*."""
    for series in Series.objects.filter(track=track, is_running=True):
        blocked = [
            opens
            for opens in _openings(series, opens_at, closes_at, at)
            if not (but and _overlaps(series, opens, *but))
        ]
        if blocked:
            named = [times.format_minute(opens) for opens in blocked[:_MOST_NAMED]]
            named += ["…"] if len(blocked) > _MOST_NAMED else []
            yield _("%(series)s leaves out its round of %(opens)s: this round is open then.") % {
                "series": series,
                "opens": ", ".join(named),
            }


def _openings(series: Series, opens_at: datetime, closes_at: datetime, at: datetime) -> Iterator[datetime]:
    """Yield the series' openings whose rounds are not created yet and would overlap the span."""
    number = series.next_number(max(at, opens_at - timedelta(days=series.length_days)))
    made = set(series.turns.exclude(round=None).values_list("number", flat=True))
    try:
        while (opens := series.opening(number)) < closes_at:
            if number not in made and _overlaps(series, opens, opens_at, closes_at):
                yield opens
            number += 1
    except OverflowError:  # a year beyond the calendar
        return


def _overlaps(series: Series, opens: datetime, opens_at: datetime, closes_at: datetime) -> bool:
    return opens < closes_at and opens_at < opens + timedelta(days=series.length_days)
