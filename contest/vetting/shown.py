"""Public facts about revealed levels that the program found (rules 3.10, 7.3).

A study is made only for this, from submitted solutions and never from vetting results: a better bound from another
vetting of the same board would reveal plans to use the board again (rule 7.4).
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Exists, F, Min, OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KT

from contest import visibility
from contest.models import URGENCY, Best, Board, Level, Metric, Search, SearchKind, SearchState, Submission
from contest.rankings.sort_keys import KEYS

MOST_WAITING = 10


@dataclass(frozen=True)
class Fact:
    """One count of a level: the fewest submitted, the proved bound, and the program's solution."""

    metric: Metric
    entered: int | None
    least: int
    found: dict[str, int] | None

    @property
    def improvement(self) -> dict[str, int] | None:
        """Return the program's solution if it is better than all submitted ones."""
        if self.found is None or (self.entered is not None and self.found[self.metric] >= self.entered):
            return None
        return self.found

    @property
    def best(self) -> int | None:
        """Return the fewest known, submitted or the program's."""
        return self.improvement[self.metric] if self.improvement else self.entered

    @property
    def is_optimal(self) -> bool:
        """Return whether the best known count is proved optimal."""
        return self.best is not None and self.best == self.least


@dataclass(frozen=True)
class Facts:
    """Facts on a level's page in addition to its standings."""

    by_moves: Fact
    by_pushes: Fact
    band: int | None

    @property
    def both(self) -> tuple[Fact, Fact]:
        return self.by_moves, self.by_pushes


def _public_studies(at: datetime) -> QuerySet[Search]:
    """Return the studies that are public at *at*."""
    done = Search.objects.filter(kind=SearchKind.STUDY, state=SearchState.DONE)
    return done.filter(level__in=visibility.studied_levels(at).order_by())


# Columns of a study on a level's page: counts, but not the moves, which may be long.
_COUNTS = ("moves", "pushes")
_SHOWN = ("pk", "least_moves", "least_pushes", "band")


def with_study(levels: QuerySet[Level], at: datetime) -> QuerySet[Level]:
    """Annotate levels with the values that `get_facts` needs, which saves a query on each level's page."""
    study = _public_studies(at).filter(level=OuterRef("pk")).order_by()
    shown: dict[str, Any] = {f"study_{name}": Subquery(study.values(name)[:1]) for name in _SHOWN}
    for best in _COUNTS:
        for count in _COUNTS:
            found = study.annotate(found_count=KT(f"found__{best}__{count}")).values("found_count")[:1]
            shown[f"study_{best}_{count}"] = Subquery(found)
    return levels.annotate(**shown)


def get_facts(level: Level, at: datetime, entered: dict[str, int] | None = None) -> Facts | None:
    """Return the program's facts about *level*; None if they are not public or not known yet.

    *entered* are the fewest moves and pushes submitted, if the caller knows them. A level from `with_study` needs no
    further query.
    """
    known: Any = level if hasattr(level, "study_pk") else with_study(Level.objects.filter(pk=level.pk), at).get()
    if known.study_pk is None:
        return None
    may_see = visibility.are_solutions_public(level.round, at)
    entered = _fewest_entered(level) if entered is None else entered
    by_moves, by_pushes = (
        Fact(
            metric,
            entered.get(metric),
            getattr(known, f"study_least_{metric}"),
            _best_counts(known, metric) if may_see else None,
        )
        for metric in (Metric.MOVES, Metric.PUSHES)
    )
    return Facts(by_moves, by_pushes, known.study_band)


def get_bounds(level: Level, at: datetime, least_pushes: int | None) -> dict[str, int]:
    """Return the fewest moves and pushes that a solution can have, as far as that is proved and public.

    *least_pushes* is the bound that needs no study.
    """
    facts = get_facts(level, at, {}) if visibility.is_revealed(level.round, at) else None
    pushes = max(least_pushes or 0, facts.by_pushes.least if facts else 0)
    return {Metric.MOVES.value: max(pushes, facts.by_moves.least if facts else 0), Metric.PUSHES.value: pushes}


def _best_counts(known: Any, metric: Metric) -> dict[str, int] | None:
    """Return the counts of the program's best solution by *metric*."""
    counts = {count: getattr(known, f"study_{metric}_{count}") for count in _COUNTS}
    return None if None in counts.values() else {name: int(count) for name, count in counts.items()}


def find_improvement(level: Level, metric: Metric, at: datetime) -> dict[str, Any] | None:
    """Return the program's better solution for a replay; None if there is none or it is not public.

    None, too, while a near copy of the level is in play: moves help with it, other than bounds (rule 20.4).
    """
    known = get_facts(level, at) if visibility.may_race(level, at) else None
    fact = known and (known.by_moves if metric == Metric.MOVES else known.by_pushes)
    study = _public_studies(at).filter(level=level).first() if fact and fact.improvement else None
    return study.best_by(metric) if study else None


def _fewest_entered(level: Level) -> dict[str, int]:
    """Return the fewest moves and pushes submitted, practice included."""
    rows = Best.objects.filter(level=level, board__in=(Board.CONTEST, Board.PRACTICE)).order_by()
    return dict(rows.values_list("metric").annotate(Min("first")))


def solutions_to_improve(level: Level, at: datetime) -> dict[str, str] | None:
    """Return the best submitted solutions by each count; empty if they are hidden; None if nothing may be shown."""
    if not visibility.studied_levels(at).filter(pk=level.pk).exists():
        return None
    return {name: submission.lurd for name, submission in best_solutions(level, at).items()}


def best_solutions(level: Level, at: datetime) -> dict[str, Submission]:
    """Return the best submitted solutions by each count, practice included; empty while they are hidden."""
    if not visibility.are_solutions_public(level.round, at):
        return {}
    open_ = Submission.objects.accepted().filter(level=level, voided_at=None, is_unpublished=False).exclude(lurd="")
    best = {name.value: open_.select_related("player").order_by(*key).first() for name, key in KEYS.items()}
    return {name: submission for name, submission in best.items() if submission}


def queue_studies(at: datetime) -> int:
    """Queue studies of revealed levels, newest first, a few at a time; return how many."""
    if not settings.STUDY_SECONDS:
        return 0
    room = MOST_WAITING - Search.objects.filter(kind=SearchKind.STUDY).waiting().count()
    ordered = [_new_study(level, at) for level in _unstudied_levels(at)[: max(room, 0)]]
    return len(Search.objects.bulk_create(ordered, ignore_conflicts=True))


def _unstudied_levels(at: datetime) -> QuerySet[Level]:
    known = Search.objects.filter(kind=SearchKind.STUDY, level=OuterRef("pk")).order_by()
    return visibility.studied_levels(at).exclude(Exists(known)).order_by(F("round__closes_at").desc(), "pk")


def _new_study(level: Level, at: datetime) -> Search:
    return Search(
        kind=SearchKind.STUDY,
        urgency=URGENCY[SearchKind.STUDY],
        text=level.text,
        sha256=level.sha256,
        level=level,
        seconds=settings.STUDY_SECONDS,
        megabytes=settings.SOLVER_MEGABYTES,
        asked_at=at,
    )


def program_solutions(levels: Collection[Level], at: datetime) -> Iterator[tuple[Level, str]]:
    """Yield the program's public solutions of *levels*, each with its level."""
    for level in levels:
        if visibility.are_solutions_public(level.round, at):
            for found in _public_studies(at).filter(level=level).values_list("found", flat=True):
                yield from ((level, solution["lurd"]) for solution in found.values())
