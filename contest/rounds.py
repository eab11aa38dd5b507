"""When a round may take place, and what may still be changed of it (rules 2.6, 2.9, 3.7)."""

from datetime import datetime, timedelta
from typing import TypedDict

from django.core.exceptions import ValidationError
from django.db import connection
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from contest.models import Round

PAUSE = timedelta(weeks=1)  # rule 2.5: suggested, not enforced
LENGTH = timedelta(weeks=3)
OPENING_HOUR = 20
_CALENDAR_LOCK = 20_600  # any number, the same in all processes


def is_announced(round_: Round, at: datetime) -> bool:
    return round_.announced_at is not None and round_.announced_at <= at


def is_opened(round_: Round, at: datetime) -> bool:
    """Whether the levels have become public, so that they and the opening are frozen (rule 2.9)."""
    return is_announced(round_, at) and round_.opens_at <= at


def is_frozen(round_: Round, at: datetime) -> bool:
    """Whether the levels of *round_* stay as they are, by its times as saved: in a form it has those just entered."""
    stored = Round.objects.filter(pk=round_.pk).first()
    return stored is not None and is_opened(stored, at)


def is_closed(round_: Round, at: datetime) -> bool:
    return is_opened(round_, at) and round_.closes_at <= at


def check_times(round_: Round, at: datetime) -> None:
    """Raise ValidationError where the times of *round_* may not be saved at instant *at*.

    Call it in the transaction that saves: it lets nobody else schedule a round until that ends.
    """
    hold_calendar()
    stored = Round.objects.filter(pk=round_.pk).first()
    if stored:
        _check_frozen(stored, round_, at)
    _check_opening(stored, round_, at)
    _check_cancelling(stored, round_, at)
    _check_overlap(round_)


def hold_calendar() -> None:
    """Let one transaction at a time schedule rounds. On SQLite every writing transaction is alone already."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_CALENDAR_LOCK])


def _check_frozen(stored: Round, round_: Round, at: datetime) -> None:
    if is_announced(stored, at) and round_.number != stored.number:
        raise ValidationError({"number": _("The number is public and stays.")})
    if not is_opened(stored, at):
        return
    for field in ("announced_at", "opens_at"):
        if getattr(round_, field) != getattr(stored, field):
            raise ValidationError({field: _("The round has opened: this can no longer be changed.")})
    if is_closed(stored, at) and round_.closes_at != stored.closes_at:
        raise ValidationError({"closes_at": _("The round has closed: this can no longer be changed.")})
    if round_.closes_at < stored.closes_at:
        raise ValidationError({"closes_at": _("An open round may close later than it said, never earlier.")})


def _check_opening(stored: Round | None, round_: Round, at: datetime) -> None:
    if round_.announced_at is None or (stored and is_opened(stored, at)):
        return
    if round_.opens_at < at:
        raise ValidationError({"opens_at": _("This time has passed. An announced round opens in the future.")})


def _check_cancelling(stored: Round | None, round_: Round, at: datetime) -> None:
    if round_.cancelled_at is None:
        return
    if round_.cancelled_at > at:
        raise ValidationError({"cancelled_at": _("A round is cancelled now, not in the future.")})
    # Otherwise its levels, which everybody has seen, would count as never published.
    if stored and is_opened(stored, at) and round_.cancelled_at < stored.opens_at:
        raise ValidationError({"cancelled_at": _("The round opened before this time.")})


def _check_overlap(round_: Round) -> None:
    if round_.announced_at is None or round_.cancelled_at:
        return
    others = Round.objects.overlapping(round_.opens_at, round_.closes_at).exclude(announced_at=None)
    other = others.exclude(pk=round_.pk).first()
    if other:
        raise ValidationError(
            _("Only one round may be open at a time: %(round)s is open from %(opens)s to %(closes)s.")
            % {"round": other, "opens": _shown(other.opens_at), "closes": _shown(other.closes_at)}
        )


def _shown(at: datetime) -> str:
    return date_format(timezone.localtime(at), "Y-m-d H:i")


class Suggestion(TypedDict):
    number: int
    opens_at: datetime
    closes_at: datetime


def suggestion(at: datetime) -> Suggestion:
    """The next number, and the usual times: an evening a week after the last round, for three weeks (rule 2.5)."""
    last = Round.objects.order_by("-number").first()
    latest = Round.objects.filter(cancelled_at=None).order_by("-closes_at").first()
    earliest = timezone.localtime(max(at, latest.closes_at) if latest else at) + PAUSE
    opens_at = earliest.replace(hour=OPENING_HOUR, minute=0, second=0, microsecond=0)
    return {"number": last.number + 1 if last else 1, "opens_at": opens_at, "closes_at": opens_at + LENGTH}
