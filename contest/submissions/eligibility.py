"""Checks of an entry's round and time (rules 3.2 to 3.10, 20.1) and of its player (rules 4.10, 4.14, 16.2)."""

import logging
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, When
from django.utils.translation import gettext as _

from contest import players, visibility
from contest.infra import clock
from contest.infra.database.compiled_queries import SOME_NUMBER, SOME_TIME, PreparedQuery, Reader
from contest.models import Door, Player, Round, Tester
from contest.rounds import testers
from contest.rules.phases import Phase
from contest.submissions.entry import Refused
from contest.visibility import Viewer
from contest.wording import times

log = logging.getLogger(__name__)

# Rule 4.14: most rounds have none, and nobody then asks whether a player is one.
_HAS_TESTERS = Exists(Tester.objects.bound().filter(round=OuterRef("pk")).order_by())
_LATER = SOME_TIME + timedelta(days=1)
# Rule 6.8: the main track's first, then in the order of tracks.
_rounds_open_within = PreparedQuery(
    lambda since, at: _open_within(since, at).order_by("track", "opens_at"), SOME_TIME, _LATER
)
_asked_rounds = Reader(Round)
_announced_rounds = PreparedQuery(
    lambda at, number: Round.objects.announced(at).annotate(has_testers=_HAS_TESTERS).filter(number=number),
    SOME_TIME,
    SOME_NUMBER,
)


def _open_within(since: datetime, at: datetime) -> QuerySet[Round]:
    return Round.objects.open(at, since).annotate(has_testers=_HAS_TESTERS)


def now_and_open_rounds(ago: float = 0.0) -> tuple[datetime, list[Round]]:
    """The time by the database's clock, and the rounds that are open then: on PostgreSQL by one question.

    With those that were open at any moment of the last *ago* seconds.
    """
    if connection.vendor != "postgresql" or clock.is_set():
        at = clock.now_at_database()
        return at, _rounds_open_within(at - timedelta(seconds=ago), at)
    statement, values = _now_and_open()
    found = _asked_rounds.read(statement, [round(ago * 1e6), *values])
    at = vars(found[0])["asked_at"].astimezone(UTC)
    return at, [round_ for round_ in found if round_.pk is not None]


@cache
def _now_and_open() -> tuple[str, list[Any]]:
    """The statement, and those of its parameters that are no time: the first are the microseconds ago."""
    sql, values = _open_within(SOME_TIME, _LATER).query.sql_with_params()
    first, *rest = sql.split("%s")
    names = {SOME_TIME: "now.since", _LATER: "now.asked_at"}
    asked = zip((names.get(value, "%s") for value in values), rest, strict=True)
    inner = first + "".join(where + part for where, part in asked)
    statement = (
        f"SELECT now.asked_at, one.* FROM (SELECT asked_at, asked_at - %s * interval '1 microsecond' AS since "  # noqa: S608 - Django's words
        f"FROM (SELECT clock_timestamp() AS asked_at) AS clock) AS now "
        f"LEFT JOIN LATERAL ({inner}) AS one ON true ORDER BY one.track_id, one.opens_at"
    )
    return statement, [value for value in values if value not in names]


def open_rounds(number: int | None, track: str, at: datetime, sha256: str) -> list[Round]:
    """Rules 3.2, 3.4, 3.8, 6.8: the rounds open at *at*, as far as named; or a refusal with the limit missed."""
    if number is not None:
        return [_open_round(number, track, at, sha256)]
    if found := [round_ for round_ in _rounds_open_within(at, at) if track in ("", round_.track_id)]:
        return found
    log.info("Refused out of time: no round open, %s, text %s", at.isoformat(), sha256)
    raise _no_open_round(track, at)


def _open_round(number: int, track: str, at: datetime, sha256: str) -> Round:
    round_ = _announced_rounds.first(at, number) if 0 < number < 2**31 else None
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
    words = _("Round %(number)s closed at %(limit)s; this was received at %(received)s.")
    raise _missed("late", words, round_.name, round_.closed_at(at), at, field="round")


def _missed(code: str, words: str, number: object, limit: datetime, at: datetime, field: str = "") -> Refused:
    """The refusal of what came at *at*, before the *limit* from which on it may be sent again, or after it."""
    told = {"number": number, "limit": beijing(limit), "received": beijing(at)}
    wait = max(1, int((limit - at).total_seconds())) if limit > at else None
    return Refused(code, words % told, status=409, field=field, retry_after=wait)


def practised_round(number: int | None, at: datetime) -> Round:
    """Rule 20.1: the round named, if it takes practice."""
    revealed = visibility.practice_rounds(at)
    round_ = revealed.filter(number=number).first() if number is not None and number < 2**31 else None
    if round_:
        return round_
    raise Refused("no_practice", _("Practice is only for closed rounds; choose one."), status=409, field="round")


def _no_open_round(track: str, at: datetime) -> Refused:
    """No round is named and none is open, of *track* if one is named: say which was missed, or which comes."""
    announced = Round.objects.announced(at).filter(cancelled_at=None)
    announced = announced.filter(track=track) if track else announced
    # A round may open once more, after an outage (rule 3.10).
    coming = announced.filter(Q(opens_at__gt=at) | Q(make_up_opens_at__gt=at))
    next_at = Case(When(opens_at__gt=at, then="opens_at"), default="make_up_opens_at")
    if found := coming.annotate(next_at=next_at).order_by("next_at").values_list("number", "next_at").first():
        return _missed("no_round", _("No round is open. Round %(number)s opens at %(limit)s."), *found, at)
    last = announced.filter(closes_at__lte=at).order_by("-closes_at").first()
    if last:
        words = _("No round is open. Round %(number)s closed at %(limit)s; this was received at %(received)s.")
        return _missed("no_round", words, last.number, last.closed_at(at), at)
    return Refused("no_round", _("No round is open."), status=409)


def beijing(at: datetime) -> str:
    """Beijing time to the second (rule 3.5)."""
    return f"{times.second(at)} {times.ZONE}"


def is_hors_concours(round_: Round, player: Player, viewer: Viewer | None) -> bool:
    """Rules 4.10, 4.14: whether an organiser or a tester enters, where the round lets them enter at all."""
    if players.is_organiser(player, viewer):
        words = _("Organisers do not take part in this round.")
    elif getattr(round_, "has_testers", True) and testers.is_tester(round_, player, viewer):
        words = _("You tried this round before it opened, so you do not take part in it.")
    else:
        return False
    if round_.settings["organisers_may_enter"] == "no":
        raise Refused("not_allowed", words, status=403, field="nickname")
    return True


def check_door(player: Player, door: Door) -> None:
    """Rule 16.2: refuse a program at a door for people."""
    if players.is_program_at_a_persons_door(player, door):
        words = _("“%(name)s” is the nickname of a program: it enters through the API.")
        raise Refused("not_allowed", words % {"name": player.nickname}, status=403, field="nickname")
