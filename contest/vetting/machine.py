"""Challenge the machine: the solver's public attempts at revealed levels, and the levels it has not solved (rule 20.5).

Each attempt starts from nothing and is a row of its own: neither vetting nor submitted solutions help it. As with
studies, nothing is shown while a level is in play in another round.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, Min, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from contest import visibility
from contest.models import (
    URGENCY,
    Best,
    Board,
    League,
    Level,
    Metric,
    Round,
    Search,
    SearchAnswer,
    SearchKind,
    SearchState,
)
from contest.models.level import by_slot
from contest.models.work.search import SearchQuerySet
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.vetting import orders
from contest.vetting.asking import Asker, Refused, admit

# An attempt of the round, by its setting or by an organiser, and one that a visitor asked for.
EVENT, AGAIN = "event", "again"
AGAIN_AFTER = timedelta(days=1)
MOST_DUE = 20
# Later an organiser has to ask for it: after a long outage not all past rounds are due at once.
DUE_WITHIN = timedelta(days=30)


@dataclass(frozen=True)
class Outcome:
    """The attempts at a level, newest first, beside the best submitted counts."""

    level: Level
    attempts: list[Search]
    humans: dict[str, int]

    @property
    def waiting(self) -> Search | None:
        return next((attempt for attempt in self.attempts if attempt.is_waiting), None)

    @property
    def done(self) -> list[Search]:
        return [attempt for attempt in self.attempts if attempt.is_done]

    @property
    def is_tried_again(self) -> bool:
        return bool(self.done and self.waiting)

    @property
    def solved(self) -> list[Search]:
        return [attempt for attempt in self.done if attempt.is_solved]

    @property
    def decided(self) -> Search | None:
        """The attempt that solved the level, with the fewest moves, or proved it unsolvable."""
        unsolvable = next((attempt for attempt in self.done if attempt.is_unsolvable), None)
        return min(self.solved, key=lambda attempt: _count(attempt, Metric.MOVES), default=unsolvable)

    @property
    def fewest(self) -> dict[str, int]:
        """The machine's fewest moves and fewest pushes."""
        return {name: min(_count(one, name) for one in self.solved) for name in Metric.values} if self.solved else {}

    @property
    def seconds(self) -> int:
        """CPU seconds of all finished attempts."""
        return round(sum(attempt.cpu_seconds for attempt in self.done))

    @property
    def most_seconds(self) -> int:
        """The largest budget of a finished attempt."""
        return max((attempt.seconds for attempt in self.done), default=0)

    @property
    def megabytes(self) -> int:
        return max((attempt.megabytes for attempt in self.done), default=0)


def _count(attempt: Search, metric: str) -> int:
    """Return the fewest moves or pushes of an attempt that solved its level."""
    return int((attempt.best_by(metric) or {})[metric])


def queue_due(at: datetime) -> int:
    """Queue the attempts that the settings of revealed rounds ask for; return how many."""
    known = Search.objects.filter(kind=SearchKind.MACHINE, task=EVENT, level=OuterRef("pk")).order_by()
    recent = Round.objects.filter(closes_at__gt=at - DUE_WITHIN, is_imported=False)
    asked = visibility.studied_levels(at).filter(round__in=recent.filter(settings__has_key="machine_levels"))
    due = [level for level in asked.exclude(Exists(known)) if level.slot in level.round.settings["machine_levels"]]
    rows = [_new_attempt(level, level.round.settings.get("machine_seconds", 0), at) for level in due[:MOST_DUE]]
    return len(Search.objects.bulk_create(rows, ignore_conflicts=True))


def _new_attempt(level: Level, seconds: int, at: datetime) -> Search:
    return Search(
        kind=SearchKind.MACHINE,
        urgency=URGENCY[SearchKind.MACHINE],
        text=level.text,
        sha256=level.sha256,
        level=level,
        task=EVENT,
        seconds=seconds,
        megabytes=settings.SOLVER_MEGABYTES,
        asked_at=at,
    )


@transaction.atomic
def start(level: Level, seconds: int, *, at: datetime, by: Actor) -> None:
    """Queue an organiser's attempt. Raise ValidationError if one waits or the level is not revealed."""
    if not visibility.studied_levels(at).filter(pk=level.pk).exists():
        raise ValidationError(_("The machine tries levels after the reveal only, and none that is in play elsewhere."))
    _save(_new_attempt(level, seconds, at))
    audit_log.record(by, "challenge the machine", level.round, after={"slot": level.slot, "seconds": seconds})


@transaction.atomic
def stop(round_: Round, *, by: Actor) -> None:
    """Stop the attempts of *round_* that wait or run; those of visitors go on."""
    if orders.cancel_searches(of_rounds().filter(level__round=round_)):
        audit_log.record(by, "stop the machine", round_)


def is_waiting_at(round_: Round) -> bool:
    """Return whether an attempt of *round_* waits or runs; no query for a round that the checklist has annotated."""
    known: bool | None = vars(round_).get("has_waiting_attempt")
    return of_rounds().waiting().filter(level__round=round_).exists() if known is None else known


