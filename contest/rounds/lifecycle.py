"""Organisers' actions on a round, from its announcement to its end (rules 2, 3.7, 7.10).

Each action is one transaction: it locks the round, checks, changes, and leaves an audit record (rule 15.3) and, if
players must know, a public note. A forbidden action raises ValidationError with a message for the organiser.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from contest import levels
from contest.infra import clock
from contest.levels import AdmittedLevel
from contest.models import Event, Level, Note, Round, Slot
from contest.rounds import lucky_number, numbering, testers, tracks, unsolved
from contest.rounds.calendar import (
    check_fields,
    check_times,
    is_announced,
    is_past_opening,
    lock_calendar,
    suggest_round,
)
from contest.rules import settings
from contest.rules.phases import Phase
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.vetting import orders
from contest.wording.bilingual import Reason
from contest.wording.settings import describe_fault
from contest.wording.verdicts import with_label

_OF_OTHER_ACTS = (
    "finalised_at", "cancelled_at", "cancel_reason_zh", "cancel_reason_en", "make_up_opens_at", "make_up_closes_at",
    "reveal_waits_until", "complete_at", "tabulated_version",
)  # fmt: skip


@tracks.record_revealed
@transaction.atomic
def save(round_: Round, *, at: datetime, by: Actor) -> None:
    """Save a new or changed round with its commitment (rules 2.6, 2.9, 3.7, 11.3), and audit the changes.

    What only other acts change, such as a cancellation, stays as stored: *round_* may be older than that.
    """
    lock_calendar()
    stored = Round.objects.select_for_update(no_key=True).filter(pk=round_.pk).first()
    at = clock.after_waiting(at)
    for name in _OF_OTHER_ACTS if stored else ():
        setattr(round_, name, getattr(stored, name))
    if stored is None or not is_past_opening(stored, at):
        unsolved.note(round_)
    check(round_, at, by)
    store(round_, lucky_number.save_committed)
    if stored and is_announced(stored, at) and _is_later(round_, stored):
        _write_postponed(round_, at)
    before, after = (_facts(stored) if stored else {}), _facts(round_)
    if before != after:
        changed = [name for name in after if before.get(name) != after[name]]
        audit_log.record(
            by,
            "change round" if stored else "make round",
            round_,
            before={name: before[name] for name in changed if name in before},
            after={name: after[name] for name in changed},
        )


@tracks.record_revealed
@transaction.atomic
def announce(round_: Round, *, at: datetime, by: Actor) -> Round:
    """Publish number and times now; the round then opens automatically (rules 2.8, 3.6)."""
    lock_calendar()
    round_, at = lock(round_, at)
    if is_announced(round_, at):
        raise ValidationError(_("The round is announced already."))
    if not round_.levels.filter(slot=Slot.MAIN).exists():
        raise ValidationError(_("An announced round needs a main level."))
    if repeats := levels.find_repeats(round_.levels.all()):
        raise ValidationError(
            [with_label(level.get_slot_display(), levels.repeat_message(other)) for level, other in repeats]
        )
    round_.announced_at = at
    check(round_, at, by)  # first, so that messages name rounds by their stored numbers
    with numbering.assign_numbers(round_, at):
        save(round_, at=at, by=by)
    testers.bind(round_, at=at)
    return round_


@tracks.record_revealed
@transaction.atomic
def save_or_announce(round_: Round, *, at: datetime, by: Actor) -> None:
    """Save a round from a form that sets when it is announced, now at the earliest (rules 2.1, 2.8).

    It gets its numbers with that time, again if the time changes; as a draft it loses its number in the track. Call
    `testers.bind` once its levels are saved too.
    """
    lock_calendar()
    at = clock.after_waiting(at)
    stored = Round.objects.filter(pk=round_.pk).first()
    if round_.announced_at is None:
        round_.number_in_track = None
    elif not (stored and is_announced(stored, at)):
        round_.announced_at = max(round_.announced_at, at)
    check(round_, at, by)
    is_same = stored and (stored.announced_at, stored.track_id) == (round_.announced_at, round_.track_id)
    with numbering.assign_numbers(round_, at) if round_.announced_at and not is_same else nullcontext():
        save(round_, at=at, by=by)


@tracks.record_revealed
@transaction.atomic
def put_level(
    round_: Round, slot: str, admitted: AdmittedLevel, *, title: str, author: str, at: datetime, by: Actor
) -> Level:
    """Put a level that passed the publication check into a slot of an unopened round (rules 2.7, 2.9)."""
    lock_calendar()  # or else two rounds could get the same level at once (rule 2.12)
    round_, at = lock(round_, at)
    if is_past_opening(round_, at):
        raise ValidationError(_("The round has opened: its levels can no longer be changed."))
    if other := levels.same_in_other_slots(admitted.board.key, round_.pk, slot).first():
        raise ValidationError(levels.repeat_message(other))
    tracks.check_levels(round_, at=at, by=by, keys=[admitted.board.key])
    stored = Level.objects.filter(round=round_, slot=slot).first()
    before = {"sha256": stored.sha256, "title": stored.title, "author": stored.author} if stored else {}
    level = stored or Level(round=round_, slot=slot)
    level.title, level.author = title, author
    levels.fill(level, admitted).save()
    if is_announced(round_, at):
        testers.bind(round_, at=at)
    unsolved.note_and_save(round_)
    orders.queue_vetting(admitted.board)
    after = {"slot": slot, "sha256": level.sha256, "title": title, "author": author}
    if level.unsolved_reason:
        after["unsolved_reason"] = level.unsolved_reason
    audit_log.record(by, "put level", round_, before=before, after=after)
    return level


@transaction.atomic
def clear_slot(round_: Round, slot: str, *, at: datetime, by: Actor) -> None:
    """Remove a level from a round that has not opened; an announced round keeps its main level."""
    round_, at = lock(round_, at)
    if is_past_opening(round_, at):
        raise ValidationError(_("The round has opened: its levels can no longer be changed."))
    if slot == Slot.MAIN and is_announced(round_, at):
        raise ValidationError(_("An announced round needs a main level."))
    level = round_.levels.filter(slot=slot).first()
    if level:
        audit_log.record(by, "clear slot", round_, before={"slot": slot, "sha256": level.sha256, "title": level.title})
        level.delete()
        unsolved.note_and_save(round_)


@transaction.atomic
def clone(round_: Round, *, at: datetime, by: Actor) -> Round:
    """Create a draft of the same track: next number and times, and this round's titles, prizes and settings."""
    lock_calendar()
    names = ("title_zh", "title_en", "prizes_zh", "prizes_en", "settings")
    copied = {name: getattr(round_, name) for name in names}
    copied["settings"] = {**settings.NEW} | {
        name: value for name, value in round_.settings.items() if name in settings.NAMES
    }
    length = round_.closes_at - round_.opens_at
    next_ = suggest_round(at, round_.track_id)
    new = Round(track_id=round_.track_id, **copied, **{**next_, "closes_at": next_["opens_at"] + length})
    if settings.of(new.settings).lucky_source == "typed":
        new.settings = {**new.settings, "lucky_source": "server"}
    save(new, at=at, by=by)
    return new


