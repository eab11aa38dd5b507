"""The steps that a round needs, from its draft to the announcement of its results."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from contest import levels, results, rounds, visibility
from contest.judging import consistency as inspection
from contest.models import Level, Post, Round, Slot, State, Submission
from contest.models.round import RoundQuerySet
from contest.results import revisions
from contest.rounds import insiders
from contest.rounds import lucky_number as lucky
from contest.rules import settings as round_settings
from contest.rules.phases import Phase
from contest.vetting import machine
from contest.wording import times
from contest.wording.verdicts import describe_undecided, with_label


class Name(StrEnum):
    """The steps, in their order."""

    DRAFT = "draft"
    GATE = "gate"
    SCHEDULE = "schedule"
    PREVIEW = "preview"
    PUBLISH = "publish"
    WATCH = "watch"
    CLOSE = "close"
    VERIFY = "verify"
    DRAW = "draw"
    FINALISE = "finalise"
    REVISE = "revise"
    ANNOUNCE = "announce"


class Standing(StrEnum):
    """State of a step: done, the next thing to do, waiting for its time, or later."""

    DONE = "done"
    NEXT = "next"
    WAITING = "waiting"
    LATER = "later"


@dataclass(frozen=True)
class Step:
    """A step and, in words, what it lacks."""

    name: Name
    standing: Standing
    missing: tuple[str, ...] = ()


# What a step lacks; an empty tuple means that it is done, None that it can only be waited for.
Missing = tuple[str, ...] | None


def steps(round_: Round, at: datetime) -> tuple[Step, ...]:
    """Return every step of the round as of *at*; the first unfinished one is the next. Changes nothing."""
    if round_.phase(at) is Phase.CANCELLED or (round_.is_imported and not revisions.is_due(round_, at)):
        return ()
    round_ = _ensure_counts(round_, at)
    found: list[Step] = []
    is_before = True
    for name, check in _CHECKS.items():
        missing = check(round_, at) if is_before else ()
        if not is_before:
            found.append(Step(name, Standing.LATER))
        elif missing == ():
            found.append(Step(name, Standing.DONE))
        else:
            is_before = False
            found.append(Step(name, Standing.WAITING if missing is None else Standing.NEXT, missing or ()))
    return tuple(found)


# For this long after finalisation, announcing the results remains the next step.
_NEWS = timedelta(days=14)
_NEXT_OPENINGS = 2
_NEAR = timedelta(days=3)  # an opening, for a round that is not published
RoundStep = tuple[Round, Step | None]


@dataclass(frozen=True)
class ActiveRounds:
    """The rounds to work on: those that need action or run, the next openings, and those that need a revision."""

    now: list[RoundStep]
    coming: list[RoundStep]
    to_revise: list[Round]


def list_active_rounds(at: datetime, among: RoundQuerySet) -> ActiveRounds:
    """Return all rounds of *among* that need action or run, and the next openings only. Two queries if no board has
    changed.
    """
    to_revise = revisions.find_due(at, among)
    alive = among.filter(cancelled_at=None, is_imported=False)
    alive = alive.filter(Q(finalised_at=None) | Q(finalised_at__gt=at - _NEWS)).order_by("opens_at", "number")
    revise = Step(Name.REVISE, Standing.NEXT, _revision_messages())
    revising: list[RoundStep] = [(round_, revise) for round_ in to_revise]
    keys = {round_.pk for round_ in to_revise}
    needing: list[RoundStep] = []
    running: list[RoundStep] = []
    coming: list[RoundStep] = []
    for round_, step in next_steps(alive, at):
        if step and round_.pk not in keys:
            is_coming = round_.phase(at) is Phase.SCHEDULED
            group = needing if step.standing is Standing.NEXT else coming if is_coming else running
            group.append((round_, step))
    return ActiveRounds([*revising, *needing, *running], coming[:_NEXT_OPENINGS], to_revise)


def next_steps(rounds_: QuerySet[Round], at: datetime) -> list[RoundStep]:
    """Return each round with its next step, computed from its times and counts alone. One query.

    Steps that read levels and boards (the level check, the check of the boards) appear only on the round's own page.
    """
    return [(round_, _next_step(round_, at)) for round_ in with_counts(rounds_, at)]


def with_counts(rounds_: QuerySet[Round], at: datetime) -> QuerySet[Any]:
    """Annotate rounds for their steps: is there a main level, a report and a waiting attempt of the machine; how many
    submissions wait or are held.
    """
    sent = Submission.objects.filter(round=OuterRef("pk")).entered().order_by()
    waiting, held = sent.waiting().values("round"), sent.filter(state=State.QUARANTINED).values("round")
    return rounds_.annotate(
        has_report=Exists(_published_reports(at).filter(round=OuterRef("pk")).order_by()),
        has_main=Exists(Level.objects.filter(round=OuterRef("pk"), slot=Slot.MAIN).order_by()),
        waiting=Coalesce(Subquery(waiting.annotate(count=Count("pk")).values("count")), 0),
        held=Coalesce(Subquery(held.annotate(count=Count("pk")).values("count")), 0),
        has_waiting_attempt=Exists(machine.of_rounds().waiting().filter(level__round=OuterRef("pk"))),
    )


def _ensure_counts(round_: Round, at: datetime) -> Round:
    """Return *round_* annotated by `with_counts`; it is queried again only if it is not."""
    return round_ if hasattr(round_, "has_report") else with_counts(Round.objects.filter(pk=round_.pk), at).get()


def _next_step(round_: Any, at: datetime) -> Step | None:
    """Return the next step of a round annotated by `with_counts`."""
    phase = round_.phase(at)
    if round_.is_imported or phase is Phase.CANCELLED or (phase is Phase.FINAL and at > round_.finalised_at + _NEWS):
        return None
    if phase is Phase.DRAFT:
        on_times = _time_messages(round_, at)
        if not round_.has_main:
            return Step(Name.DRAFT, Standing.NEXT, draft_messages() + on_times)
        return Step(Name.SCHEDULE if round_.opens_at < at else Name.PREVIEW, Standing.NEXT, on_times)
    if phase in (Phase.SCHEDULED, Phase.OPEN):
        return Step(Name.WATCH, Standing.WAITING)
    if phase is Phase.CLOSED:
        if at < (round_.opening_ends_at or round_.reveals_at):
            return Step(Name.CLOSE, Standing.WAITING)
        if round_.waiting or round_.held:
            return Step(Name.VERIFY, Standing.NEXT, describe_undecided(round_.waiting, round_.held))
        return Step(Name.FINALISE, Standing.NEXT, (_("The results are provisional."),))
    return None if round_.has_report else Step(Name.ANNOUNCE, Standing.NEXT)


def draft_messages() -> tuple[str, ...]:
    return (_("There is no main level yet."),)


def opening_messages() -> tuple[str, ...]:
    return (_("The opening has passed. Choose a later one."),)


def _time_messages(round_: Round, at: datetime) -> tuple[str, ...]:
    """Return what a draft's opening, near or missed, asks of the organisers."""
    if round_.opens_at < at:
        return opening_messages()
    if round_.opens_at - at > _NEAR:
        return ()
    text = _("It is to open on %(opens)s and is not published.")
    return (text % {"opens": times.format_minute(round_.opens_at)},)


