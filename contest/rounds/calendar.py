"""Times of a track's rounds, which never overlap (rules 2.5, 2.6, 2.9): check times, and suggest the next ones."""

from datetime import datetime, timedelta
from typing import TypedDict

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from contest.infra.database import locks
from contest.infra.database.locks import Turn
from contest.models import MAIN, Round, Track
from contest.models.round import LAST_YEAR
from contest.wording import times

PAUSE = timedelta(weeks=1)  # rule 2.5: suggested, not enforced
LENGTH = timedelta(weeks=3)
OPENING_HOUR = 20


def is_announced(round_: Round, at: datetime) -> bool:
    return round_.announced_at is not None and round_.announced_at <= at


def is_past_opening(round_: Round, at: datetime) -> bool:
    """Return True if an announced round's opening has passed, even if cancelled: levels are frozen (rule 2.9)."""
    return is_announced(round_, at) and round_.opens_at <= at


def is_frozen(round_: Round, at: datetime) -> bool:
    """Return True if the saved times freeze the levels; *round_* from a form may have unsaved times."""
    stored = Round.objects.filter(pk=round_.pk).first()
    return stored is not None and is_past_opening(stored, at)


def is_closed(round_: Round, at: datetime) -> bool:
    return is_past_opening(round_, at) and round_.closes_at <= at


def check_times(round_: Round, at: datetime) -> None:
    """Raise ValidationError if the times of *round_* may not be saved at time *at*.

    Call it in the saving transaction: it blocks other transactions from scheduling a round until that ends.
    """
    lock_calendar()
    check_fields(round_, "opens_at", "closes_at")
    stored = Round.objects.filter(pk=round_.pk).first()
    if stored:
        _check_frozen(stored, round_, at)
    _check_opening(stored, round_, at)
    _check_overlap(round_)
    round_.validate_constraints(exclude={"commitment", "number_in_track"})  # these two are set while it is saved


def check_fields(round_: Round, *names: str) -> None:
    """Raise ValidationError if one of the fields by itself is invalid, from any source."""
    round_.clean_fields(exclude={field.name for field in Round._meta.fields} - set(names))


def lock_calendar() -> None:
    """Take the lock that lets one transaction at a time schedule rounds."""
    locks.take(Turn.CALENDAR)


def _check_frozen(stored: Round, round_: Round, at: datetime) -> None:
    if is_announced(stored, at) and round_.number != stored.number:
        raise ValidationError({"number": _("The number is public and can no longer be changed.")})
    if is_announced(stored, at) and round_.track_id != stored.track_id:
        raise ValidationError({"track": _("The round is announced: its track can no longer be changed.")})
    if not is_past_opening(stored, at):
        return
    for field in ("announced_at", "opens_at"):
        if getattr(round_, field) != getattr(stored, field):
            raise ValidationError({field: _("The round has opened: this can no longer be changed.")})
    if is_closed(stored, at) and round_.closes_at != stored.closes_at:
        raise ValidationError({"closes_at": _("The round has closed: this can no longer be changed.")})
    if round_.closes_at < stored.closes_at:
        raise ValidationError({"closes_at": _("An open round may close later than announced, but never earlier.")})


def _check_opening(stored: Round | None, round_: Round, at: datetime) -> None:
    if round_.announced_at is None or (stored and is_past_opening(stored, at)):
        return
    if round_.opens_at < at:
        raise ValidationError({"opens_at": _("This time has passed. An announced round must open in the future.")})


def _check_overlap(round_: Round) -> None:
    if round_.announced_at is None or round_.cancelled_at:
        return
    check_alone(round_, round_.opens_at, round_.closes_at)


def check_alone(round_: Round, opens_at: datetime, closes_at: datetime) -> None:
    """Raise ValidationError if another round of the track is open in the span, make-up included (rule 2.6)."""
    other = _find_overlapping(round_, opens_at, closes_at)
    if other:
        message = _("Only one round may be open at a time: %(round)s is open from %(opens)s to %(closes)s.")
        values = {"opens": times.format_minute(other.opens_at), "closes": times.format_minute(other.closes_at)}
        raise ValidationError([message % {"round": other, **values}, other_tracks_message(round_)])


def other_tracks_message(round_: Round) -> str:
    """Return on which tracks a round may be open beside those of its own."""
    others = ", ".join(map(str, Track.objects.exclude(slug=round_.track_id)))
    if others:
        message = _("That is so within the track %(track)s. Beside it, a round may be open on: %(others)s.")
        return message % {"track": round_.track, "others": others}
    message = _("That is so within the track %(track)s. For a round beside it, create another track under “Series”.")
    return message % {"track": round_.track}


def overlapping_round(round_: Round) -> Round | None:
    """Return an announced round of the same track that overlaps this one (rule 2.6)."""
    return _find_overlapping(round_, round_.opens_at, round_.closes_at)


def _find_overlapping(round_: Round, opens_at: datetime, closes_at: datetime) -> Round | None:
    overlapping = (
        Round.objects.overlapping(opens_at, closes_at).filter(track=round_.track_id).exclude(announced_at=None)
    )
    return overlapping.exclude(pk=round_.pk).first()


class Suggestion(TypedDict):
    number: int
    opens_at: datetime
    closes_at: datetime


def suggest_round(at: datetime, track: str | None = MAIN) -> Suggestion:
    """Suggest the next number and the usual times: three weeks, from an evening a week after the last round (2.5)."""
    last = Round.objects.order_by("-number").first()
    announced = Round.objects.exclude(announced_at=None).filter(cancelled_at=None, track=track)
    latest = announced.filter(closes_at__year__lte=LAST_YEAR).order_by("-closes_at").first()
    earliest = timezone.localtime(max(at, latest.closes_at) if latest else at) + PAUSE
    opens_at = earliest.replace(hour=OPENING_HOUR, minute=0, second=0, microsecond=0)
    return {"number": last.number + 1 if last else 1, "opens_at": opens_at, "closes_at": opens_at + LENGTH}
