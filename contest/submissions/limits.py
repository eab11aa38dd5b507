"""Whether an entry comes in time, for which round (rules 3.2 to 3.10, 20.1), and counts (4.10, 4.14); how much is taken
from whom, and when the judge comes to it (rules 5.2 and 5.9; docs/judging.md).
"""

import json
import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Sum, When
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from contest import players, visibility
from contest.infra import clock, rate_limits
from contest.infra.database.compiled_queries import SOME_NUMBER, SOME_TIME, PreparedQuery, Question, Reader
from contest.models import Door, Player, Round, State, Submission, Tester, Token
from contest.rounds import testers
from contest.rules.phases import Phase
from contest.submissions.entry import Refused
from contest.visibility import Viewer
from contest.wording import times

log = logging.getLogger(__name__)

# The texts of a player who sends so little at a time stay far below the bound on all of them.
_SMALL_BYTES = 16_384

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
    if phase == Phase.SCHEDULED:
        raise _early(round_, round_.opens_at, at)
    if phase == Phase.CANCELLED:
        raise Refused("late", _("Round %(number)s was cancelled.") % {"number": round_.name}, status=409, field="round")
    if round_.make_up_opens_at and at < round_.make_up_opens_at:
        raise _early(round_, round_.make_up_opens_at, at)
    raise Refused(
        "late",
        _("Round %(number)s closed at %(limit)s; this was received at %(received)s.")
        % {"number": round_.name, "limit": beijing(round_.closed_at(at)), "received": beijing(at)},
        status=409,
        field="round",
    )


