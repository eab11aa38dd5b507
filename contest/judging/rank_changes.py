"""Compute how a rejudging would change the ranks, from rows that are only read (rule 6.13)."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from django.db import connection

from contest.judging.rewriting import levels_of
from contest.models import Best, Board, Level, Metric, Player, Rejudged, Rejudging
from contest.rankings import personal_bests, standings
from contest.rankings.pareto import EVERYONE

# The submissions of all players whose verdicts change, with the new verdicts. A JSON value is cast, as text.
_REJUDGED = """
    contest_submission AS (
        SELECT number, round_id, player_id, received_at, is_practice, is_hors_concours, voided_at,
            {columns}
        FROM {real} AS sent
        LEFT JOIN contest_rejudged AS row ON row.submission_id = number AND row.rejudging_id = %s AND row.differs
        WHERE player_id IN (
            SELECT player_id FROM {real} AS changed JOIN contest_rejudged AS row ON row.submission_id = changed.number
            WHERE row.rejudging_id = %s AND row.differs
        )
    )
"""
_COLUMNS = {"level_id": ("level", "bigint"), "verdict": ("verdict", "text"), "moves": ("moves", "integer"),
            "pushes": ("pushes", "integer")}  # fmt: skip


@dataclass(frozen=True)
class Move:
    """A change of a player's rank on a board; None is "not ranked"."""

    level: Level
    metric: Metric
    player: Player
    before: int | None
    after: int | None


def find(rejudging: Rejudging, changed: Collection[Rejudged]) -> Iterator[Move]:
    """Yield the changes of ranks on the boards shown by default; *changed* are the rows that differ."""
    if not changed:
        return
    new_bests = _new_bests(rejudging)
    rejudged = {row.submission.player_id for row in changed}
    players = {row.submission.player_id: row.submission.player for row in changed}
    for level, metric in product(levels_of(changed).filter(voided_at=None).select_related("round"), Metric):
        rows = standings.standings(level, metric, limit=1_000_000)
        players.update({row.player.pk: row.player for row in rows})
        before = {row.player.pk: row.rank for row in rows}
        league = standings.default_league(level.round)
        new = [best for best in new_bests.get((level.pk, metric), ()) if league in (EVERYONE, best.league)]
        kept = Best.objects.filter(level=level, metric=metric, board=Board.CONTEST, player__in=before.keys() - rejudged)
        ranked = personal_bests.in_order([*kept, *new])
        after = {best.player_id: rank for rank, best in enumerate(ranked, 1)}
        yield from _moves(level, metric, (before, after), players)


def _new_bests(rejudging: Rejudging) -> dict[tuple[int, str], list[Best]]:
    """Return the best rows that the players of *rejudging* would have in the contest, by level and metric."""
    real = "main.contest_submission" if connection.vendor == "sqlite" else "contest_submission"
    columns = ", ".join(
        f"CASE WHEN row.id IS NULL THEN sent.{column} ELSE CAST(row.after ->> '{name}' AS {kind}) END AS {column}"
        for column, (name, kind) in _COLUMNS.items()
    )
    sql = _REJUDGED.format(real=real, columns=columns)
    found: dict[tuple[int, str], list[Best]] = {}
    for best in personal_bests.read(sql, [rejudging.pk, rejudging.pk]):
        if best.board == Board.CONTEST:
            found.setdefault((best.level_id, best.metric), []).append(best)
    return found


def _moves(
    level: Level,
    metric: Metric,
    ranks: tuple[Mapping[int, int], Mapping[int, int]],
    players: Mapping[int, Player],
) -> Iterator[Move]:
    before, after = ranks
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) != after.get(key):
            yield Move(level, metric, players[key], before.get(key), after.get(key))
