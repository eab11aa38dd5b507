"""Gates, quotas and turns: limits for a player, an address or a token (rules 5.2, 5.9; docs/explanation/judging.md)."""

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

# Key in request.META: the post has passed `pass_post` (contest.entrance.posts).
COUNTED = "leitai.counted"
# Texts up to this size cannot add up to a player's byte quota within the quota of submissions.
_SMALL_BYTES = 16_384
# Counted for the rows of a text beside its own bytes: submission, indexes, verdict, link of the chain.
_ROW_BYTES = rate_limits.ROW_BYTES


def pass_gate(address: str) -> None:
    """Count a submission without proof of its nickname against its address (rule 5.9); proved ones are not counted."""
    try:
        rate_limits.pass_address(address)
    except rate_limits.Busy as busy:
        message = _(
            "Your network may send %(most)s submissions a minute without proof of a nickname. "
            "Try again in %(wait)s seconds."
        )
        raise _refuse_busy(message, busy) from None


def pass_trial(address: str) -> None:
    """Count a trial without a token like a submission without proof (rule 5.9)."""
    try:
        rate_limits.pass_address(address)
    except rate_limits.Busy as busy:
        message = _("Your network may run %(most)s checks per minute. Try again in %(wait)s seconds.")
        raise _refuse_busy(message, busy) from None


def pass_post(token: Token | None, address: str, amount: int = 1) -> None:
    """Count posts of a program before they are read: under its token, or else the address."""
    if token:
        pass_token(token, amount)
        return
    try:
        rate_limits.pass_door(rate_limits.FORM, address, amount=amount)
    except rate_limits.Busy as busy:
        message = _("Your network may send %(most)s requests per minute. Try again in %(wait)s seconds.")
        raise _refuse_busy(message, busy) from None


def pass_token(token: Token, amount: int) -> None:
    """Count *amount* items against a token's limit per minute, trials included (rule 5.9)."""
    try:
        rate_limits.pass_token(token.public_id, amount, token.per_minute)
    except rate_limits.Busy as busy:
        if busy.wait is None:
            message = _("This token allows %(most)s submissions per minute. Send smaller batches.") % {
                "most": busy.most
            }
            raise Refused("too_large", message, status=413, field="submissions") from None
        message = _("This token allows %(most)s submissions per minute. Try again in %(wait)s seconds.")
        raise _refuse_busy(message, busy) from None


def take_turn(address: str, share: timedelta, size: int | None = None) -> timedelta:
    """Return the delay of the turn of a text sent from *address* now; *share* is its delay of the next turn.

    Applies with or without proof of a nickname. *size* is in bytes; None if the text is not stored. Raise Refused if
    the delay is above the limit, or the network has used up its amounts.
    """
    (turn,) = take_turns([load_of(address, share, size)])
    if isinstance(turn, rate_limits.Busy):
        raise refuse_turn(turn)
    return turn


def take_turns(loads: Sequence[rate_limits.Load]) -> list[timedelta | rate_limits.Busy]:
    """Call `take_turn` for several texts, in order; a refusal is returned as Busy, not raised."""
    turns = rate_limits.take_turns(loads, settings.MOST_AHEAD_SECONDS)
    return [turn if isinstance(turn, rate_limits.Busy) else timedelta(seconds=turn) for turn in turns]


def load_of(address: str, share: timedelta, size: int | None) -> rate_limits.Load:
    """Return the load of a text of *size* bytes; None if it is not stored."""
    seconds, stored = share.total_seconds(), 0 if size is None else size + _ROW_BYTES
    return rate_limits.Load(address, seconds, stored, seconds / settings.TURN_FACTOR)


def pass_stored(address: str, *texts: str, size: int = 0, seconds: float = 0.0) -> None:
    """Count *texts* of strangers, or *size* bytes, that are stored and not judged, and *seconds* of the solver.

    Raise Refused.
    """
    size += sum(_ROW_BYTES + len(text.encode("utf-8", "surrogatepass")) for text in texts)
    try:
        rate_limits.pass_stored(address, size, seconds)
    except rate_limits.Busy as busy:
        raise refuse_turn(busy) from None


def share_of(seconds: float) -> timedelta:
    """Return how much a text that costs so many *seconds* delays its sender's next turn."""
    return timedelta(seconds=seconds * settings.TURN_FACTOR)


def turn_at(newest: Sequence[Submission], received_at: datetime, turn_delay: timedelta, share: timedelta) -> datetime:
    """Return the turn of a text: after the player's earlier texts, and *turn_delay* those of its address."""
    return max(received_at + turn_delay, _last_turn(newest, received_at)) + share


def _last_turn(newest: Sequence[Submission], at: datetime) -> datetime:
    """Return the last turn of a player's texts. Texts from before the clock was set back are ignored."""
    return max((row.turn_at for row in newest if row.received_at <= at), default=at)


