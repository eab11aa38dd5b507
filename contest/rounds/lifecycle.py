"""When a round takes place, and what organisers may still change of it (rules 2, 3.7, 3.10, 7.10).

Every act is one transaction: it holds the round, checks, changes, and leaves a record (rule 15.3) and, where players
must know, a public note. What may not be is refused by a ValidationError with words for the organiser.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypedDict

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from contest import levels
from contest.infra import locks
from contest.infra.locks import Turn
from contest.levels import Passed
from contest.models import Level, Note, Outage, Round, Slot
from contest.models.round import LAST_YEAR
from contest.rounds import lucky_number, numbering, unsolved
from contest.rules import settings
from contest.rules.phases import Phase
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.vetting import orders
from contest.wording.bilingual import Reason
from contest.wording.settings import fault_words
from contest.wording.verdicts import labelled

PAUSE = timedelta(weeks=1)  # rule 2.5: suggested, not enforced
LENGTH = timedelta(weeks=3)
OPENING_HOUR = 20
# Rule 3.10: an outage this long, this shortly before the close, lets the reveal wait.
OUTAGE = timedelta(minutes=5)
BEFORE_CLOSE = timedelta(hours=2)
WAIT = timedelta(hours=24)


def is_announced(round_: Round, at: datetime) -> bool:
    return round_.announced_at is not None and round_.announced_at <= at


def is_opened(round_: Round, at: datetime) -> bool:
    """Whether the levels have become public, so that they and the opening are frozen (rule 2.9)."""
    return is_announced(round_, at) and round_.opens_at <= at


def is_frozen(round_: Round, at: datetime) -> bool:
    """Whether the levels of *round_* stay as they are, by its times as saved: in a form it has those just entered."""
    stored = Round.objects.filter(pk=round_.pk).first()
    return stored is not None and is_opened(stored, at)


def is_closed(round_: Round, at: datetime) -> bool:
    return is_opened(round_, at) and round_.closes_at <= at


@transaction.atomic
def save(round_: Round, *, at: datetime, by: Actor) -> None:
    """Save a new or changed round with its commitment (rules 2.6, 2.9, 3.7, 11.3); the record says what changed."""
    stored = Round.objects.filter(pk=round_.pk).first()
    if stored is None or not is_opened(stored, at):
        unsolved.note(round_)
    check(round_, at)
    _save(round_, lucky_number.save_committed)
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


@transaction.atomic
def announce(round_: Round, *, at: datetime, by: Actor) -> Round:
    """Make number and times public now; the round then opens by itself (rules 2.8, 3.6)."""
    hold_calendar()
    round_ = _held(round_)
    if is_announced(round_, at):
        raise ValidationError(_("The round is announced already."))
    if not round_.levels.filter(slot=Slot.MAIN).exists():
        raise ValidationError(_("An announced round needs a main level."))
    if repeats := levels.repeats(round_.levels.all()):
        raise ValidationError([labelled(level.get_slot_display(), levels.repeat_words(one)) for level, one in repeats])
    round_.announced_at = at
    with numbering.next_number(round_):
        save(round_, at=at, by=by)
    return round_


@transaction.atomic
def put_level(round_: Round, slot: str, passed: Passed, *, title: str, author: str, at: datetime, by: Actor) -> Level:
    """Put a level that passed the gate into a slot of a round that has not opened (rules 2.7, 2.9)."""
    round_ = _held(round_)
    if is_opened(round_, at):
        raise ValidationError(_("The round has opened: its levels stay as they are."))
    if other := levels.beside(passed.board.key, round_.pk, slot).first():
        raise ValidationError(levels.repeat_words(other))
    stored = Level.objects.filter(round=round_, slot=slot).first()
    before = {"sha256": stored.sha256, "title": stored.title, "author": stored.author} if stored else {}
    level = stored or Level(round=round_, slot=slot)
    level.title, level.author = title, author
    levels.fill(level, passed).save()
    unsolved.note_and_save(round_)
    orders.vet(passed.board)
    after = {"slot": slot, "sha256": level.sha256, "title": title, "author": author}
    if level.unsolved_reason:
        after["unsolved_reason"] = level.unsolved_reason
    audit_log.record(by, "put level", round_, before=before, after=after)
    return level


@transaction.atomic
def clear_slot(round_: Round, slot: str, *, at: datetime, by: Actor) -> None:
    """Take a level out of a round that has not opened; an announced one keeps its main level."""
    round_ = _held(round_)
    if is_opened(round_, at):
        raise ValidationError(_("The round has opened: its levels stay as they are."))
    if slot == Slot.MAIN and is_announced(round_, at):
        raise ValidationError(_("An announced round needs a main level."))
    level = round_.levels.filter(slot=slot).first()
    if level:
        audit_log.record(by, "clear slot", round_, before={"slot": slot, "sha256": level.sha256, "title": level.title})
        level.delete()
        unsolved.note_and_save(round_)


@transaction.atomic
def clone(round_: Round, *, at: datetime, by: Actor) -> Round:
    """Make a draft with the next number and times, and with this round's titles, prizes and settings."""
    hold_calendar()
    names = ("title_zh", "title_en", "prizes_zh", "prizes_en", "settings")
    copied = {name: getattr(round_, name) for name in names}
    copied["settings"] = {name: value for name, value in round_.settings.items() if name in settings.NAMES}
    length = round_.closes_at - round_.opens_at
    next_ = suggestion(at)
    new = Round(**copied, **{**next_, "closes_at": next_["opens_at"] + length})
    if settings.of(new.settings).lucky_source == "typed":
        new.settings = {**new.settings, "lucky_source": "server"}
    save(new, at=at, by=by)
    return new


