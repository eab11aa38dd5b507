"""The only way in: every door calls `accept`, which stores a submission durably or refuses it with words.

A receipt means durable; durable means judged exactly once (docs/judging.md).
"""

import hashlib
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache, partial, wraps
from typing import Any, ParamSpec

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Case, Q, QuerySet, When
from django.utils import timezone
from django.utils.translation import gettext as _

from contest import judging, players, tasks, visibility
from contest.infra import clock, logs
from contest.infra import rate_limits as gate
from contest.infra.compiled_queries import SOME_NUMBER, SOME_TIME, Prepared, keep_plans
from contest.models import Door, Player, Reader, Round, Slot, State, Submission
from contest.ops import metrics, outages
from contest.players.email_addresses import BadAddress, canonical
from contest.rules.phases import Phase
from contest.visibility import Viewer

log = logging.getLogger(__name__)

P = ParamSpec("P")

MAX_TEXT_BYTES = 2_097_152
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


@dataclass(frozen=True)
class Entry:
    """What a sender says."""

    nickname: str
    moves: str = field(repr=False)
    country: str = ""
    email: str = field(default="", repr=False)
    round: int | None = None
    slot: str = ""
    claim: str = field(default="", repr=False)
    idempotency_key: str = ""
    practice: bool = False


@dataclass(frozen=True)
class Receipt:
    """The answer to a submission in time; *claim* only for a new nickname, and only this once (rule 5.10)."""

    submission: Submission
    claim: str | None = field(default=None, repr=False)
    is_new: bool = True


class Refused(Exception):
    """Nothing was stored: why, in words for the person, about which field, and what a program should make of it."""

    def __init__(
        self,
        code: str,
        reason: str,
        *,
        status: int = 400,
        field: str = "",
        retry_after: int | None = None,
        fault: str = "",  # what is wrong with the field, finer than *code*
    ):
        self.code = code
        self.reason = reason
        self.status = status
        self.field = field
        self.retry_after = retry_after
        self.fault = fault
        super().__init__(reason)


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
    text = _checked_text(entry.moves)
    entry = _checked_fields(entry)
    if entry.practice:
        round_ = _practised_round(entry.round, received_at)
    else:
        round_ = _open_round(entry.round, received_at, hashlib.sha256(text).hexdigest())
    if entry.slot and not round_.levels.filter(slot=entry.slot).exists():
        raise Refused(
            "no_level", _("Round %(number)s has no such level.") % {"number": round_.number}, status=404, field="slot"
        )
    store = partial(_store, entry, text, round_, received_at, door, viewer, address)
    try:
        return store()
    except IntegrityError:
        # The constraints say so, which costs less than a look before every insert.
        return store(is_known=True)


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


def checked(entry: Entry) -> tuple[bytes, Entry]:
    """The text and the entry, cleaned, of what is judged without waiting in the queue. Raise Refused."""
    return _checked_text(entry.moves), _checked_fields(entry)


def let_through(address: str) -> None:
    """Count one more request of *address* (rule 5.9). Raise Refused."""
    _pass_gate(address)


def entered(entry: Entry, sha256: str, viewer: Viewer | None, at: datetime) -> tuple[Player, str | None]:
    """The player of a person's *entry*, locked and proved, and the secret of a new one; *sha256* is the text's.

    The caller has let the address through. Who asks again with the key and the text of a request whose answer got lost
    gets the same secret (rule 5.10). Raise Refused.
    """
    secret = _repeatable_secret(entry, {"sha256": sha256})
    known = replace(entry, claim=entry.claim or secret)
    player, claim = _player(known, {"sha256": sha256}, Door.WEB, viewer, at, "")
    return player, claim or _repeated_claim(entry, player, {"sha256": sha256})


def _checked_text(moves: str) -> bytes:
    # surrogatepass: JSON can spell half a surrogate pair; it is stored and judged malformed like any foreign character.
    text = moves.encode("utf-8", "surrogatepass")
    if len(text) > MAX_TEXT_BYTES:
        limit = f"{MAX_TEXT_BYTES:,}"
        raise Refused(
            "too_large", _("The moves may have %(limit)s bytes at most.") % {"limit": limit}, status=413, field="moves"
        )
    return text


