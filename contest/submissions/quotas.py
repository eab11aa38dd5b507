"""How much is taken from whom, and when the judge comes to it (rules 5.2 and 5.9; docs/judging.md)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache

from django.conf import settings
from django.db.models import QuerySet, Sum
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from contest.infra import rate_limits
from contest.infra.compiled_queries import SOME_NUMBER, Prepared
from contest.models import Player, Round, State, Submission
from contest.submissions.entry import Refused

# The texts of a player who sends so little at a time stay far below the bound on all of them.
_SMALL_BYTES = 16_384


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
    return _newest(max(settings.QUOTA_PER_SECONDS.values()))(player.pk)


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
    # Who has sent so little in all has not sent too much to one round.
    is_little = len(newest) < min(max(settings.QUOTA_PER_SECONDS.values()), settings.QUOTA_PER_ROUND)
    in_round = _costly(player.pk).filter(round=round_)
    if not is_little and in_round.count() >= settings.QUOTA_PER_ROUND:
        words = _("The limit is %(most)s submissions a round.")
        return _refused(words % {"most": settings.QUOTA_PER_ROUND})
    if size > _SMALL_BYTES and newest:
        stored = in_round.aggregate(bytes=Sum(Length("text")))["bytes"] or 0
        if stored + size > settings.QUOTA_BYTES_PER_ROUND:
            words = _("In one round the texts of a player may have %(most)s bytes together.")
            return _refused(words % {"most": f"{settings.QUOTA_BYTES_PER_ROUND:,}"})
    return None


def _too_much_waits(wait: int) -> Refused:
    words = _(
        "What you have sent already will keep the judge busy for a while. "
        "Send again in %(wait)s seconds; nothing is lost."
    )
    return _refused(words % {"wait": wait}, wait)


def _refused(reason: str, wait: int | None = None) -> Refused:
    return Refused("quota", reason, status=429, retry_after=wait)