@transaction.atomic
def change_settings(round_: Round, values: Mapping[str, Any], *, at: datetime, by: Actor) -> Round:
    """Give the round other settings, before it opens (rules 2.9, 17); what is absent from *values* stays."""
    hold_calendar()
    round_ = _held(round_)
    unknown = set(values) - {*round_.settings, *settings.NAMES}
    if unknown:
        raise ValidationError(
            {"settings": [_("There is no setting %(name)s.") % {"name": name} for name in sorted(unknown)]}
        )
    round_.settings = {**round_.settings, **values}
    save(round_, at=at, by=by)
    return round_


@transaction.atomic
def extend(round_: Round, closes_at: datetime, reason: Reason, *, at: datetime, by: Actor) -> Round:
    """Let an open round close later, with a public note of both times (rule 3.7)."""
    hold_calendar()
    round_ = _held(round_)
    if round_.cancelled_at or not (is_opened(round_, at) and at < round_.closes_at):
        raise ValidationError(_("Only an open round can be extended."))
    if closes_at <= round_.closes_at:
        raise ValidationError(_("An open round may close later than it said, never earlier."))
    times = {"before": round_.closes_at.isoformat(), "after": closes_at.isoformat()}
    round_.closes_at = closes_at
    check_times(round_, at)
    _save(round_)
    _note(round_, Note.Kind.EXTENDED, reason, at, times)
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
    """Call the round off, for everybody to see; what was public stays public (rule 7.10)."""
    round_ = _held(round_)
    if round_.cancelled_at:
        raise ValidationError(_("The round is cancelled already."))
    if round_.phase(at) is Phase.FINAL:
        raise ValidationError(_("A final round is not cancelled: its results change by a revision."))
    round_.cancelled_at, round_.cancel_reason_zh, round_.cancel_reason_en = at, reason.zh, reason.en
    _save(round_)
    _note(round_, Note.Kind.CANCELLED, reason, at)
    audit_log.record(by, "cancel", round_, reason=str(reason))
    return round_


@transaction.atomic
def void_slot(level: Level, reason: Reason, *, at: datetime, by: Actor) -> Round:
    """Take a faulty level out of an opened round; with the last one the round is cancelled (rule 2.10)."""
    round_ = _held(level.round)
    level = Level.objects.select_for_update().get(pk=level.pk)
    if not is_opened(round_, at) or round_.cancelled_at:
        raise ValidationError(_("Before the opening a level is changed, not made void; a cancelled round has none."))
    if level.voided_at:
        raise ValidationError(_("The level is void already."))
    is_last = not round_.levels.filter(voided_at=None).exclude(pk=level.pk).exists()
    if is_last and round_.phase(at) is Phase.FINAL:
        raise ValidationError(_("The round is final: at least one of its levels must stay."))
    Level.objects.filter(pk=level.pk).update(
        voided_at=at, void_reason_zh=reason.zh, void_reason_en=reason.en, board_version=F("board_version") + 1
    )
    _note(round_, Note.Kind.SLOT_VOID, reason, at, {"slot": level.slot})
    audit_log.record(by, "void slot", round_, reason=str(reason), after={"slot": level.slot})
    return cancel(round_, reason, at=at, by=by) if is_last else round_


