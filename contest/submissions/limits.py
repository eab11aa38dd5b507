"""Whether an entry comes in time, and for which round (rules 3.2 to 3.10, 20.1); how much is taken from whom, and when
the judge comes to it (rules 5.2 and 5.9; docs/judging.md).
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache

from django.conf import settings
from django.db import connection
from django.db.models import Case, Q, QuerySet, Sum, When
from django.db.models.functions import Length
from django.utils import timezone
from django.utils.translation import gettext as _

from contest import visibility
from contest.infra import rate_limits
from contest.infra.database.compiled_queries import SOME_NUMBER, SOME_TIME, Prepared
from contest.models import Player, Round, State, Submission
from contest.rules.phases import Phase
from contest.submissions.entry import Refused

log = logging.getLogger(__name__)

# The texts of a player who sends so little at a time stay far below the bound on all of them.
_SMALL_BYTES = 16_384

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


def pass_gate(address: str) -> None:
    """Rule 5.9: whoever proves a nickname never comes here, and is not counted."""
    try:
        rate_limits.pass_address(address)
    except rate_limits.Busy as busy:
        words = _(
            "Your network may send %(most)s submissions a minute without proof of a nickname. "
            "Try again in %(wait)s seconds."
        )
        wait = busy.wait or rate_limits.SPAN_SECONDS
        raise _refused(words % {"most": busy.most, "wait": wait}, wait) from None


def take_turn(address: str, share: timedelta) -> timedelta:
    """How far behind the turn of a text lies that is sent from *address* now; *share* is what it pushes the next back.

    Whether or not a nickname is proved. Raise Refused where that is further than anybody is let wait.
    """
    try:
        return timedelta(seconds=rate_limits.take_turn(address, share.total_seconds(), settings.MOST_AHEAD_SECONDS))
    except rate_limits.Busy as busy:
        raise _too_much_waits(busy.wait or 1) from None


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


def newest_of_all(those: Sequence[Player]) -> dict[int, list[Submission]]:
    """`newest_of` each of *those*, by their numbers."""
    if len(those) < 2 or connection.vendor != "postgresql":
        return {player.pk: list(newest_of(player)) for player in those}
    found: dict[int, list[Submission]] = {player.pk: [] for player in those}
    for row in Submission.objects.raw(_NEWEST, [list(found), _looked_back()]):
        found[row.player_id].append(row)
    return found


_NEWEST = """
    SELECT newest.* FROM unnest(%s::bigint[]) AS one(id), LATERAL (
        SELECT number, player_id, received_at, turn_at FROM contest_submission
        WHERE player_id = one.id AND state <> 'quarantined' ORDER BY received_at DESC LIMIT %s
    ) AS newest ORDER BY newest.received_at DESC
"""


def newest_first(rows: Sequence[Submission]) -> Sequence[Submission]:
    """*rows* of one player as `newest_of` gives them."""
    return sorted(rows, key=lambda row: row.received_at, reverse=True)[: _looked_back()]


def _looked_back() -> int:
    return max(settings.QUOTA_PER_SECONDS.values())


@cache
def _newest(count: int) -> Prepared[Submission]:
    return Prepared(
        lambda player: _costly(player).order_by("-received_at").only("received_at", "turn_at")[:count], SOME_NUMBER
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
            return _refused(words % {"most": most, "wait": wait}, wait)
    ahead = (_last_turn(newest, at) - at).total_seconds() - settings.MOST_AHEAD_SECONDS
    if ahead > 0:
        return _too_much_waits(int(ahead) + 1)
    in_round = _costly(player.pk).filter(round=round_)
    if not _is_little(newest) and in_round.count() >= settings.QUOTA_PER_ROUND:
        words = _("The limit is %(most)s submissions a round.")
        return _refused(words % {"most": settings.QUOTA_PER_ROUND})
    if size > _SMALL_BYTES and newest:
        stored = in_round.aggregate(bytes=Sum(Length("text")))["bytes"] or 0
        if stored + size > settings.QUOTA_BYTES_PER_ROUND:
            words = _("In one round the texts of a player may have %(most)s bytes together.")
            return _refused(words % {"most": f"{settings.QUOTA_BYTES_PER_ROUND:,}"})
    return None


def asks_more(newest: Sequence[Submission], size: int) -> bool:
    """Whether `over_quota` has to look at more than the newest."""
    return not _is_little(newest) or size > _SMALL_BYTES


def _is_little(newest: Sequence[Submission]) -> bool:
    """Who has sent so little in all has not sent too much to one round."""
    return len(newest) < min(_looked_back(), settings.QUOTA_PER_ROUND)


def _too_much_waits(wait: int) -> Refused:
    words = _(
        "What you have sent already will keep the judge busy for a while. "
        "Send again in %(wait)s seconds; nothing is lost."
    )
    return _refused(words % {"wait": wait}, wait)


def _refused(reason: str, wait: int | None = None) -> Refused:
    return Refused("quota", reason, status=429, retry_after=wait)
