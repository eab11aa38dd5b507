"""Boards of runs (rule 26.4): of a day and of all time, each with a player's best run of a mode."""

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
def give(rows: QuerySet[Run], target: Player) -> int:
    """Move runs of a player to *target* and mark both again (rule 4.13); return how many.

    The caller holds the locks on both players.
    """
    given = list(rows.values_list("pk", "player", "mode", "day"))
    Run.objects.filter(pk__in=[pk for pk, *_rest in given]).update(player=target, is_best=False, is_best_of_day=False)
    for player in {target.pk, *(player for _pk, player, *_rest in given)}:
        for mode in {mode for *_rest, mode, _day in given}:
            _mark(Run.objects.filter(player=player, mode=mode), "is_best")
        for mode, day in {(mode, day) for *_rest, mode, day in given}:
            _mark(Run.objects.filter(player=player, mode=mode, day=day), "is_best_of_day")
    return len(given)


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
