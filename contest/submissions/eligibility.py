"""Checks of an entry's round and time (rules 3.2 to 3.10, 20.1) and of its player (rules 4.10, 4.14, 4.15, 16.2)."""

import logging
from datetime import datetime

from django.db import connection
from django.db.models import Case, Q, When
from django.utils.translation import gettext as _

from contest import players, visibility
from contest.infra.database.prepared import columns
from contest.models import Door, Player, Round
from contest.rounds import insiders, testers
from contest.rules.phases import Phase
from contest.submissions.entry import Refused
from contest.visibility import Viewer
from contest.wording import times

log = logging.getLogger(__name__)

# Rule 4.14: most rounds have no testers, so that no query per player is needed.
_ROUNDS = """
    SELECT {columns}, EXISTS (
        SELECT 1 FROM contest_tester WHERE round_id = contest_round.id AND agreed_at IS NOT NULL
    ) AS has_testers
    FROM contest_round JOIN contest_track ON slug = track_id
    WHERE announced_at <= %s AND {condition} ORDER BY contest_track."order", slug, opens_at
"""


def _rounds(at: datetime, condition: str, *values: object) -> list[Round]:
    """Return rounds announced *at* that time that meet the SQL *condition*, in the order of their tracks (rule 6.8)."""
    parameters = [
        connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
        for value in (at, *values)
    ]
    return list(Round.objects.raw(_ROUNDS.format(columns=columns(Round), condition=condition), parameters))


def last_open(since: datetime, at: datetime) -> list[Round]:
    """Return rounds announced *at* that end after *since*; `Round.phase` says which are open."""
    return _rounds(at, "(closes_at > %s OR make_up_closes_at > %s)", since, since)


def open_rounds(number: int | None, track: str, at: datetime, sha256: str) -> list[Round]:
    """Return the rounds open at *at* that match, or raise Refused with the limit missed (rules 3.2, 3.4, 3.8, 6.8)."""
    if number is not None:
        return [_open_round(number, track, at, sha256)]
    open_now = [round_ for round_ in last_open(at, at) if round_.phase(at) == Phase.OPEN]
    if matching := [round_ for round_ in open_now if track in ("", round_.track_id)]:
        return matching
    log.info("Refused out of time: no round open, %s, text %s", at.isoformat(), sha256)
    raise _no_open_round(track, at)


def _open_round(number: int, track: str, at: datetime, sha256: str) -> Round:
    round_ = next(iter(_rounds(at, "number = %s", number)), None) if 0 < number < 2**31 else None
    if not round_ or track not in ("", round_.track_id):
        raise Refused("no_round", _("There is no such round."), status=404, field="round")
    phase = round_.phase(at)
    if phase == Phase.OPEN:
        return round_
    log.info("Refused out of time: round %s, %s, text %s", number, at.isoformat(), sha256)
    opens = _("Round %(number)s opens at %(limit)s; this was received at %(received)s.")
    if phase == Phase.SCHEDULED:
        raise _missed("early", opens, round_.name, round_.opens_at, at, field="round")
    if phase == Phase.CANCELLED:
        raise Refused("late", _("Round %(number)s was cancelled.") % {"number": round_.name}, status=409, field="round")
    if round_.make_up_opens_at and at < round_.make_up_opens_at:
        raise _missed("early", opens, round_.name, round_.make_up_opens_at, at, field="round")
    message = _("Round %(number)s closed at %(limit)s; this was received at %(received)s.")
    raise _missed("late", message, round_.name, round_.closed_at(at), at, field="round")


def _missed(code: str, message: str, number: object, limit: datetime, at: datetime, field: str = "") -> Refused:
    """Build the refusal of a text received *at* a time before *limit*, when it may be sent again, or after it."""
    values = {"number": number, "limit": times.format_zoned_second(limit), "received": times.format_zoned_second(at)}
    wait = max(1, int((limit - at).total_seconds())) if limit > at else None
    return Refused(code, message % values, status=409, field=field, retry_after=wait)


def practised_round(number: int | None, at: datetime) -> Round:
    """Return the round named, if it takes practice (rule 20.1)."""
    revealed = visibility.practice_rounds(at)
    round_ = revealed.filter(number=number).first() if number is not None and number < 2**31 else None
    if round_:
        return round_
    raise Refused("no_practice", _("Practice is only for closed rounds; choose one."), status=409, field="round")


def _no_open_round(track: str, at: datetime) -> Refused:
    """Build the refusal if no round (of *track*, if named) is open: name the missed round or the next one."""
    announced = Round.objects.announced(at).filter(cancelled_at=None)
    announced = announced.filter(track=track) if track else announced
    # A round may open once more after an outage (rule 3.10).
    upcoming = announced.filter(Q(opens_at__gt=at) | Q(make_up_opens_at__gt=at))
    next_at = Case(When(opens_at__gt=at, then="opens_at"), default="make_up_opens_at")
    if next_round := upcoming.order_by(next_at).first():
        openings = (next_round.opens_at, next_round.make_up_opens_at)
        opens_at = min(time for time in openings if time and time > at)
        message = _("No round is open. Round %(number)s opens at %(limit)s.")
        return _missed("no_round", message, next_round.name, opens_at, at)
    last = announced.filter(closes_at__lte=at).order_by("-closes_at").first()
    if last:
        message = _("No round is open. Round %(number)s closed at %(limit)s; this was received at %(received)s.")
        return _missed("no_round", message, last.name, last.closed_at(at), at)
    return Refused("no_round", _("No round is open."), status=409)


def is_hors_concours(round_: Round, player: Player, viewer: Viewer | None) -> bool:
    """Return True for organisers and testers (rules 4.10, 4.14), and for players who knew a level before (rule 4.15).

    Raise Refused for an organiser or tester whom the round does not let enter.
    """
    if players.is_organiser(player, viewer):
        message = _("Organisers may not take part in this round.")
    elif getattr(round_, "has_testers", True) and testers.is_tester(round_, player, viewer):
        message = _("You tested this round before it opened, so you may not enter it.")
    else:
        return insiders.is_insider(round_, player, viewer)
    if round_.settings["organisers_may_enter"] == "no":
        raise Refused("not_allowed", message, status=403, field="nickname")
    return True


def check_door(player: Player, door: Door) -> None:
    """Refuse a program at a door for people (rule 16.2)."""
    if players.is_program_at_human_door(player, door):
        message = _("“%(name)s” is the nickname of a program: it enters through the API.")
        raise Refused("not_allowed", message % {"name": player.nickname}, status=403, field="nickname")
