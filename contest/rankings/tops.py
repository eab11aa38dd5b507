"""The first rows of the contest's rankings of several levels, read together."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import OuterRef, Subquery

from contest.infra.cache import remember
from contest.models import Best, Board, Level, Metric
from contest.rankings.pareto import EVERYONE
from contest.rankings.standings import Row, default_league, front_numbers


def top_rows(levels: Iterable[Level], most: int) -> dict[tuple[int, str], list[Row]]:
    """Return the first *most* rows of both contest rankings of each of *levels*, by level and metric, without fronts.

    One query, and none while no board changes.
    """
    ranked_levels = [level for level in levels if not level.voided_at]
    versions = [(level.pk, level.board_version, default_league(level.round)) for level in ranked_levels]
    return remember(("tops", most, versions), lambda: _tops(ranked_levels, most))


def _tops(levels: Sequence[Level], most: int) -> dict[tuple[int, str], list[Row]]:
    leagues = {level.pk: default_league(level.round) for level in levels}
    rows = [
        Level.objects.filter(pk__in=[pk for pk, level_league in leagues.items() if level_league == league])
        .order_by()
        .values_list(row)
        for league in sorted(set(leagues.values()))
        for metric in Metric.values
        for row in (row_at(place, metric, league=league) for place in range(most))
    ]
    tops: dict[tuple[int, str], list[Row]] = {}
    bests = Best.objects.filter(pk__in=rows[0].union(*rows[1:])) if rows else Best.objects.none()
    for best in bests.select_related("player").order_by(*Best.KEY):
        above = tops.setdefault((best.level_id, best.metric), [])
        columns = best.player.for_keeping(), best.moves, best.pushes, best.received_at, best.submission_id
        above.append(Row(len(above) + 1, *columns, pareto=False))
    return tops


def row_at(place: int, metric: str, board: str = Board.CONTEST, *, league: str = EVERYONE) -> Subquery:
    """Return a subquery for the key of row *place*, from 0, of a ranking of the outer level, by its index."""
    rows = Best.objects.filter(level=OuterRef("pk"), board=board, metric=metric)
    rows = rows if league == EVERYONE else rows.filter(league=league)
    return Subquery(rows.order_by(*Best.KEY).values("pk")[place : place + 1])


def first_rows(level: Level, metric: str, most: int) -> list[Row]:
    """Return the first *most* rows of a contest ranking of *level*: the `top_rows`, with their front."""
    front = front_numbers(level, default_league(level.round), Board.CONTEST)
    rows = top_rows([level], most).get((level.pk, metric), [])
    return [replace(row, pareto=row.number in front) for row in rows]
