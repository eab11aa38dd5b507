"""The site's own record of when it could take no submissions (rule 3.10).

Every web process beats while it lives and can write to the database. A silence of more than five minutes is an outage:
whoever notices it writes it down, the web process before it serves again, or a worker while the web is still silent.
So is a row of submissions that failed on our side for as long, with none stored in between.
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
    """Write down that nothing could be sent between these instants, and let the rounds it hit wait.

    While an outage lasts this is called again, and its end moves on.
    """
    outage, is_new = Outage.objects.get_or_create(began_at=began_at, defaults={"ended_at": ended_at})
    if is_new:
        log.error("Outage: no submission could be taken from %s to %s", began_at.isoformat(), ended_at.isoformat())
    elif outage.ended_at < ended_at:
        Outage.objects.filter(pk=outage.pk).update(ended_at=ended_at)
    rounds.hold_reveal(began_at, ended_at)


def beat() -> None:
    """Show that the web can take submissions; write down the outage that ends with this."""
    at = clock.now_at_database()
    with transaction.atomic():
        Heartbeat.objects.get_or_create(part=Part.WEB, defaults={"beat_at": at})
        # Locked, so that of several processes that come back together one records the silence.
        last = Heartbeat.objects.select_for_update().get(part=Part.WEB)
        if at - last.beat_at > LONGEST_SILENCE:
            record(last.beat_at, at)
        Heartbeat.objects.filter(part=Part.WEB).update(beat_at=at)


def notice_silence() -> None:
    """Write down an outage that still lasts: what follows from it must not wait for the web to come back."""
    at = clock.now_at_database()
    last = health.last_beat(Part.WEB)
    if last and at - last.beat_at > LONGEST_SILENCE:
        record(last.beat_at, at)


def intake_failed() -> None:
    """Note a submission that failed on our side. Where not even this can be written, the heartbeat falls silent too."""
    try:
        at = clock.now_at_database()
        with transaction.atomic():
            _note_failure(at)
    except Exception:  # the sender's error is what counts, not ours about it
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
