"""The only way in: every door calls `accept`, which stores a submission durably or refuses it with words.

A receipt means durable; durable means judged exactly once (docs/judging.md).
"""

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial, wraps
from typing import Any, ParamSpec

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from contest import judging, players, tasks
from contest.infra import clock, logs, rate_limits
from contest.infra.compiled_queries import keep_plans
from contest.judging import cost
from contest.models import Door, Player, Reader, Round, Submission
from contest.ops import metrics, outages
from contest.submissions import in_time, quotas
from contest.submissions.entry import Entry, Receipt, Refused, bad_name, cleaned, text_of
from contest.visibility import Viewer

P = ParamSpec("P")

_READER_OF = {
    Door.WEB: Reader.LENIENT,
    Door.API: Reader.RUN_LENGTH,
    Door.LEGACY: Reader.LEGACY,
    Door.IMPORT: Reader.LENIENT,
}
# Most verdicts come within some milliseconds; who waits for a slow one is not asked for so often.
_FIRST_POLL_SECONDS = 0.005
_POLL_SECONDS = 0.05
# A key this long is taken for one that nobody guesses.
_UNGUESSABLE = 16


@dataclass
class _Weight:
    """What a text may cost the judge, in *seconds*, and how far *behind* its arrival its address's turn lies."""

    seconds: float
    behind: timedelta = timedelta()

    @property
    def share(self) -> timedelta:
        return quotas.share_of(self.seconds)

    @property
    def microseconds(self) -> int:
        return round(self.seconds * 1_000_000)


def _watched(act: Callable[P, Receipt]) -> Callable[P, Receipt]:
    """Count what is stored and what is refused, by door; note what fails on our side (rule 3.10)."""

    @wraps(act)
    def watched(*args: P.args, **kwargs: P.kwargs) -> Receipt:
        door = str(kwargs["door"])
        try:
            receipt = act(*args, **kwargs)
        except Refused as refusal:
            metrics.count_refusal(door, refusal.code)
            raise
        except Exception:
            outages.intake_failed()
            raise
        logs.submission.set(receipt.submission.number)
        if receipt.is_new:
            metrics.count_submission(door)
        return receipt

    return watched


@_watched
@keep_plans()
def accept(entry: Entry, *, door: Door, viewer: Viewer | None = None, address: str = "") -> Receipt:
    """Store *entry* for judging and return its receipt, or raise Refused (rules 5.4 to 5.10).

    The same text again, or the same idempotency key, returns the first receipt. *address*: where the request came
    from (addresses.sender_of); without one, as for an import, there is no limit by address.
    """
    # Before anything that may wait: who came in time is in time (rule 3.3).
    received_at = clock.now_at_database()
    text = text_of(entry.moves)
    entry = cleaned(entry)
    if entry.practice:
        round_ = in_time.practised_round(entry.round, received_at)
    else:
        round_ = in_time.open_round(entry.round, received_at, hashlib.sha256(text).hexdigest())
    if entry.slot and not round_.levels.filter(slot=entry.slot).exists():
        raise Refused(
            "no_level", _("Round %(number)s has no such level.") % {"number": round_.number}, status=404, field="slot"
        )
    weight = _Weight(cost.seconds_for(entry.moves, round_.max_moves))
    weight.behind = quotas.take_turn(address, weight.share)
    store = partial(_store, entry, text, round_, received_at, door, viewer, address, weight)
    try:
        receipt = store()
    except IntegrityError:
        # The constraints say so, which costs less than a look before every insert.
        receipt = store(is_known=True)
    if not receipt.is_new:
        rate_limits.give_turn_back(address, weight.share.total_seconds())
    return receipt


def offered(submission: Submission, claim: str) -> Entry | None:
    """The entry that a submission's offer would be, of who has *claim* or comes signed in (rule 6.10); None without."""
    if not submission.turned:
        return None
    return Entry(
        nickname=submission.player.nickname,
        moves=submission.turned["lurd"],
        round=submission.round.number,
        slot=submission.turned["slot"],
        claim=claim,
        practice=submission.is_practice,
    )


def entered(entry: Entry, sha256: str, viewer: Viewer | None, at: datetime) -> tuple[Player, str | None]:
    """The player of a person's *entry*, locked and proved, and the secret of a new one; *sha256* is the text's.

    The caller has let the address through. Who asks again with the key and the text of a request whose answer got lost
    gets the same secret (rule 5.10). Raise Refused.
    """
    secret = _repeatable_secret(entry, {"sha256": sha256})
    known = replace(entry, claim=entry.claim or secret)
    player, claim = _player(known, {"sha256": sha256}, Door.WEB, viewer, at, "")
    return player, claim or _repeated_claim(entry, player, {"sha256": sha256})


