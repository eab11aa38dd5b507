"""The site's own record of times when it could take no submissions (rule 3.10).

Every web process records a heartbeat while it runs and can write to the database. More than five minutes without one
are an outage, recorded by the web process before it serves again, or by a worker while the web is still silent.
A series of submissions that failed on our side for as long, with none stored in between, is an outage too.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from contest import rounds
from contest.infra import clock
from contest.models import FailedIntake, Heartbeat, Outage, Part, Submission
from contest.ops import health

log = logging.getLogger(__name__)

LONGEST_SILENCE = timedelta(minutes=5)


@transaction.atomic
def record(began_at: datetime, ended_at: datetime) -> None:
    """Record an outage between these times, and delay the reveal of the rounds it hit.

    While an outage lasts this is called again, and its end moves on.
    """
    outage, is_new = Outage.objects.get_or_create(began_at=began_at, defaults={"ended_at": ended_at})
    if is_new:
        log.error("Outage: no submission could be taken from %s to %s", began_at.isoformat(), ended_at.isoformat())
    elif outage.ended_at < ended_at:
        Outage.objects.filter(pk=outage.pk).update(ended_at=ended_at)
    rounds.delay_reveal(began_at, ended_at)


def beat() -> None:
    """Record that the web can take submissions, and the outage that ends now, if any."""
    at = clock.now_at_database()
    with transaction.atomic():
        Heartbeat.objects.get_or_create(part=Part.WEB, defaults={"beat_at": at})
        # Locked, so that of several processes that come back together one records the silence.
        last = Heartbeat.objects.select_for_update().get(part=Part.WEB)
        if at - last.beat_at > LONGEST_SILENCE:
            record(last.beat_at, at)
        Heartbeat.objects.filter(part=Part.WEB).update(beat_at=at)


def notice_silence() -> None:
    """Record an outage that still lasts: its consequences must not wait for the web to come back."""
    at = clock.now_at_database()
    last = health.last_beat(Part.WEB)
    if last and at - last.beat_at > LONGEST_SILENCE:
        record(last.beat_at, at)


def intake_failed() -> None:
    """Record a submission that failed on our side. If even this cannot be written, the heartbeat stops too."""
    try:
        at = clock.now_at_database()
        with transaction.atomic():
            _note_failure(at)
    except Exception:  # the sender must see the original error, not this one
        log.exception("A failed submission could not be noted.")


def _note_failure(at: datetime) -> None:
    failing = FailedIntake.objects.select_for_update().order_by("-pk").first()
    if failing is None or _stored_since(failing.began_at):
        FailedIntake.objects.all().delete()
        FailedIntake.objects.create(began_at=at, last_at=at)
        return
    FailedIntake.objects.filter(pk=failing.pk).update(last_at=at)
    if at - failing.began_at > LONGEST_SILENCE:
        record(failing.began_at, at)


def _stored_since(at: datetime) -> bool:
    newest = Submission.objects.order_by("-number").only("received_at", "turn_at", "reader").first()
    return newest is not None and newest.came_at >= at
