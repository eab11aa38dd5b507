"""Sealed answers (rules 5.11 to 5.13): a hash with claimed counts, and after the close the text behind the hash.

An opened answer becomes an ordinary submission, received when it was sealed; the judge makes its verdict.
"""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from contest import judging, levels
from contest.celery import waking
from contest.infra import clock
from contest.infra.attempts import Attempts
from contest.judging import outcomes
from contest.models import Door, Level, Player, Reader, Round, SealedAnswer, Submission
from contest.ops import metrics
from contest.rules.phases import Phase
from contest.rules.sealed_answers import BadSealedText, SealedText
from contest.submissions import eligibility, limits
from contest.submissions.acceptance import note_failure
from contest.submissions.entry import Receipt, Refused, encode_moves
from contest.visibility import Viewer
from contest.wording import verdicts
from contest.wording.times import format_zoned_second

# Per player: more hashes prove nothing that fewer do not.
MAX_PER_ROUND = 20
_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class SealedEntry:
    """The sender's claim: a level, counts, and the SHA-256 of the sealed text."""

    round: int
    slot: str
    moves: int
    pushes: int
    sha256: str


@dataclass(frozen=True)
class SealedReceipt:
    """The answer to a sealed answer received in time."""

    answer: SealedAnswer
    is_new: bool = True


def seal(entry: SealedEntry, player: Player, *, door: Door, viewer: Viewer | None = None) -> SealedReceipt:
    """Store a sealed answer of *player*, whom the door has proved; or raise Refused (rules 5.11, 5.12).

    The same hash with the same counts again returns the first receipt.
    """
    at = clock.received_at()  # before anything that may wait (rule 3.3)
    with _count_refusals(door):
        sha256 = entry.sha256.strip().lower()
        if not _SHA256.fullmatch(sha256):
            raise Refused("bad_hash", _("A SHA-256 has 64 hexadecimal digits."), status=422, field="sha256")
        (round_,) = eligibility.open_rounds(entry.round, "", at, sha256)
        level = _find_level(round_, entry.slot)
        _check_counts(entry, level)
        return _store_answer(SealedAnswer(
            level=level, moves=entry.moves, pushes=entry.pushes, sha256=sha256, received_at=at, door=door,
        ), player, viewer)  # fmt: skip


def pass_network(request: HttpRequest) -> None:
    """Count one more answer against the sender's network, or raise Refused."""
    if not Attempts(request).is_within("seal"):
        message = _("Too many sealed answers came from your network today. Please continue tomorrow.")
        raise Refused("quota", message, status=429)


@transaction.atomic
def _store_answer(answer: SealedAnswer, player: Player, viewer: Viewer | None) -> SealedReceipt:
    """Store *answer* with the *player*'s row locked, so that concurrent requests cannot exceed the quota."""
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if player.merged_into_id or player.erased_at:
        raise Refused("name_taken", _("This nickname is no longer yours."), status=409, field="nickname")
    eligibility.check_door(player, Door(answer.door))
    if existing := _find_sealed(answer):
        return SealedReceipt(_check_same(existing, answer, player), is_new=False)
    round_ = answer.level.round
    if SealedAnswer.objects.filter(player=player, level__round=round_).count() >= MAX_PER_ROUND:
        message = _("A player may seal at most %(most)s answers per round.") % {"most": MAX_PER_ROUND}
        raise Refused("quota", message, status=429)
    answer.is_hors_concours = eligibility.is_hors_concours(round_, player, viewer)
    answer.player = answer.sent_as = player
    try:
        with transaction.atomic():
            answer.save(force_insert=True)
    except IntegrityError:  # another request has just sealed the same hash
        if existing := _find_sealed(answer):
            return SealedReceipt(_check_same(existing, answer, player), is_new=False)
        raise
    return SealedReceipt(answer)


def _find_sealed(answer: SealedAnswer) -> SealedAnswer | None:
    """Return the answer already sealed with the hash of *answer* for its level."""
    return SealedAnswer.objects.filter(level=answer.level, sha256=answer.sha256).select_related("player").first()


