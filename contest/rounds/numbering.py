"""The number of a round (rule 2.1): given for good when it is announced, so that numbers follow time."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.models import Max

from contest.models import Round
from contest.rounds import lucky_number


@contextmanager
def next_number(round_: Round) -> Iterator[None]:
    """Give *round_* the number after the last announced one, while it is saved; the first one keeps its own.

    A draft that bears that number takes the one that becomes free. Call it while the calendar is held.
    """
    last = Round.objects.exclude(announced_at=None).exclude(pk=round_.pk).aggregate(Max("number"))["number__max"]
    own = round_.number
    wanted = last + 1 if last else own
    holder = Round.objects.filter(number=wanted).exclude(pk=round_.pk).first()
    if holder:
        spare = Round.objects.aggregate(Max("number"))["number__max"] + 1
        Round.objects.filter(pk=holder.pk).update(number=spare)
    round_.number = wanted
    yield
    if holder:
        holder.number = own
        lucky_number.save_committed(holder)