@transaction.atomic
def hold_reveal(outage_began: datetime, outage_ended: datetime) -> list[Round]:
    """Let the reveal of rounds that closed on an outage wait a day, by itself (rule 3.10); return them."""
    near = Round.objects.filter(closes_at__gt=outage_began, closes_at__lt=outage_ended + BEFORE_CLOSE)
    near = near.exclude(announced_at=None).filter(cancelled_at=None, finalised_at=None, reveal_waits_until=None)
    held = [round_ for round_ in near.select_for_update() if lost(round_, outage_began, outage_ended) > OUTAGE]
    for round_ in held:
        round_.reveal_waits_until = round_.closes_at + WAIT
        round_.save(update_fields=["reveal_waits_until"])
        audit_log.record(
            None, "hold reveal", round_, after={"reveal_waits_until": round_.reveal_waits_until.isoformat()}
        )
    return held


def lost(round_: Round, began: datetime, ended: datetime) -> timedelta:
    """How much of the round's last two hours an outage took (rule 3.10)."""
    return max(min(ended, round_.closes_at) - max(began, round_.closes_at - BEFORE_CLOSE), timedelta(0))


@transaction.atomic
def grant_make_up(
    round_: Round, opens_at: datetime, closes_at: datetime, reason: Reason, *, at: datetime, by: Actor
) -> Round:
    """Open the round once more after an outage, at least as long as that was; it is revealed at the end (rule 3.10)."""
    hold_calendar()
    round_ = _held(round_)
    waits_until = round_.reveal_waits_until
    if (
        round_.cancelled_at
        or round_.make_up_closes_at
        or waits_until is None
        or not round_.closes_at <= at < waits_until
    ):
        raise ValidationError(_("A make-up window is granted while the reveal waits after an outage, and once."))
    if not at <= opens_at < waits_until:
        raise ValidationError({"opens_at": _("The window opens from now on, and before the wait has ended.")})
    outages = Outage.objects.filter(began_at__lt=round_.closes_at, ended_at__gt=round_.closes_at - BEFORE_CLOSE)
    longest = max((outage.ended_at - outage.began_at for outage in outages), default=OUTAGE)
    if closes_at - opens_at < longest:
        minutes = -(-int(longest.total_seconds()) // 60)
        raise ValidationError(
            {"closes_at": _("The outage took %(minutes)s minutes; the window must be as long.") % {"minutes": minutes}}
        )
    _check_alone(round_, opens_at, closes_at)
    round_.make_up_opens_at, round_.make_up_closes_at = opens_at, closes_at
    _save(round_)
    window = {"opens_at": opens_at.isoformat(), "closes_at": closes_at.isoformat()}
    _note(round_, Note.Kind.MAKE_UP, reason, at, window)
    audit_log.record(by, "grant make-up window", round_, reason=str(reason), after=window)
    return round_


def _check_settings(stored: Round | None, values: Mapping[str, Any], at: datetime) -> None:
    """Raise ValidationError where *values* may not become the settings of a round, saying of each why (rule 17)."""
    if stored and is_opened(stored, at):
        raise ValidationError({"settings": _("The round has opened: this can no longer be changed.")})
    try:
        settings.of(values)
    except settings.BadSettings as bad:
        raise ValidationError({"settings": [fault_words(name, fault) for name, fault in bad.faults.items()]}) from None


def _held(round_: Round) -> Round:
    """The round as it is now, held until the act is done."""
    return Round.objects.select_for_update().get(pk=round_.pk)


def _save(round_: Round, write: Callable[[Round], None] = Round.save) -> None:
    """Save; what the database refuses, because somebody was quicker, is said in words (rules 2.1, 2.6)."""
    try:
        with transaction.atomic():
            write(round_)
    except IntegrityError as error:
        if "round_one_open_at_a_time" in str(error):
            raise ValidationError(_("Only one round may be open at a time: somebody was quicker.")) from None
        if "number" in str(error):
            raise ValidationError({"number": _("This number was taken a moment ago.")}) from None
        raise


def _note(
    round_: Round, kind: Note.Kind, reason: Reason, at: datetime, values: Mapping[str, Any] | None = None
) -> None:
    Note.objects.create(
        round=round_, kind=kind, text_zh=reason.zh, text_en=reason.en, values=values or {}, written_at=at
    )


def _facts(round_: Round) -> dict[str, Any]:
    """What of a round the record keeps: nothing of its lucky number but the commitment."""
    times = ("announced_at", "opens_at", "closes_at")
    shown = {name: getattr(round_, name) and getattr(round_, name).isoformat() for name in times}
    texts = ("number", "title_zh", "title_en", "prizes_zh", "prizes_en", "commitment", "settings")
    return {**shown, **{name: getattr(round_, name) for name in texts}}


def stamp(round_: Round) -> str:
    """What tells one saved state of a round from another, for forms of several organisers at once."""
    rows = round_.levels.order_by("slot").values_list("slot", "title", "author", "sha256", "solution")
    facts = [_facts(round_), [list(row) for row in rows]]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]