def _check_same(existing: SealedAnswer, answer: SealedAnswer, player: Player) -> SealedAnswer:
    if existing.player_id != player.pk:
        # It is a copy: only the author of the text can open it, and the text names that author.
        raise Refused("sealed_already", _("Somebody else has sealed this hash."), status=409, field="sha256")
    if (existing.moves, existing.pushes) != (answer.moves, answer.pushes):
        message = _("You have sealed this hash with other counts: %(counts)s.")
        message %= {"counts": verdicts.describe_counts(existing.moves, existing.pushes)}
        raise Refused("sealed_already", message, status=409, field="moves")
    return existing


def _find_level(round_: Round, slot: str) -> Level:
    if not round_.takes_sealed:
        message = _("Round %(number)s does not accept sealed answers.") % {"number": round_.name}
        raise Refused("no_sealed_answers", message, status=404, field="round")
    level = round_.levels.filter(slot=slot).select_related("round").first()
    if level is None:
        message = _("Round %(number)s has no such level.") % {"number": round_.name}
        raise Refused("no_level", message, status=404, field="slot")
    _check_not_void(level)
    return level


def _check_not_void(level: Level) -> None:
    if level.voided_at:
        raise Refused("void_level", _("This level is void: nothing is ranked on it."), status=409, field="slot")


def _check_counts(entry: SealedEntry, level: Level) -> None:
    """Refuse counts that are evidently impossible (rule 5.11)."""
    max_moves, min_pushes = level.round.max_moves, levels.least_pushes(level) or 1
    if entry.pushes < min_pushes:
        message = _("No solution of this level has fewer than %(least)s pushes.") % {"least": min_pushes}
        raise Refused("below_bound", message, status=422, field="pushes")
    if not entry.pushes <= entry.moves <= max_moves:
        message = _("A solution has at least as many moves as pushes, and at most %(most)s moves.") % {
            "most": f"{max_moves:,}"
        }
        raise Refused("bad_counts", message, status=422, field="moves")


def open_answer(number: int, text: str, *, door: Door, address: str = "") -> Receipt:
    """Accept the sealed *text* of an answer to round *number*, from any sender; or raise Refused (rule 5.13).

    Its salt is sufficient proof. The same text again returns the first receipt, until the day is over.
    """
    at = clock.received_at()
    with _count_refusals(door):
        text = _normalise_text(text)
        encoded, sealed = encode_moves(text), _read(text)
        answer = _find_answer(number, sealed)
        round_ = answer.level.round
        # After that day the archive shows the text to everybody, but the receipt is private to its sender (rule 7.5).
        _check_time(round_, at)
        if answer.submission:
            return Receipt(answer.submission, is_new=False)
        _check_not_void(answer.level)
        seconds = outcomes.seconds_for(sealed.moves, round_.max_moves)
        share = limits.share_of(seconds)
        turn_delay = limits.take_turn(address, share, len(encoded))
        submission = Submission(
            round=round_,
            sent_as=answer.sent_as,
            slot_named=answer.level.slot,
            text=encoded,
            sha256=answer.sha256,
            door=door,
            reader=Reader.SEALED,
            received_at=answer.received_at,
            is_hors_concours=answer.is_hors_concours,
            cost=round(seconds * 1_000_000),
        )
        _check_verdict(submission, answer)
        receipt = _store(submission, answer, at, turn_delay, share)
        if receipt.is_new:
            metrics.count_submission(door)
        return receipt


def _normalise_text(text: str) -> str:
    """Return *text* as it was hashed: five lines, without the white space that forms, editors and mail add."""
    parts = text.removeprefix("\ufeff").split()
    return "\n".join([*parts[:4], "".join(parts[4:])])


def _read(text: str) -> SealedText:
    try:
        return SealedText.parse(text)
    except BadSealedText:
        message = _(
            "This is not a sealed text: it must have the five lines that you saved when you sealed your answer."
        )
        raise Refused("bad_sealed_text", message, status=422, field="text") from None