@tracks.record_revealed
@transaction.atomic
def extend(round_: Round, closes_at: datetime, reason: Reason, *, at: datetime, by: Actor) -> Round:
    """Extend an open round, with a public note of both closing times (rule 3.7)."""
    lock_calendar()
    round_, at = lock(round_, at)
    if round_.cancelled_at or not (is_past_opening(round_, at) and at < round_.closes_at):
        raise ValidationError(_("Only an open round can be extended."))
    if closes_at <= round_.closes_at:
        raise ValidationError(_("An open round may close later than announced, but never earlier."))
    times = {"before": round_.closes_at.isoformat(), "after": closes_at.isoformat()}
    round_.closes_at = closes_at
    check_times(round_, at)
    tracks.check_levels(round_, at=at, by=by)
    store(round_)
    _write_postponed(round_, at, leave_note(round_, Note.Kind.EXTENDED, reason, at, times))
    audit_log.record(
        by,
        "extend",
        round_,
        reason=str(reason),
        before={"closes_at": times["before"]},
        after={"closes_at": times["after"]},
    )
    return round_


@transaction.atomic
def cancel(round_: Round, reason: Reason, *, at: datetime, by: Actor) -> Round:
    """Cancel the round publicly; everything public stays public (rule 7.10)."""
    round_, at = lock(round_, at)
    if round_.cancelled_at:
        raise ValidationError(_("The round is cancelled already."))
    if round_.phase(at) is Phase.FINAL:
        raise ValidationError(_("A final round cannot be cancelled. Revise its results instead."))
    round_.cancelled_at, round_.cancel_reason_zh, round_.cancel_reason_en = at, reason.zh, reason.en
    store(round_)
    leave_note(round_, Note.Kind.CANCELLED, reason, at)
    audit_log.record(by, "cancel", round_, reason=str(reason))
    return round_