def _check_typed(round_: Round) -> None:
    """Rules 11.3, 11.13: a round that says its number was typed has one that was."""
    if round_.announced_at is None or settings.of(round_.settings).lucky_source != "typed":
        return
    if not lucky_number.is_typed(round_):
        raise ValidationError(_("Type the lucky number first; then its round can be announced."))


def check(round_: Round, at: datetime) -> None:
    """Raise ValidationError where *round_* may not be saved so at instant *at*; call it as `check_times`."""
    check_times(round_, at)
    _check_fields(round_, "title_zh", "title_en", "prizes_zh", "prizes_en")
    stored = Round.objects.filter(pk=round_.pk).first()
    if stored is None or round_.settings != stored.settings:
        _check_settings(stored, round_.settings, at)
    _check_typed(round_)


def check_times(round_: Round, at: datetime) -> None:
    """Raise ValidationError where the times of *round_* may not be saved at instant *at*.

    Call it in the transaction that saves: it lets nobody else schedule a round until that ends.
    """
    hold_calendar()
    _check_fields(round_, "opens_at", "closes_at")
    stored = Round.objects.filter(pk=round_.pk).first()
    if stored:
        _check_frozen(stored, round_, at)
    _check_opening(stored, round_, at)
    _check_overlap(round_)


def _check_fields(round_: Round, *names: str) -> None:
    """Raise ValidationError where one of the fields alone is wrong, whoever filled it in."""
    round_.clean_fields(exclude={field.name for field in Round._meta.fields} - set(names))


def hold_calendar() -> None:
    """Let one transaction at a time schedule rounds."""
    locks.take(Turn.CALENDAR)


def _check_frozen(stored: Round, round_: Round, at: datetime) -> None:
    if is_announced(stored, at) and round_.number != stored.number:
        raise ValidationError({"number": _("The number is public and stays.")})
    if not is_opened(stored, at):
        return
    for field in ("announced_at", "opens_at"):
        if getattr(round_, field) != getattr(stored, field):
            raise ValidationError({field: _("The round has opened: this can no longer be changed.")})
    if is_closed(stored, at) and round_.closes_at != stored.closes_at:
        raise ValidationError({"closes_at": _("The round has closed: this can no longer be changed.")})
    if round_.closes_at < stored.closes_at:
        raise ValidationError({"closes_at": _("An open round may close later than it said, never earlier.")})


def _check_opening(stored: Round | None, round_: Round, at: datetime) -> None:
    if round_.announced_at is None or (stored and is_opened(stored, at)):
        return
    if round_.opens_at < at:
        raise ValidationError({"opens_at": _("This time has passed. An announced round opens in the future.")})


def _check_overlap(round_: Round) -> None:
    if round_.announced_at is None or round_.cancelled_at:
        return
    _check_alone(round_, round_.opens_at, round_.closes_at)


def _check_alone(round_: Round, opens_at: datetime, closes_at: datetime) -> None:
    """Rule 2.6: nobody else is open in the span, make-up windows included."""
    other = _in_the_way(round_, opens_at, closes_at)
    if other:
        raise ValidationError(
            _("Only one round may be open at a time: %(round)s is open from %(opens)s to %(closes)s.")
            % {"round": other, "opens": _shown(other.opens_at), "closes": _shown(other.closes_at)}
        )


def in_the_way(round_: Round) -> Round | None:
    """An announced round that is open at some moment of this one (rule 2.6)."""
    return _in_the_way(round_, round_.opens_at, round_.closes_at)


def _in_the_way(round_: Round, opens_at: datetime, closes_at: datetime) -> Round | None:
    others = Round.objects.overlapping(opens_at, closes_at).exclude(announced_at=None)
    return others.exclude(pk=round_.pk).first()


def _shown(at: datetime) -> str:
    return date_format(timezone.localtime(at), "Y-m-d H:i")


class Suggestion(TypedDict):
    number: int
    opens_at: datetime
    closes_at: datetime


def suggestion(at: datetime) -> Suggestion:
    """The next number and the usual times: three weeks from an evening a week after the last announced round (2.5)."""
    last = Round.objects.order_by("-number").first()
    announced = Round.objects.exclude(announced_at=None).filter(cancelled_at=None)
    latest = announced.filter(closes_at__year__lte=LAST_YEAR).order_by("-closes_at").first()
    earliest = timezone.localtime(max(at, latest.closes_at) if latest else at) + PAUSE
    opens_at = earliest.replace(hour=OPENING_HOUR, minute=0, second=0, microsecond=0)
    return {"number": last.number + 1 if last else 1, "opens_at": opens_at, "closes_at": opens_at + LENGTH}