def _find_answer(number: int, sealed: SealedText) -> SealedAnswer:
    """Return the answer sealed with the hash of *sealed*, by that player, for that level."""
    if sealed.round != number:
        message = _("This text was sealed for round %(number)s.") % {"number": sealed.round}
        raise Refused("not_sealed", message, status=422, field="text")
    matching = SealedAnswer.objects.filter(
        sha256=sealed.sha256, level__round__number=number if number < 2**31 else 0, level__slot=sealed.slot
    )
    answer = matching.select_related("level__round", "player", "sent_as", "submission").first()
    if answer is None:
        message = _("No answer in this round was sealed with the SHA-256 of this text: %(sha256)s.")
        raise Refused("not_sealed", message % {"sha256": sealed.sha256}, status=404, field="text")
    if sealed.player != answer.sent_as.archive_number:
        message = _("The player in this text is not the player who sealed it.")
        raise Refused("not_sealed", message, status=422, field="text")
    return answer


def _check_time(round_: Round, at: datetime) -> None:
    begins, ends = round_.reveals_at, round_.opening_ends_at
    if round_.phase(at) is Phase.CANCELLED:
        message = _("Round %(number)s was cancelled.") % {"number": round_.name}
        raise Refused("late", message, status=409, field="round")
    if ends and begins <= at < ends:
        return
    message = _(
        "Sealed answers of round %(number)s are opened from %(begins)s to %(ends)s; this was received at %(received)s."
    )
    instants = {"begins": begins, "ends": ends or begins, "received": at}
    times = {name: format_zoned_second(instant) for name, instant in instants.items()}
    wait = max(1, int((begins - at).total_seconds())) if at < begins else None
    code = "early" if at < begins else "late"
    raise Refused(code, message % {"number": round_.name, **times}, status=409, field="round", retry_after=wait)


def _check_verdict(submission: Submission, answer: SealedAnswer) -> None:
    """Refuse a text that differs from the sealed claim; the judge later checks the same again."""
    judged = judging.dry_run(submission, [answer.level])
    if not judged.is_accepted:
        raise Refused("not_solved", verdicts.describe_verdict(judged), status=422, field="text")
    if (judged.moves, judged.pushes) != (answer.moves, answer.pushes):
        message = _("This solution has %(counts)s, but you sealed %(sealed)s.") % {
            "counts": verdicts.describe_counts(judged.moves, judged.pushes),
            "sealed": verdicts.describe_counts(answer.moves, answer.pushes),
        }
        raise Refused("other_counts", message, status=422, field="text")


def _store(
    submission: Submission, answer: SealedAnswer, at: datetime, turn_delay: timedelta, share: timedelta
) -> Receipt:
    """Store it as a submission of the current player of *answer*, which a merge may have changed."""
    while True:
        if receipt := _store_as(answer.player_id, submission, answer, at, turn_delay, share):
            return receipt
        answer.refresh_from_db(fields=["player"])


@transaction.atomic
def _store_as(
    player_id: int, submission: Submission, answer: SealedAnswer, at: datetime, turn_delay: timedelta, share: timedelta
) -> Receipt | None:
    """Store it as that player's. If *answer* has moved, free the row, which a merge may wait for, and return None."""
    player = Player.objects.select_for_update(no_key=True).get(pk=player_id)  # first, as a merge does
    answer = SealedAnswer.objects.select_for_update(of=("self",)).select_related("submission").get(pk=answer.pk)
    if answer.player_id != player.pk:
        return None
    if answer.submission:
        return Receipt(answer.submission, is_new=False)
    stored = Submission(**{name: getattr(submission, name) for name in _COPIED_FIELDS})
    stored.player, stored.receipt_id = player, secrets.token_urlsafe(18)
    stored.turn_at = limits.turn_at(limits.newest_of(player), at, turn_delay, share)
    stored.save(force_insert=True)
    SealedAnswer.objects.filter(pk=answer.pk, submission=None).update(submission=stored, opened_at=at)
    transaction.on_commit(waking.wake_judge)
    return Receipt(stored)


_COPIED_FIELDS = (
    "round", "sent_as", "slot_named", "text", "sha256", "door", "reader", "received_at", "is_hors_concours", "cost",
)  # fmt: skip


@contextmanager
def _count_refusals(door: Door) -> Iterator[None]:
    try:
        yield
    except Refused as refusal:
        metrics.count_refusal(door, refusal.code)
        raise
    except Exception as error:
        note_failure(error, door)
        raise