@transaction.atomic
def void_slot(level: Level, reason: Reason, *, at: datetime, by: Actor) -> Round:
    """Void a faulty level of an opened round; voiding the last level cancels the round (rule 2.10)."""
    round_, at = lock(level.round, at)
    level = Level.objects.select_for_update(no_key=True).get(pk=level.pk)
    if not is_past_opening(round_, at) or round_.cancelled_at:
        raise ValidationError(
            _(
                "Before the opening, change the level instead of making it void. A cancelled round has no levels "
                "to make void."
            )
        )
    if level.voided_at:
        raise ValidationError(_("The level is void already."))
    is_last = not round_.levels.filter(voided_at=None).exclude(pk=level.pk).exists()
    if is_last and round_.phase(at) is Phase.FINAL:
        raise ValidationError(_("The round is final: at least one of its levels must remain."))
    Level.objects.filter(pk=level.pk).update(
        voided_at=at, void_reason_zh=reason.zh, void_reason_en=reason.en, board_version=F("board_version") + 1
    )
    note = leave_note(round_, Note.Kind.SLOT_VOID, reason, at, {"slot": level.slot})
    Event.objects.write(Event.Kind.VOID, f"level {level.pk}", at, round=round_, note=note)
    audit_log.record(by, "void slot", round_, reason=str(reason), after={"slot": level.slot})
    return cancel(round_, reason, at=at, by=by) if is_last else round_


def _check_settings(stored: Round | None, values: Mapping[str, Any], at: datetime) -> None:
    """Raise ValidationError with all reasons if *values* may not become a round's settings (rule 17)."""
    if stored and is_past_opening(stored, at):
        raise ValidationError({"settings": _("The round has opened: this can no longer be changed.")})
    try:
        settings.of(values)
    except settings.BadSettings as error:
        raise ValidationError(
            {"settings": [describe_fault(name, fault) for name, fault in error.faults.items()]}
        ) from None


def lock(round_: Round, at: datetime) -> tuple[Round, datetime]:
    """Return the current round, locked until the transaction ends, and the time by then for *at*, when the act began.

    What was still possible at that time may have become public while the act waited (rules 2.9, 3.7, 3.10).
    """
    locked = Round.objects.select_for_update(no_key=True).get(pk=round_.pk)
    return locked, clock.after_waiting(at)


def store(round_: Round, write: Callable[[Round], None] = Round.save) -> None:
    """Save; constraint violations caused by a concurrent request become messages (rules 2.1, 2.6)."""
    try:
        with transaction.atomic():
            write(round_)
    except IntegrityError as error:
        if "round_one_open_at_a_time" in str(error):  # an exclusion constraint of migration 0040, on PostgreSQL
            raise ValidationError(
                _("Only one round may be open at a time, and another was published just now.")
            ) from None
        if "number" in str(error):
            raise ValidationError({"number": _("This number was taken a moment ago.")}) from None
        raise


def leave_note(
    round_: Round, kind: Note.Kind, reason: Reason, at: datetime, values: Mapping[str, Any] | None = None
) -> Note:
    """Leave a public note on the round."""
    return Note.objects.create(
        round=round_, kind=kind, text_zh=reason.zh, text_en=reason.en, values=values or {}, written_at=at
    )


def _is_later(round_: Round, stored: Round) -> bool:
    return round_.opens_at > stored.opens_at or round_.closes_at > stored.closes_at


def _write_postponed(round_: Round, at: datetime, note: Note | None = None) -> None:
    Event.objects.write(Event.Kind.POSTPONED, f"{round_.pk}:{at.isoformat()}", at, round=round_, note=note)


def _facts(round_: Round) -> dict[str, Any]:
    """Return the audited fields of a round; of its lucky number only the commitment."""
    times = ("announced_at", "opens_at", "closes_at")
    shown = {name: getattr(round_, name) and getattr(round_, name).isoformat() for name in times}
    texts = ("number", "track_id", "title_zh", "title_en", "prizes_zh", "prizes_en", "commitment", "settings")
    return {**shown, **{name: getattr(round_, name) for name in texts}}


def stamp(round_: Round) -> str:
    """Return a digest of a round's saved state, to detect conflicting edits by several organisers."""
    rows = round_.levels.order_by("slot").values_list("slot", "title", "author", "sha256", "solution")
    facts = [_facts(round_), [list(row) for row in rows]]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]


def _check_typed(round_: Round) -> None:
    """Check that a round with a typed number really has one (rules 11.3, 11.13)."""
    if round_.announced_at is None or settings.of(round_.settings).lucky_source != "typed":
        return
    if not lucky_number.is_typed(round_):
        raise ValidationError(_("Enter the lucky number first. Then you can announce the round."))


def check(round_: Round, at: datetime, by: Actor = None) -> None:
    """Raise ValidationError if *round_* may not be saved so at time *at*; call it like `check_times`."""
    check_times(round_, at)
    tracks.check_levels(round_, at=at, by=by)
    check_fields(round_, "title_zh", "title_en", "prizes_zh", "prizes_en")
    stored = Round.objects.filter(pk=round_.pk).first()
    if stored and is_past_opening(stored, at) and round_.closes_at != stored.closes_at:
        raise ValidationError({"closes_at": _("The round is open: “Extend” moves its close, with a public note.")})
    if stored is None or round_.settings != stored.settings:
        _check_settings(stored, round_.settings, at)
    _check_typed(round_)
