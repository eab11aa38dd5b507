"""Boards of runs (rule 26.4): of a day and of all time, each with a player's best run of a mode."""

from collections.abc import Collection
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet, Window
from django.db.models.functions import RowNumber

from contest.models import Player, Run

SHOWN = 20


def board(mode: str, day: date | None = None, most: int = SHOWN) -> list[Run]:
    """Return the first rows of a mode's board, each with its `rank`: of *day*, or of all time."""
    rows = list(_bests(mode, day).select_related("player").defer("solutions", "receipt_id").order_by(*Run.KEY)[:most])
    for rank, row in enumerate(rows, 1):
        row.rank = rank  # type: ignore[attr-defined]
    return rows


def leaders(day: date, most: int) -> dict[str, list[Run]]:
    """Return the first *most* rows of each mode's board of *day*, each with its `rank`. One query."""
    in_order = Window(RowNumber(), partition_by="mode", order_by=list(Run.KEY))
    rows = Run.objects.filter(day=day, is_best_of_day=True).annotate(rank=in_order).filter(rank__lte=most)
    found: dict[str, list[Run]] = {}
    for row in rows.select_related("player").defer("solutions", "receipt_id").order_by("mode", "rank"):
        found.setdefault(row.mode, []).append(row)
    return found


def rank(run: Run, day: date | None = None) -> int | None:
    """Return the rank of *run* on the board of *day* or of all time; None if its player has a better run there."""
    if not (run.is_best if day is None else run.is_best_of_day and run.day == day):
        return None
    return 1 + _bests(run.mode, day).filter(_is_ahead(run)).count()


def enter(run: Run) -> None:
    """Mark the best runs of the player again after *run* was stored. The caller holds the lock on the player."""
    _mark(Run.objects.filter(player=run.player_id, mode=run.mode), "is_best")
    _mark(Run.objects.filter(player=run.player_id, mode=run.mode, day=run.day), "is_best_of_day")


@transaction.atomic
def give(source: Player, target: Player, sent_as: Collection[int] | None = None) -> None:
    """Move runs of *source*, all or those sent under some names, to *target* and mark both again (rule 4.13).

    The caller holds the locks on both players.
    """
    rows = Run.objects.filter(player=source)
    if sent_as is not None:
        rows = rows.filter(sent_as__in=sent_as)
    given = set(rows.order_by().values_list("mode", "day"))
    rows.update(player=target, is_best=False, is_best_of_day=False)
    for player in (source, target):
        for mode in {mode for mode, _day in given}:
            _mark(Run.objects.filter(player=player, mode=mode), "is_best")
        for mode, day in given:
            _mark(Run.objects.filter(player=player, mode=mode, day=day), "is_best_of_day")


def _bests(mode: str, day: date | None) -> QuerySet[Run]:
    if day is None:
        return Run.objects.filter(mode=mode, is_best=True)
    return Run.objects.filter(mode=mode, day=day, is_best_of_day=True)


def _is_ahead(run: Run) -> Q:
    condition, equal = Q(), dict[str, Any]()
    for column in Run.KEY:
        name, side = column.lstrip("-"), "gt" if column.startswith("-") else "lt"
        condition |= Q(**equal, **{f"{name}__{side}": getattr(run, name)})
        equal[name] = getattr(run, name)
    return condition


def _mark(runs: QuerySet[Run], mark: str) -> None:
    best = list(runs.filter(is_ranked=True).order_by(*Run.KEY).values_list("pk", flat=True)[:1])
    runs.filter(**{mark: True}).exclude(pk__in=best).update(**{mark: False})
    runs.filter(pk__in=best, **{mark: False}).update(**{mark: True})
