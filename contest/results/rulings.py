"""Rulings of organisers on submissions and players: void, disqualify, and undo both (rule 15).

A ruling counts at once in live tables. A final result changes only by `results.revise` (rule 14.4).
"""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.models import Disqualification, Event, Level, Player, Round, Search, SearchKind, Submission, Verdict
from contest.players.acts import check_unmoving
from contest.players.claims import living
from contest.rankings import personal_bests
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.wording.bilingual import Reason


@transaction.atomic
def void(
    submission: Submission, reason: Reason, *, at: datetime, by: Actor, note: str = "", is_unpublished: bool = False
) -> None:
    """Void the submission; the player's next best counts (rule 15.1).

    It stays in the list, struck through, and its moves become public like all others unless *is_unpublished*
    (rule 15.4). Then the program's study is made again, as it may have started from them and have them as its own.
    """
    submission = _lock(submission)
    if submission.verdict not in (Verdict.ACCEPTED, Verdict.SPECTATOR):
        raise ValidationError(_("Only an accepted submission can be made void."))
    if submission.voided_at:
        raise ValidationError(_("The submission is void already."))
    submission.voided_at, submission.void_note, submission.is_unpublished = at, note, is_unpublished
    submission.void_reason_zh, submission.void_reason_en = reason.zh, reason.en
    _write(submission)
    _write_void_event(submission, at)
    if is_unpublished:
        Search.objects.filter(kind=SearchKind.STUDY, level=submission.level).delete()
    audit_log.record(by, "void", submission, reason=str(reason), after={"is_unpublished": is_unpublished})


@transaction.atomic
def unvoid(submission: Submission, reason: Reason | str, *, by: Actor) -> None:
    """Undo a void: the submission counts again as if it had never been void (rule 15.3)."""
    submission = _lock(submission)
    if not submission.voided_at:
        raise ValidationError(_("The submission is not void."))
    before = {
        "voided_at": submission.voided_at.isoformat(),
        "reason": submission.void_reason_en or submission.void_reason_zh,
    }
    submission.voided_at, submission.is_unpublished, submission.void_note = None, False, ""
    submission.void_reason_zh = submission.void_reason_en = ""
    _write(submission)
    _write_void_event(submission, clock.now())
    audit_log.record(by, "unvoid", submission, reason=str(reason), before=before)


@transaction.atomic
def disqualify(
    round_: Round, player: Player, reason: Reason, *, at: datetime, by: Actor, note: str = ""
) -> Disqualification:
    """Disqualify the player: nothing of theirs counts in the round until the ruling is lifted (rule 15.2)."""
    # As a merge does, which may just have made this player a name of another one.
    player = living(Player.objects.select_for_update(no_key=True).get(pk=player.pk))
    check_unmoving(player)
    Round.objects.select_for_update(no_key=True).get(pk=round_.pk)
    if Disqualification.objects.standing().filter(round=round_, player=player).exists():
        raise ValidationError(_("The player is disqualified already."))
    ruling = Disqualification.objects.create(
        round=round_, player=player, reason_zh=reason.zh, reason_en=reason.en, note=note, ruled_at=at
    )
    _recount(round_, player)
    audit_log.record(by, "disqualify", round_, reason=str(reason), after={"player": player.pk})
    return ruling


@transaction.atomic
def lift(ruling: Disqualification, reason: Reason, *, at: datetime, by: Actor) -> None:
    """Lift a disqualification; submissions sent meanwhile count too (rules 15.2, 15.3)."""
    ruling = Disqualification.objects.select_for_update().get(pk=ruling.pk)
    if ruling.lifted_at:
        raise ValidationError(_("The disqualification was lifted already."))
    ruling.lifted_at, ruling.lift_reason = at, str(reason)[:500]
    ruling.save()
    _recount(ruling.round, living(ruling.player))
    audit_log.record(by, "lift disqualification", ruling.round, reason=str(reason), before={"player": ruling.player_id})


def _lock(submission: Submission) -> Submission:
    """Lock the submission's level, then the submission, in the judges' order; return it without its text."""
    level = Submission.objects.filter(pk=submission.pk).values("level")
    list(Level.objects.select_for_update(no_key=True).filter(pk__in=level))
    rows = Submission.objects.without_text().select_for_update(of=("self",)).select_related("player", "level")
    return rows.get(pk=submission.pk)


def _write(submission: Submission) -> None:
    fields = ["voided_at", "void_reason_zh", "void_reason_en", "void_note", "is_unpublished"]
    submission.save(update_fields=fields)
    personal_bests.recount([submission.level], [submission.player])


def _write_void_event(submission: Submission, at: datetime) -> None:
    """Write an event if an accepted submission becomes void or counts again."""
    if submission.verdict == Verdict.ACCEPTED and not submission.is_practice:
        about = {"round_id": submission.round_id, "submission": submission}
        Event.objects.write(Event.Kind.VOID, f"{submission.number}:{at.isoformat()}", at, **about)


def _recount(round_: Round, player: Player) -> None:
    """Recount the player's bests on every level, as the judge may be adding a first one concurrently."""
    personal_bests.recount(Level.objects.filter(round=round_), [player])