def newest_of(player: Player, network: str | None = None) -> Sequence[Submission]:
    """Return the *player*'s submissions that count against quotas, newest first, as far back as quotas reach.

    Under an unclaimed name only those from the same *network* count: strangers may use it too (rule 4.12).
    """
    rows = _costly(player.pk, network).only("player", "received_at", "turn_at")
    return list(rows.order_by("-received_at")[: _rows_to_read()])


def newest_of_all(name_keys: Sequence[str]) -> list[Submission]:
    """Return `newest_of` for all players with these names, by one query (PostgreSQL)."""
    return list(Submission.objects.raw(_NEWEST, [_rows_to_read(), json.dumps(sorted(set(name_keys)))]))


# An array: for a set-returning function PostgreSQL expects a hundred rows, and would scan all players.
_NEWEST = """
    SELECT newest.* FROM contest_player AS player, LATERAL (
        SELECT number, player_id, received_at, turn_at FROM contest_submission
        WHERE player_id = player.id AND state <> 'quarantined' ORDER BY received_at DESC LIMIT %s
    ) AS newest WHERE name_key = ANY (ARRAY(SELECT json_array_elements_text(%s::json))) ORDER BY received_at DESC
"""


def newest_first(rows: Sequence[Submission]) -> Sequence[Submission]:
    """Return *rows* of one player in the form of `newest_of`."""
    return sorted(rows, key=lambda row: row.received_at, reverse=True)[: _rows_to_read()]


def _rows_to_read() -> int:
    return max(settings.QUOTA_PER_SECONDS.values())


def _costly(player_id: int, network: str | None) -> QuerySet[Submission]:
    """Return the player's submissions that count against quotas. Submissions held by staff do not count."""
    rows = Submission.objects.filter(player=player_id).exclude(state=State.QUARANTINED)
    return rows if network is None else rows.filter(open_network=network)


def over_quota(
    player: Player,
    newest: Sequence[Submission],
    round_: Round,
    at: datetime,
    *,
    size: int,
    network: str | None = None,
) -> Refused | None:
    """Return the refusal if a quota is exceeded (rule 5.9). Call with the player's row locked; *size* is in bytes.

    *newest* is the value of `newest_of` for the same *network*.
    """
    for seconds, most in settings.QUOTA_PER_SECONDS.items():
        since = at - timedelta(seconds=seconds)
        if len(newest) >= most and newest[most - 1].received_at > since:
            wait = max(1, int((newest[most - 1].received_at - since).total_seconds()) + 1)
            message = _(
                "You have sent %(most)s submissions in a short time. Try again in %(wait)s seconds; nothing is lost."
            )
            return _refuse_over_limit(message % {"most": most, "wait": wait}, wait)
    ahead = (_last_turn(newest, at) - at).total_seconds() - settings.MOST_AHEAD_SECONDS
    if ahead > 0:
        return refuse_backlog(int(ahead) + 1)
    if not needs_more_queries(newest, size):
        return None
    in_round = _costly(player.pk, network).filter(round=round_)
    if not _has_sent_few(newest) and in_round.count() >= settings.QUOTA_PER_ROUND:
        message = _("The limit is %(most)s submissions a round.")
        return _refuse_over_limit(message % {"most": settings.QUOTA_PER_ROUND})
    if size > _SMALL_BYTES and newest:
        stored = in_round.aggregate(bytes=Sum(Length("text")))["bytes"] or 0
        if stored + size > settings.QUOTA_BYTES_PER_ROUND:
            message = _("In one round, all texts of a player together may have at most %(most)s bytes.")
            return _refuse_over_limit(message % {"most": f"{settings.QUOTA_BYTES_PER_ROUND:,}"})
    return None


def needs_more_queries(newest: Sequence[Submission], size: int) -> bool:
    """Return True if `over_quota` needs more queries than the newest submissions."""
    return not _has_sent_few(newest) or size > _SMALL_BYTES


def _has_sent_few(newest: Sequence[Submission]) -> bool:
    """Return True if too few were sent in all to exceed the quota of any round."""
    return len(newest) < min(_rows_to_read(), settings.QUOTA_PER_ROUND)


def refuse_turn(busy: rate_limits.Busy) -> Refused:
    """Return the refusal of a text by the turns or the amounts of its address and network."""
    wait = busy.wait or 1
    if not busy.amount:
        return refuse_backlog(wait)
    message = _(
        "Your network has sent as much as this site accepts in a day. Shorter texts may still be accepted; this one in "
        "about %(minutes)s minutes."
    )
    return _refuse_over_limit(message % {"minutes": f"{-(-wait // 60):,}"}, wait)


def refuse_backlog(wait: int) -> Refused:
    message = _(
        "The judge is still busy with your earlier submissions. Send again in %(wait)s seconds; nothing is lost."
    )
    return _refuse_over_limit(message % {"wait": wait}, wait)


def _refuse_busy(message: str, busy: rate_limits.Busy) -> Refused:
    wait = busy.wait or rate_limits.SPAN_SECONDS
    return _refuse_over_limit(message % {"most": busy.most, "wait": wait}, wait)


def _refuse_over_limit(reason: str, wait: int | None = None) -> Refused:
    return Refused("quota", reason, status=429, retry_after=wait)