def _checked_fields(entry: Entry) -> Entry:
    """Return the entry cleaned, or refuse it for its first fault."""
    try:
        nickname = players.clean_nickname(entry.nickname)
    except players.BadName as bad:
        raise _bad_name(bad) from None
    country, email = entry.country.strip(), entry.email.strip()
    if country and not (country.isascii() and country.isalnum() and len(country) <= 8):
        raise Refused("bad_country", _("A country or region is a code of up to 8 letters or digits."), field="country")
    if email:
        try:
            email = canonical(email)
        except BadAddress as bad:
            raise Refused("bad_email", str(bad), field="email") from None
    if entry.slot and entry.slot not in Slot.values:
        raise Refused(
            "no_level",
            _("There is no level of this name: %(slots)s.") % {"slots": ", ".join(Slot.values)},
            status=404,
            field="slot",
        )
    key = entry.idempotency_key
    if key and not (len(key) <= 200 and key.isascii() and key.isprintable()):
        raise Refused(
            "bad_key", _("An idempotency key has up to 200 printable ASCII characters."), field="idempotency_key"
        )
    return replace(entry, nickname=nickname, country=country, email=email)


def _bad_name(bad: players.BadName) -> Refused:
    return Refused("no_name" if bad.code == "empty" else "bad_name", bad.words, field="nickname", fault=bad.code)


_open_rounds = Prepared(lambda at: Round.objects.open(at).order_by("opens_at")[:1], SOME_TIME)
_announced_rounds = Prepared(
    lambda at, number: Round.objects.announced(at).filter(number=number), SOME_TIME, SOME_NUMBER
)


def _open_round(number: int | None, at: datetime, sha256: str) -> Round:
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


def _practised_round(number: int | None, at: datetime) -> Round:
    """Rule 20.1: the round named, if it takes practice."""
    revealed = visibility.practised(at)
    round_ = revealed.filter(number=number).first() if number is not None and number < 2**31 else None
    if round_:
        return round_
    raise Refused(
        "no_practice", _("Practice is taken for rounds that have closed; name one."), status=409, field="round"
    )


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
            unproved=partial(_pass_gate, address),
            secret=_repeatable_secret(entry, sent),
        )
    except players.BadName as bad:
        raise _bad_name(bad) from None
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


def _pass_gate(address: str) -> None:
    """Rule 5.9: whoever proves a nickname never comes here, and is not counted."""
    try:
        gate.pass_address(address)
    except gate.Busy as busy:
        raise Refused(
            "quota",
            _(
                "From your network %(most)s submissions a minute are taken without proof of a nickname. "
                "Send again in %(wait)s seconds."
            )
            % {"most": busy.most, "wait": busy.wait or gate.SPAN_SECONDS},
            status=429,
            retry_after=busy.wait or gate.SPAN_SECONDS,
        ) from None


@transaction.atomic
def _store(
    entry: Entry,
    text: bytes,
    round_: Round,
    at: datetime,
    door: Door,
    viewer: Viewer | None,
    address: str,
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
    refused = None if claim else _over_quota(player, round_, at)
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


def _costly(player_id: int) -> QuerySet[Submission]:
    """What of the player's counts against the quotas. What staff holds costs nothing."""
    return Submission.objects.filter(player=player_id).exclude(state=State.QUARANTINED)


@cache
def _newest(count: int) -> Prepared[Submission]:
    return Prepared(lambda player: _costly(player).order_by("-received_at").only("received_at")[:count], SOME_NUMBER)


def _over_quota(player: Player, round_: Round, at: datetime) -> Refused | None:
    """Rule 5.9, inside the inserting transaction, with the player's row locked."""
    enough = max(settings.QUOTA_PER_SECONDS.values())
    newest = [row.received_at for row in _newest(enough)(player.pk)]
    for seconds, most in settings.QUOTA_PER_SECONDS.items():
        since = at - timedelta(seconds=seconds)
        if len(newest) >= most and newest[most - 1] > since:
            wait = max(1, int((newest[most - 1] - since).total_seconds()) + 1)
            return Refused(
                "quota",
                _("That were %(most)s submissions in a short time. Send again in %(wait)s seconds; nothing is lost.")
                % {"most": most, "wait": wait},
                status=429,
                retry_after=wait,
            )
    # Who has sent so little in all has not sent too much to one round.
    is_little = len(newest) < min(enough, settings.QUOTA_PER_ROUND)
    if not is_little and _costly(player.pk).filter(round=round_).count() >= settings.QUOTA_PER_ROUND:
        return Refused(
            "quota",
            _("%(most)s submissions a round are the limit.") % {"most": settings.QUOTA_PER_ROUND},
            status=429,
        )
    return None


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