@transaction.atomic
def ask_again(level: Level, asker: Asker, *, at: datetime) -> Search:
    """Queue a visitor's attempt at an open challenge, as long as a question may be. Raise Refused."""
    outcome = next(iter(find_outcomes([level], at)), None)
    if outcome is None or not open_levels(at).filter(pk=level.pk).exists():
        raise Refused(_("This level is no open challenge."), code="not_open", status=403)
    if visibility.is_in_play(level.board, at):
        raise Refused(_("A level much like it is in play."), code="in_play", status=403)
    recent = [one for one in outcome.attempts if one.task == AGAIN and one.asked_at > at - AGAIN_AFTER]
    if recent and not outcome.waiting:
        raise Refused(_("This level was tried today. Ask again tomorrow."), code="quota", status=429)
    attempt = _new_attempt(level, settings.ASKED_SECONDS, at)
    attempt.task = AGAIN
    admit(attempt, asker, at)
    try:
        _save(attempt)
    except ValidationError as error:
        raise Refused(error.messages[0], code="waiting", status=409) from None
    return attempt


def _save(attempt: Search) -> None:
    """Save a new attempt; the database allows one that waits for each level. Raise ValidationError."""
    try:
        with transaction.atomic():
            attempt.save(force_insert=True)
    except IntegrityError:
        raise ValidationError(_("An attempt at this level already waits or runs.")) from None


def of_rounds() -> SearchQuerySet:
    """Return the attempts of rounds, whatever came of them."""
    return Search.objects.filter(kind=SearchKind.MACHINE, task=EVENT).order_by()


def reported(at: datetime) -> QuerySet[Search]:
    """Return the attempts for the feed of events: those of rounds, and every one that decided a level."""
    is_news = Q(task=EVENT) | ~Q(answer=SearchAnswer.UNKNOWN)
    shown = visibility.studied_levels(at).order_by()
    done = Search.objects.filter(is_news, kind=SearchKind.MACHINE, state=SearchState.DONE, level__in=shown)
    return done.select_related("level")


def find_outcomes(levels: Iterable[Level], at: datetime) -> list[Outcome]:
    """Return the outcomes of those *levels* that may be shown and were tried; two queries.

    A study that found nothing had no solution to start from, so it counts as an attempt.
    """
    among = {level.pk: level for level in levels}
    tried: dict[int, list[Search]] = {}
    shown = visibility.studied_levels(at).filter(pk__in=among).order_by()
    failed_study = Q(kind=SearchKind.STUDY, state=SearchState.DONE, answer=SearchAnswer.UNKNOWN)
    listed = Search.objects.filter(Q(kind=SearchKind.MACHINE) | failed_study, level__in=shown)
    listed = listed.exclude(state__in=[SearchState.CANCELLED, SearchState.FAILED])
    for attempt in listed.order_by("-asked_at", "-pk").defer("text", "stretches", "tried"):
        tried.setdefault(attempt.level_id or 0, []).append(attempt)
    humans = _fewest_of_humans(tried) if tried else {}
    return [Outcome(level, tried[pk], humans.get(pk, {})) for pk, level in among.items() if pk in tried]


def _fewest_of_humans(levels: Collection[int]) -> dict[int, dict[str, int]]:
    """Return the fewest moves and pushes that humans have submitted, practice included, by level."""
    rows = Best.objects.filter(level__in=levels, board__in=(Board.CONTEST, Board.PRACTICE), league=League.HUMAN)
    found: dict[int, dict[str, int]] = {}
    for pk, metric, first in rows.order_by().values_list("level", "metric").annotate(Min("first")):
        found.setdefault(pk, {})[metric] = first
    return found


def open_levels(at: datetime) -> QuerySet[Level]:
    """Return the levels that no program here has solved, newest rounds first.

    A finished attempt or study has failed, none has decided the level, and no program has submitted a solution.
    """
    done = Search.objects.filter(level=OuterRef("pk"), state=SearchState.DONE).order_by()
    attempts = done.filter(kind=SearchKind.MACHINE)
    failed = done.filter(kind__in=(SearchKind.MACHINE, SearchKind.STUDY), answer=SearchAnswer.UNKNOWN)
    decided = Q(Exists(attempts.exclude(answer=SearchAnswer.UNKNOWN)))
    decided |= Q(Exists(done.filter(answer=SearchAnswer.UNSOLVABLE, kind=SearchKind.STUDY)))
    by_programs = Best.objects.filter(level=OuterRef("pk"), league=League.BOT).order_by()
    levels = visibility.studied_levels(at).filter(Exists(failed)).exclude(decided).exclude(Exists(by_programs))
    return levels.order_by("-round__number", *by_slot())


def decided_levels(at: datetime) -> QuerySet[Level]:
    """Return the levels that an attempt has solved or proved unsolvable, newest rounds first."""
    attempts = Search.objects.filter(level=OuterRef("pk"), kind=SearchKind.MACHINE, state=SearchState.DONE).order_by()
    decided = Exists(attempts.exclude(answer=SearchAnswer.UNKNOWN))
    return visibility.studied_levels(at).filter(decided).order_by("-round__number", *by_slot())


def find_solution(level: Level, at: datetime) -> dict[str, Any] | None:
    """Return the machine's solution with the fewest moves; None if there is none or moves are not public."""
    if not visibility.may_race(level, at):
        return None
    outcomes = find_outcomes([level], at)
    decided = outcomes[0].decided if outcomes else None
    return decided.best_by(Metric.MOVES) if decided else None


def tidy(old: QuerySet[Search]) -> None:
    """Delete the broken ones of the *old* attempts; of the others, delete which player and network asked."""
    old = old.filter(kind=SearchKind.MACHINE).exclude(state__in=[SearchState.QUEUED, SearchState.RUNNING])
    old.filter(state__in=[SearchState.CANCELLED, SearchState.FAILED], task=AGAIN).delete()
    old.exclude(owner="", network="").update(owner="", network="")