def _early(round_: Round, opens_at: datetime, at: datetime) -> Refused:
    return Refused(
        "early",
        _("Round %(number)s opens at %(limit)s; this was received at %(received)s.")
        % {"number": round_.name, "limit": beijing(opens_at), "received": beijing(at)},
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


def _no_open_round(track: str, at: datetime) -> Refused:
    """No round is named and none is open, of *track* if one is named: say which was missed, or which comes."""
    announced = Round.objects.announced(at).filter(cancelled_at=None)
    announced = announced.filter(track=track) if track else announced
    # A round may open once more, after an outage (rule 3.10).
    coming = announced.filter(Q(opens_at__gt=at) | Q(make_up_opens_at__gt=at))
    next_at = Case(When(opens_at__gt=at, then="opens_at"), default="make_up_opens_at")
    if found := coming.annotate(next_at=next_at).order_by("next_at").values_list("number", "next_at").first():
        number, opens_at = found
        return Refused(
            "no_round",
            _("No round is open. Round %(number)s opens at %(limit)s.")
            % {"number": number, "limit": beijing(opens_at)},
            status=409,
            retry_after=max(1, int((opens_at - at).total_seconds())),
        )
    last = announced.filter(closes_at__lte=at).order_by("-closes_at").first()
    if last:
        return Refused(
            "no_round",
            _("No round is open. Round %(number)s closed at %(limit)s; this was received at %(received)s.")
            % {"number": last.number, "limit": beijing(last.closed_at(at)), "received": beijing(at)},
            status=409,
        )
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


def pass_gate(address: str) -> None:
    """Rule 5.9: whoever proves a nickname never comes here, and is not counted."""
    try:
        rate_limits.pass_address(address)
    except rate_limits.Busy as busy:
        words = _(
            "Your network may send %(most)s submissions a minute without proof of a nickname. "
            "Try again in %(wait)s seconds."
        )
        raise _busy(words, busy) from None


def pass_trial(address: str) -> None:
    """Rule 5.9: a trial without a token costs as much as a submission without proof."""
    try:
        rate_limits.pass_address(address)
    except rate_limits.Busy as busy:
        words = _("Your network may run %(most)s checks a minute. Try again in %(wait)s seconds.")
        raise _busy(words, busy) from None


def pass_token(token: Token, amount: int) -> None:
    """Rule 5.9: what a token may send in a minute, counted by items, trials too."""
    try:
        rate_limits.pass_token(token.public_id, amount, token.per_minute)
    except rate_limits.Busy as busy:
        if busy.wait is None:
            words = _("This token takes %(most)s submissions a minute; send smaller batches.") % {"most": busy.most}
            raise Refused("too_large", words, status=413, field="submissions") from None
        words = _("This token takes %(most)s submissions a minute. Send again in %(wait)s seconds.")
        raise _busy(words, busy) from None


def take_turn(address: str, share: timedelta) -> timedelta:
    """How far behind the turn of a text lies that is sent from *address* now; *share* is what it pushes the next back.

    Whether or not a nickname is proved. Raise Refused where that is further than anybody is let wait.
    """
    (turn,) = take_turns([(address, share)])
    if isinstance(turn, rate_limits.Busy):
        raise too_much_waits(turn.wait or 1)
    return turn


def take_turns(asked: Sequence[tuple[str, timedelta]]) -> list[timedelta | rate_limits.Busy]:
    """`take_turn` of several, in their order; who would wait too long is refused in words of `too_much_waits`."""
    seconds = [(address, share.total_seconds()) for address, share in asked]
    turns = rate_limits.take_turns(seconds, settings.MOST_AHEAD_SECONDS)
    return [turn if isinstance(turn, rate_limits.Busy) else timedelta(seconds=turn) for turn in turns]


def share_of(seconds: float) -> timedelta:
    """What a text that costs so many *seconds* pushes its sender's next one back."""
    return timedelta(seconds=seconds * settings.TURN_FACTOR)


def turn_at(newest: Sequence[Submission], received_at: datetime, behind: timedelta, share: timedelta) -> datetime:
    """When the judge comes to a text: after what its player and its address, which lies *behind*, sent before it."""
    return max(received_at + behind, _last_turn(newest, received_at)) + share


def _last_turn(newest: Sequence[Submission], at: datetime) -> datetime:
    """The last turn of what a player has sent. One from before the clock was set back says nothing about now."""
    return max((row.turn_at for row in newest if row.received_at <= at), default=at)


def newest_of(player: Player) -> Sequence[Submission]:
    """What of *player*'s counts against the quotas, newest first, as far as they look back."""
    return _newest(_looked_back())(player.pk)


def questions_of_newest(name_keys: Sequence[str]) -> list[Question[Submission]]:
    """What is asked for `newest_of` all players of these names at once, where the database can."""
    if connection.vendor != "postgresql":
        return []
    return [Question(_newest_rows, _NEWEST, [_looked_back(), json.dumps(sorted(set(name_keys)))])]


_newest_rows = Reader(Submission)
# An array: of rows by a function PostgreSQL expects a hundred, and reads all players to find them.
_NEWEST = """
    SELECT newest.* FROM contest_player AS player, LATERAL (
        SELECT number, player_id, received_at, turn_at FROM contest_submission
        WHERE player_id = player.id AND state <> 'quarantined' ORDER BY received_at DESC LIMIT %s
    ) AS newest WHERE name_key = ANY (ARRAY(SELECT json_array_elements_text(%s::json))) ORDER BY received_at DESC
"""


def newest_first(rows: Sequence[Submission]) -> Sequence[Submission]:
    """*rows* of one player as `newest_of` gives them."""
    return sorted(rows, key=lambda row: row.received_at, reverse=True)[: _looked_back()]


def _looked_back() -> int:
    return max(settings.QUOTA_PER_SECONDS.values())


@cache
def _newest(count: int) -> PreparedQuery[Submission]:
    return PreparedQuery(
        lambda player: _costly(player).order_by("-received_at").only("player", "received_at", "turn_at")[:count],
        SOME_NUMBER,
    )


def _costly(player_id: int) -> QuerySet[Submission]:
    """What of the player's counts against the quotas. What staff holds costs nothing."""
    return Submission.objects.filter(player=player_id).exclude(state=State.QUARANTINED)


def over_quota(
    player: Player, newest: Sequence[Submission], round_: Round, at: datetime, *, size: int
) -> Refused | None:
    """Rule 5.9, inside the inserting transaction, with the player's row locked; *size* in bytes."""
    for seconds, most in settings.QUOTA_PER_SECONDS.items():
        since = at - timedelta(seconds=seconds)
        if len(newest) >= most and newest[most - 1].received_at > since:
            wait = max(1, int((newest[most - 1].received_at - since).total_seconds()) + 1)
            words = _(
                "You have sent %(most)s submissions in a short time. Try again in %(wait)s seconds; nothing is lost."
            )
            return _over_limit(words % {"most": most, "wait": wait}, wait)
    ahead = (_last_turn(newest, at) - at).total_seconds() - settings.MOST_AHEAD_SECONDS
    if ahead > 0:
        return too_much_waits(int(ahead) + 1)
    if not asks_more(newest, size):
        return None
    in_round = _costly(player.pk).filter(round=round_)
    if not _is_little(newest) and in_round.count() >= settings.QUOTA_PER_ROUND:
        words = _("The limit is %(most)s submissions a round.")
        return _over_limit(words % {"most": settings.QUOTA_PER_ROUND})
    if size > _SMALL_BYTES and newest:
        stored = in_round.aggregate(bytes=Sum(Length("text")))["bytes"] or 0
        if stored + size > settings.QUOTA_BYTES_PER_ROUND:
            words = _("In one round the texts of a player may have %(most)s bytes together.")
            return _over_limit(words % {"most": f"{settings.QUOTA_BYTES_PER_ROUND:,}"})
    return None


def asks_more(newest: Sequence[Submission], size: int) -> bool:
    """Whether `over_quota` has to look at more than the newest."""
    return not _is_little(newest) or size > _SMALL_BYTES


def _is_little(newest: Sequence[Submission]) -> bool:
    """Whether so little was sent in all that no round can have had too much."""
    return len(newest) < min(_looked_back(), settings.QUOTA_PER_ROUND)


def too_much_waits(wait: int) -> Refused:
    words = _(
        "What you have sent already will keep the judge busy for a while. "
        "Send again in %(wait)s seconds; nothing is lost."
    )
    return _over_limit(words % {"wait": wait}, wait)


def _busy(words: str, busy: rate_limits.Busy) -> Refused:
    wait = busy.wait or rate_limits.SPAN_SECONDS
    return _over_limit(words % {"most": busy.most, "wait": wait}, wait)


def _over_limit(reason: str, wait: int | None = None) -> Refused:
    return Refused("quota", reason, status=429, retry_after=wait)
