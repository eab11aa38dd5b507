"""Numbers of rounds (rule 2.1): in the order of announcements, so that no gap shows a round that is still to come."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from django.db.models import Max, QuerySet

from contest.models import MAIN, Round
from contest.rounds import lucky_number


@contextmanager
def assign_numbers(round_: Round, at: datetime) -> Iterator[None]:
    """Give *round_*, while it is saved, and all rounds to be announced after *at* the numbers after the public ones.

    The first round of a site keeps its own. Drafts with these numbers get others. Call it while the calendar is locked.
    """
    others = Round.objects.exclude(pk=round_.pk)
    public = others.filter(announced_at__lte=at)
    in_order = sorted([round_, *others.filter(announced_at__gt=at)], key=lambda row: (row.announced_at, row.number))
    first = _greatest(public, "number") + 1 if public.exists() else round_.number
    numbers = range(first, first + len(in_order))
    drafts = list(others.filter(announced_at=None, number__in=numbers).order_by("number"))
    free = [round_.number] if round_.number not in numbers else []
    above = max(_greatest(Round.objects.all(), "number"), numbers[-1]) + 1
    moving = [row for row in (*in_order, *drafts) if row is not round_]
    for place, row in enumerate(moving):
        Round.objects.filter(pk=row.pk).update(number=above + len(drafts) + place, number_in_track=None)
    for row, number in zip(in_order, numbers, strict=True):
        row.number = number
    _number_in_tracks(in_order, public)
    yield
    for row, number in zip(drafts, [*free, *range(above, above + len(drafts))], strict=False):
        row.number = number
    for row in moving:
        lucky_number.save_committed(row)


def _number_in_tracks(in_order: Sequence[Round], public: QuerySet[Round]) -> None:
    for row in in_order:
        row.number_in_track = None
    last: dict[str | None, int] = {}
    for row in in_order:
        if row.track_id != MAIN:
            before = last.get(row.track_id, _greatest(public.filter(track=row.track_id), "number_in_track"))
            row.number_in_track = last[row.track_id] = before + 1


def next_in_track(round_: Round) -> int | None:
    """Return the number after the greatest one in its track; None on the main track."""
    if round_.track_id == MAIN:
        return None
    return _greatest(Round.objects.filter(track=round_.track_id).exclude(pk=round_.pk), "number_in_track") + 1


def _greatest(rounds: QuerySet[Round], field: str) -> int:
    return rounds.aggregate(greatest=Max(field))["greatest"] or 0