def _check_draft(round_: Any, _at: datetime) -> Missing:
    return () if round_.has_main else draft_messages()


def _check_levels(round_: Round, at: datetime) -> Missing:
    """Check the levels. Levels that have opened are frozen; a fault in them is corrected by voiding (rule 2.10).

    That a level is known elsewhere is not a fault, so it is not checked.
    """
    if rounds.is_past_opening(round_, at):
        return ()
    texts = list(filter(None, (round_.title_zh, round_.title_en, round_.prizes_zh, round_.prizes_en)))
    found = []
    for level in round_.levels.all():
        examined = levels.examine(
            level.text,
            level.solution,
            title=level.title,
            author=level.author,
            texts=texts,
            known=Level.objects.none(),
            unsolved_reason=level.unsolved_reason,
            is_vetted=True,
        )
        errors = [error for errors in examined.errors.values() for error in errors]
        found += [with_label(level.get_slot_display(), error) for error in errors]
    repeats = levels.find_repeats(round_.levels.all())
    found += [with_label(level.get_slot_display(), levels.repeat_message(repeat)) for level, repeat in repeats]
    return tuple(found)


def _check_schedule(round_: Round, at: datetime) -> Missing:
    if rounds.is_past_opening(round_, at):
        return ()
    found: list[str] = []
    if round_.opens_at < at:
        found += opening_messages()
    if round_.closes_at <= round_.opens_at:
        found.append(_("The round closes before it opens."))
    if other := rounds.overlapping_round(round_):
        found.append(_("%(round)s is open at that time. Only one round may be open at a time.") % {"round": other})
        found.append(rounds.other_tracks_message(round_))
    return tuple(found)