def _player(
    entry: Entry, sent: dict[str, Any], door: Door, viewer: Viewer | None, at: datetime, address: str
) -> tuple[Player, str | None]:
    """The player of the nickname, locked and proved; or a new one with the secret that proves it."""
    try:
        player, claim = players.enter(
            entry.nickname,
            claim=entry.claim,
            email=entry.email,
            country=entry.country,
            door=door,
            viewer=viewer,
            at=at,
            unproved=partial(quotas.pass_gate, address),
            secret=_repeatable_secret(entry, sent),
        )
    except players.BadName as bad:
        raise bad_name(bad) from None
    except players.NameTaken as taken:
        player, claim = taken.player, None
        if not _is_sent_again(entry, player, sent):
            raise Refused("name_taken", str(taken), status=409, field="nickname") from None
    if players.is_program_at_a_persons_door(player, door):
        raise Refused(
            "not_allowed",
            _("“%(name)s” is the nickname of a program: it enters through the API.") % {"name": player.nickname},
            status=403,
            field="nickname",
        )
    return player, claim


def _is_hors_concours(round_: Round, player: Player, viewer: Viewer | None) -> bool:
    """Rule 4.10: whether an organiser enters, where the round lets them enter at all."""
    if not players.is_organiser(player, viewer):
        return False
    if round_.settings["organisers_may_enter"] == "no":
        raise Refused("not_allowed", _("Organisers do not take part in this round."), status=403, field="nickname")
    return True


def _is_sent_again(entry: Entry, player: Player, sent: dict[str, Any]) -> bool:
    """Whether this is a request whose answer, and the claim in it, got lost: who else knows its key and its text?"""
    key = entry.idempotency_key
    known = Submission.objects.of(player).filter(idempotency_key=key, **sent)
    return len(key) >= _UNGUESSABLE and known.exists()


def _repeatable_secret(entry: Entry, sent: dict[str, Any]) -> str:
    """The secret of a nickname that this request makes, if it has a key by which the answer can be asked for again."""
    key = entry.idempotency_key
    return players.secret_for(entry.nickname, key, sent["sha256"]) if len(key) >= _UNGUESSABLE else ""


def _repeated_claim(entry: Entry, player: Player, sent: dict[str, Any]) -> str | None:
    """The claim of the first answer, which may have got lost, while it is still what proves *player* (rule 5.10)."""
    secret = _repeatable_secret(entry, sent)
    return secret if secret and players.sha256_of(secret) == player.claim_sha256 else None


@transaction.atomic
def _store(
    entry: Entry,
    text: bytes,
    round_: Round,
    at: datetime,
    door: Door,
    viewer: Viewer | None,
    address: str,
    weight: _Weight,
    *,
    is_known: bool = False,
) -> Receipt:
    """Insert the submission; where it *is_known*, find the one that was sent before."""
    sent = {
        "round": round_,
        "is_practice": entry.practice,
        "slot_named": entry.slot,
        "reader": _READER_OF[door],
        "sha256": hashlib.sha256(text).hexdigest(),
    }
    player, claim = _player(entry, sent, door, viewer, at, address)
    # A nickname nobody had has sent nothing.
    newest = [] if claim else quotas.newest_of(player)
    refused = quotas.over_quota(player, newest, round_, at, size=len(text))
    # After a merge the same text may have come under another name, which no constraint sees.
    if (is_known or refused or getattr(player, "has_aliases", False)) and (earlier := _earlier(entry, player, sent)):
        return Receipt(earlier, claim=_repeated_claim(entry, player, sent), is_new=False)
    if refused:
        raise refused
    submission = Submission.objects.create(
        receipt_id=secrets.token_urlsafe(18),
        player=player,
        sent_as=player,
        text=text,
        door=door,
        idempotency_key=entry.idempotency_key or None,
        received_at=at,
        cost=weight.microseconds,
        turn_at=quotas.turn_at(newest, at, weight.behind, weight.share),
        # Practice is everybody's: it enters no results.
        is_hors_concours=not entry.practice and _is_hors_concours(round_, player, viewer),
        **sent,
    )
    transaction.on_commit(tasks.wake_judge)
    return Receipt(submission, claim=claim)


def _earlier(entry: Entry, player: Player, sent: dict[str, Any]) -> Submission | None:
    """The submission of the same key or the same text (rules 5.5, 5.6)."""
    if entry.idempotency_key:
        earlier = Submission.objects.of(player).filter(idempotency_key=entry.idempotency_key).first()
        if earlier and any(getattr(earlier, name) != value for name, value in sent.items()):
            raise Refused(
                "key_reused",
                _("This idempotency key was used with another submission."),
                status=422,
                field="idempotency_key",
            )
        if earlier:
            return earlier
    return Submission.objects.of(player).filter(**sent).first()


def verdict_soon(submission: Submission, seconds: float) -> Submission:
    """Wait up to *seconds* for a worker's verdict; return the row as it is then."""
    until, pause = time.monotonic() + seconds, _FIRST_POLL_SECONDS
    waiting = Submission.objects.waiting().filter(pk=submission.pk)
    while time.monotonic() < until and waiting.exists():
        time.sleep(pause)
        pause = min(2 * pause, _POLL_SECONDS)
    return Submission.objects.select_related("player", "level__round", "round").get(pk=submission.pk)


def judge_now(submission: Submission) -> Submission:
    """Judge that very row, for a sender who can only wait in this one request; by the workers' own path."""
    judging.judge_row(submission)
    return verdict_soon(submission, 0)
