"""Gates, quotas and turns: limits on what a player, an address or a token sends (rules 5.2, 5.9; docs/judging.md)."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet, Sum
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from contest.infra import rate_limits
from contest.models import Player, Round, State, Submission, Token
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
    rows = _costly(player.pk).only("player", "received_at", "turn_at")
    return list(rows.order_by("-received_at")[: _looked_back()])


def newest_of_all(name_keys: Sequence[str]) -> list[Submission]:
    """Return `newest_of` all players of these names, by one query (PostgreSQL)."""
    return list(Submission.objects.raw(_NEWEST, [_looked_back(), json.dumps(sorted(set(name_keys)))]))


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