def _check_preview(round_: Round, at: datetime) -> Missing:
    if rounds.is_announced(round_, at):
        return ()
    found = [_("The round is not announced yet: only organisers and testers can see it.")]
    if unranked := insiders.list_insiders(round_):
        found.append(with_label(_("Unranked by rule 4.15"), " ".join(map(str, unranked))))
    return tuple(found)


def _check_publication(round_: Round, at: datetime) -> Missing:
    if rounds.is_announced(round_, at):
        return ()
    rules = round_settings.of(round_.settings)
    if rules.lucky_source == "typed" and not lucky.is_typed(round_):
        return (_("Enter the lucky number first. Then you can announce the round."),)
    return (_("The round is not published."),)


def _check_watch(round_: Round, at: datetime) -> Missing:
    return () if rounds.is_closed(round_, at) else None


def _check_reveal(round_: Round, at: datetime) -> Missing:
    ended_at = round_.opening_ends_at or round_.reveals_at
    return () if at >= ended_at and visibility.is_revealed(round_, at) else None


def _check_verdicts(round_: Any, at: datetime) -> Missing:
    if round_.phase(at) is Phase.FINAL:
        return ()
    found = describe_undecided(round_.waiting, round_.held)
    return (*found, *map(str, inspection.boards(round_)))


def _check_draw(round_: Round, _at: datetime) -> Missing:
    """Check commitment and beacon (rule 14.2); the number itself is revealed automatically (rule 11.5)."""
    return tuple(lucky.missing_for_draw(round_))


def _check_results(round_: Round, at: datetime) -> Missing:
    if round_.phase(at) is Phase.FINAL:
        return ()
    return tuple(results.obstacles(round_, at)) or (_("The results are provisional."),)


def _check_revision(round_: Round, at: datetime) -> Missing:
    return _revision_messages() if revisions.is_due(round_, at) else ()


def _revision_messages() -> tuple[str, ...]:
    return (_("The published results no longer match the rulings and verdicts."),)


def _published_reports(at: datetime) -> QuerySet[Post]:
    return Post.objects.published(at).filter(kind=Post.Kind.REPORT)


def _check_announcement(round_: Any, _at: datetime) -> Missing:
    """Require a published report; the site cannot know about announcements elsewhere."""
    if round_.has_report:
        return ()
    return (_("Tell the players: the texts for forums and chats are ready."),)


_CHECKS: dict[Name, Callable[[Round, datetime], Missing]] = {
    Name.DRAFT: _check_draft,
    Name.GATE: _check_levels,
    Name.SCHEDULE: _check_schedule,
    Name.PREVIEW: _check_preview,
    Name.PUBLISH: _check_publication,
    Name.WATCH: _check_watch,
    Name.CLOSE: _check_reveal,
    Name.VERIFY: _check_verdicts,
    Name.DRAW: _check_draw,
    Name.FINALISE: _check_results,
    Name.REVISE: _check_revision,
    Name.ANNOUNCE: _check_announcement,
}


def find_missing(name: Name, round_: Round, at: datetime) -> Missing:
    """Return what a step lacks, whether or not the steps before it are done."""
    return _CHECKS[name](_ensure_counts(round_, at), at)


def find_unannounceable(round_: Round, at: datetime) -> list[str]:
    """Return why a draft cannot be announced; its levels are checked again (rule 2.7)."""
    needed = (Name.DRAFT, Name.GATE, Name.SCHEDULE)
    return [
        message
        for step in steps(round_, at)
        if step.name in needed and step.standing is Standing.NEXT
        for message in step.missing
    ]
