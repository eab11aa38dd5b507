"""Figures about the running rounds, for the desk."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

from contest.models import Round, Submission
from contest.models.submission import OPEN_STATES

_DAY = timedelta(hours=24)


@dataclass(frozen=True)
class Figures:
    """Submissions of the last 24 hours and of the 24 before, players, new players, and submissions not yet judged."""

    received: int
    received_before: int
    players: int
    newcomers: int
    waiting: int

    @property
    def more(self) -> int:
        """Return the difference to the 24 hours before; negative if fewer submissions came."""
        return self.received - self.received_before


def compute(running: Sequence[Round], at: datetime) -> Figures | None:
    """Return the figures of the *running* rounds, or None if there are none. One query."""
    if not running:
        return None
    sent = Submission.objects.entered().filter(round__in=running, received_at__lte=at).order_by()
    last, before = Q(received_at__gt=at - _DAY), Q(received_at__gt=at - 2 * _DAY, received_at__lte=at - _DAY)
    counted = sent.aggregate(
        received=Count("pk", filter=last),
        received_before=Count("pk", filter=before),
        players=Count("player", distinct=True),
        waiting=Count("pk", filter=Q(state__in=OPEN_STATES)),
        newcomers=Count("player", distinct=True, filter=Q(player__created_at__gt=at - _DAY)),
    )
    return Figures(**counted)
