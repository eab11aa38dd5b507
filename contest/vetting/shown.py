"""After the reveal: what the program found on a level, for everybody (rules 3.10, 7.3).

A study is made for this alone, from what was entered and from nothing that vetting has stored: a better bound that
came with another look at the same board would tell that the board is wanted again (rule 7.4).
"""

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
    """One count of a level: the fewest known, whose it is, what is proved, and what the program can do better."""

    metric: Metric
    entered: int | None
    least: int
    found: dict[str, int] | None

    @property
    def improvement(self) -> dict[str, int] | None:
        """The program's solution where it is better than all that were entered."""
        if self.found is None or (self.entered is not None and self.found[self.metric] >= self.entered):
            return None
        return self.found

    @property
    def best(self) -> int | None:
        """The fewest known, entered or the program's."""
        return self.improvement[self.metric] if self.improvement else self.entered

    @property
    def is_optimal(self) -> bool:
        """Whether no solution has fewer than the best known, as was proved."""
        return self.best is not None and self.best == self.least


@dataclass(frozen=True)
class Facts:
    """What the page of a level says besides its standings."""

    by_moves: Fact
    by_pushes: Fact
    band: int | None

    @property
    def both(self) -> tuple[Fact, Fact]:
        return self.by_moves, self.by_pushes


def _studies(at: datetime) -> QuerySet[Search]:
    """The studies that everybody may see at *at*."""
    done = Search.objects.filter(kind=SearchKind.STUDY, state=SearchState.DONE)
    return done.filter(level__in=visibility.studied_levels(at).order_by())


# What of a study a level's page shows: counts, never the moves, which may be many.
_COUNTS = ("moves", "pushes")
_SHOWN = ("pk", "least_moves", "least_pushes", "band")


def with_study(levels: QuerySet[Level], at: datetime) -> QuerySet[Level]:
    """Each with what `facts` says of it, in the same query: the page of a level asks often enough."""
    study = _studies(at).filter(level=OuterRef("pk")).order_by()
    shown: dict[str, Any] = {f"study_{name}": Subquery(study.values(name)[:1]) for name in _SHOWN}
    for best in _COUNTS:
        for count in _COUNTS:
            found = study.annotate(found_count=KT(f"found__{best}__{count}")).values("found_count")[:1]
            shown[f"study_{best}_{count}"] = Subquery(found)
    return levels.annotate(**shown)


def facts(level: Level, at: datetime, entered: dict[str, int] | None = None) -> Facts | None:
    """What the program found on *level*; None where nothing may be said of it, or nothing is known yet.

    *entered* are the fewest moves and pushes that anybody entered, where they are known already. A level that is one of
    those `with_study` needs no query more.
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


def _best_counts(known: Any, metric: Metric) -> dict[str, int] | None:
    """The counts of the best solution by *metric* that the program found."""
    counts = {count: getattr(known, f"study_{metric}_{count}") for count in _COUNTS}
    return None if None in counts.values() else {name: int(count) for name, count in counts.items()}


def improvement(level: Level, metric: Metric, at: datetime) -> dict[str, Any] | None:
    """The program's solution, to watch; None where there is none, or none that everybody may see."""
    known = facts(level, at)
    fact = known and (known.by_moves if metric == Metric.MOVES else known.by_pushes)
    study = _studies(at).filter(level=level).first() if fact and fact.improvement else None
    return study.best_by(metric) if study else None


def _fewest_entered(level: Level) -> dict[str, int]:
    """The fewest moves and pushes that anybody entered, practice too."""
    rows = Best.objects.filter(level=level, board__in=(Board.CONTEST, Board.PRACTICE)).order_by()
    return dict(rows.values_list("metric").annotate(Min("first")))


def solutions_to_better(level: Level, at: datetime) -> dict[str, str] | None:
    """The best solutions entered, by each count; none where solutions stay hidden. None: nothing may be said by now."""
    if not visibility.studied_levels(at).filter(pk=level.pk).exists():
        return None
    if not visibility.are_solutions_public(level.round, at):
        return {}
    open_ = Submission.objects.accepted().filter(level=level, voided_at=None, is_unpublished=False).exclude(lurd="")
    best = {name.value: open_.order_by(*key).values_list("lurd", flat=True).first() for name, key in KEYS.items()}
    return {name: lurd for name, lurd in best.items() if lurd}


def order_studies(at: datetime) -> int:
    """Have levels studied that were revealed, the newest first, a few at a time; return how many were ordered."""
    if not settings.STUDY_SECONDS:
        return 0
    room = MOST_WAITING - Search.objects.filter(kind=SearchKind.STUDY).waiting().count()
    ordered = [_study(level, at) for level in _unstudied_levels(at)[: max(room, 0)]]
    return len(Search.objects.bulk_create(ordered, ignore_conflicts=True))


def _unstudied_levels(at: datetime) -> QuerySet[Level]:
    known = Search.objects.filter(kind=SearchKind.STUDY, level=OuterRef("pk")).order_by()
    return visibility.studied_levels(at).exclude(Exists(known)).order_by(F("round__closes_at").desc(), "pk")


def _study(level: Level, at: datetime) -> Search:
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
