"""After an outage the reveal is delayed, and organisers may open the round once more (rule 3.10)."""

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from contest.models import Note, Outage, Round
from contest.rounds import tracks
from contest.rounds.calendar import check_alone, lock_calendar
from contest.rounds.lifecycle import leave_note, lock, store
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.wording.bilingual import Reason

# Rule 3.10: an outage this long, this shortly before the close, delays the reveal by WAIT.
OUTAGE = timedelta(minutes=5)
BEFORE_CLOSE = timedelta(hours=2)
WAIT = timedelta(hours=24)


@transaction.atomic
def delay_reveal(outage_began: datetime, outage_ended: datetime) -> list[Round]:
    """Automatically delay the reveal by a day for rounds that closed on an outage (rule 3.10); return them."""
    affected = Round.objects.filter(closes_at__gt=outage_began, closes_at__lt=outage_ended + BEFORE_CLOSE)
    affected = affected.exclude(announced_at=None).filter(cancelled_at=None, finalised_at=None, reveal_waits_until=None)
    held = affected.select_for_update(no_key=True)
    delayed = [round_ for round_ in held if time_lost(round_, outage_began, outage_ended) > OUTAGE]
    for round_ in delayed:
        round_.reveal_waits_until = round_.closes_at + WAIT
        round_.save(update_fields=["reveal_waits_until"])
        audit_log.record(
            None, "hold reveal", round_, after={"reveal_waits_until": round_.reveal_waits_until.isoformat()}
        )
    return delayed


def time_lost(round_: Round, began: datetime, ended: datetime) -> timedelta:
    """Return how much of the round's last two hours an outage took (rule 3.10)."""
    return max(min(ended, round_.closes_at) - max(began, round_.closes_at - BEFORE_CLOSE), timedelta(0))


@tracks.record_revealed
@transaction.atomic
def grant_make_up(
    round_: Round, opens_at: datetime, closes_at: datetime, reason: Reason, *, at: datetime, by: Actor
) -> Round:
    """Reopen the round after an outage, for at least as long; it is revealed at the end (rule 3.10)."""
    lock_calendar()
    round_, at = lock(round_, at)
    waits_until = round_.reveal_waits_until
    if (
        round_.cancelled_at
        or round_.make_up_closes_at
        or waits_until is None
        or not round_.closes_at <= at < waits_until
    ):
        raise ValidationError(
            _("A make-up window can be granted only once, and only while the reveal is delayed after an outage.")
        )
    if not at <= opens_at < waits_until:
        raise ValidationError(
            {"opens_at": _("The make-up window must not open in the past, and must open before the delayed reveal.")}
        )
    outages = Outage.objects.filter(began_at__lt=round_.closes_at, ended_at__gt=round_.closes_at - BEFORE_CLOSE)
    longest = max((outage.ended_at - outage.began_at for outage in outages), default=OUTAGE)
    if closes_at - opens_at < longest:
        minutes = -(-int(longest.total_seconds()) // 60)
        raise ValidationError(
            {
                "closes_at": _("The outage lasted %(minutes)s minutes; the make-up window must be at least as long.")
                % {"minutes": minutes}
            }
        )
    check_alone(round_, opens_at, closes_at)
    round_.make_up_opens_at, round_.make_up_closes_at = opens_at, closes_at
    tracks.check_levels(round_, at=at, by=by)
    store(round_)
    window = {"opens_at": opens_at.isoformat(), "closes_at": closes_at.isoformat()}
    leave_note(round_, Note.Kind.MAKE_UP, reason, at, window)
    audit_log.record(by, "grant make-up window", round_, reason=str(reason), after=window)
    return round_
