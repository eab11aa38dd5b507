"""Numbers of rounds (rule 2.1): final once announced, so that they are in chronological order."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.models import Max

from contest.models import MAIN, Round
from contest.rounds import lucky_number


@contextmanager
def assign_number(round_: Round) -> Iterator[None]:
    """Give *round_* the number after the last announced one, while it is saved; the first round keeps its own.

    A draft with that number gets the number that becomes free. Call it while the calendar is locked.
    """
    last = Round.objects.exclude(announced_at=None).exclude(pk=round_.pk).aggregate(Max("number"))["number__max"]
    old_number = round_.number
    new_number = last + 1 if last else old_number
    holder = Round.objects.filter(number=new_number).exclude(pk=round_.pk).first()
    if holder:
        free_number = Round.objects.aggregate(Max("number"))["number__max"] + 1
        Round.objects.filter(pk=holder.pk).update(number=free_number)
    round_.number = new_number
    round_.number_in_track = next_in_track(round_)
    yield
    if holder:
        holder.number = old_number
        lucky_number.save_committed(holder)


def next_in_track(round_: Round) -> int | None:
    """Return the number after the greatest one in its track; None on the main track."""
    if round_.track_id == MAIN:
        return None
    others = Round.objects.filter(track=round_.track_id).exclude(pk=round_.pk)
    return (others.aggregate(Max("number_in_track"))["number_in_track__max"] or 0) + 1
