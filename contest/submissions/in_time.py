"""Whether an entry comes in time, and for which round (rules 3.2 to 3.10, 20.1)."""

import logging
from datetime import datetime

from django.db.models import Case, Q, When
from django.utils import timezone
from django.utils.translation import gettext as _

from contest import visibility
from contest.infra.compiled_queries import SOME_NUMBER, SOME_TIME, Prepared
from contest.models import Round
from contest.rules.phases import Phase
from contest.submissions.entry import Refused

log = logging.getLogger(__name__)

_open_rounds = Prepared(lambda at: Round.objects.open(at).order_by("opens_at")[:1], SOME_TIME)
_announced_rounds = Prepared(
    lambda at, number: Round.objects.announced(at).filter(number=number), SOME_TIME, SOME_NUMBER
)


def open_round(number: int | None, at: datetime, sha256: str) -> Round:
    """Rules 3.2, 3.4, 3.8: the round that is open at *at*, or a refusal that names the limit missed."""
    if number is None:
        if round_ := _open_rounds.first(at):
            return round_
        log.info("Refused out of time: no round open, %s, text %s", at.isoformat(), sha256)
        raise _no_open_round(at)
    round_ = _announced_rounds.first(at, number) if 0 < number < 2**31 else None
    if not round_:
        raise Refused("no_round", _("There is no such round."), status=404, field="round")
    phase = round_.phase(at)
    if phase == Phase.OPEN:
        return round_
    log.info("Refused out of time: round %s, %s, text %s", number, at.isoformat(), sha256)
    if phase == Phase.SCHEDULED:
        raise _early(round_, round_.opens_at, at)
    if phase == Phase.CANCELLED:
        raise Refused("late", _("Round %(number)s was cancelled.") % {"number": number}, status=409, field="round")
    if round_.make_up_opens_at and at < round_.make_up_opens_at:
        raise _early(round_, round_.make_up_opens_at, at)
    raise Refused(
        "late",
        _("Round %(number)s closed at %(limit)s; this was received at %(received)s.")
        % {"number": number, "limit": _shown(round_.closed_at(at)), "received": _shown(at)},
        status=409,
        field="round",
    )


def _early(round_: Round, opens_at: datetime, at: datetime) -> Refused:
    return Refused(
        "early",
        _("Round %(number)s opens at %(limit)s; this was received at %(received)s.")
        % {"number": round_.number, "limit": _shown(opens_at), "received": _shown(at)},
        status=409,
        field="round",
        retry_after=max(1, int((opens_at - at).total_seconds())),
    )


def practised_round(number: int | None, at: datetime) -> Round:
    """Rule 20.1: the round named, if it takes practice."""
    revealed = visibility.practice_rounds(at)
    round_ = revealed.filter(number=number).first() if number is not None and number < 2**31 else None
    if round_:
        return round_
    raise Refused("no_practice", _("Practice is only for closed rounds; choose one."), status=409, field="round")


def _no_open_round(at: datetime) -> Refused:
    """No round is named and none is open: say which was missed, or which comes."""
    announced = Round.objects.announced(at).filter(cancelled_at=None)
    # A round may open once more, after an outage (rule 3.10).
    coming = announced.filter(Q(opens_at__gt=at) | Q(make_up_opens_at__gt=at))
    next_at = Case(When(opens_at__gt=at, then="opens_at"), default="make_up_opens_at")
    if found := coming.annotate(next_at=next_at).order_by("next_at").values_list("number", "next_at").first():
        number, opens_at = found
        return Refused(
            "no_round",
            _("No round is open. Round %(number)s opens at %(limit)s.") % {"number": number, "limit": _shown(opens_at)},
            status=409,
            retry_after=max(1, int((opens_at - at).total_seconds())),
        )
    last = Round.objects.announced(at).filter(closes_at__lte=at, cancelled_at=None).order_by("-closes_at").first()
    if last:
        return Refused(
            "no_round",
            _("No round is open. Round %(number)s closed at %(limit)s; this was received at %(received)s.")
            % {"number": last.number, "limit": _shown(last.closed_at(at)), "received": _shown(at)},
            status=409,
        )
    return Refused("no_round", _("No round is open."), status=409)


def _shown(at: datetime) -> str:
    """Beijing time to the second (rule 3.5)."""
    return timezone.localtime(at).strftime("%Y-%m-%d %H:%M:%S") + " (UTC+8)"
