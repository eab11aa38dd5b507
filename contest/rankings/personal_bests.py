"""Each player's best on each board of a level (rule 8.4): updated with each verdict, recounted after a ruling."""

from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q

from contest.models import Best, Board, Level, Placing, Player, Submission, Verdict
from contest.models.submission import SubmissionQuerySet

# Columns of a submission that `entering` needs.
COLUMNS = (
    "number", "level_id", "round_id", "player_id", "verdict", "moves", "pushes", "received_at",
    "is_practice", "is_hors_concours", "voided_at",
)  # fmt: skip

_AT_ONCE = 500  # submissions that one statement enters

# Those of them that best rows store.
_KEYED = ("number", "level_id", "player_id", "moves", "pushes", "received_at")

# All counted results by both metrics, with the columns of Best.KEY; per player and board the best of them.
_RANKED = """
    SELECT level_id, board, player_id, metric, number, league, "first", "second", received_at FROM (
        SELECT keyed.*, ROW_NUMBER() OVER (
            PARTITION BY level_id, board, player_id, metric ORDER BY "first", "second", received_at, number
        ) AS place FROM (
            SELECT counted.board, metric, number, level_id, player_id, received_at, player.league,
                CASE metric WHEN 'moves' THEN moves ELSE pushes END AS "first",
                CASE metric WHEN 'moves' THEN pushes ELSE moves END AS "second"
            FROM ({counted}) AS counted
            JOIN contest_player AS player ON player.id = counted.player_id
            CROSS JOIN (SELECT 'moves' AS metric UNION ALL SELECT 'pushes') AS metrics
        ) AS keyed
    ) AS ranked WHERE place = 1
"""
# Upserted where it is better than the stored row. An equal result sent later is never better.
_ENTER = """
    INSERT INTO contest_best (level_id, board, player_id, metric, submission_id, league, "first", "second", received_at)
    {ranked}
    ON CONFLICT (level_id, board, player_id, metric) DO UPDATE SET
        submission_id = excluded.submission_id, league = excluded.league,
        "first" = excluded."first", "second" = excluded."second", received_at = excluded.received_at
    WHERE (excluded."first", excluded."second", excluded.received_at, excluded.submission_id)
        < (contest_best."first", contest_best."second", contest_best.received_at, contest_best.submission_id)
"""


@cache
def entering() -> tuple[str, tuple[Any, ...]]:
    """Return the statement that enters submissions into their boards, and its parameters.

    It must follow WITH contest_submission AS (...), which holds those submissions with their COLUMNS. The caller
    holds the locks on their levels.
    """
    ranked, values = _ranked()
    return _ENTER.format(ranked=ranked), values


def read(submissions: str, values: Collection[object]) -> list[Best]:
    """Return the best rows that *submissions* would have alone, without writing them.

    *submissions* is a CTE as above, and *values* are its parameters.
    """
    ranked, more = _ranked()
    sql = f"WITH {submissions} SELECT rows.*, number AS id, number AS submission_id FROM ({ranked}) AS rows"  # noqa: S608 - our own words
    return list(Best.objects.raw(sql, [*values, *more]))


def in_order(bests: Iterable[Best]) -> list[Best]:
    """Return the rows of one board in the order of its ranking (rule 8.4)."""
    return sorted(bests, key=lambda best: tuple(getattr(best, name) for name in Best.KEY))


@cache
def _ranked() -> tuple[str, tuple[Any, ...]]:
    counted: list[str] = []
    values: list[Any] = []
    for board, rows in _counted_on(Submission.objects.all()):
        # All columns needed are read here, once: a join to the conditions would compare each row with each.
        sent, more = rows.order_by().values(*_KEYED).query.sql_with_params()
        counted.append(f"SELECT {board.value}.*, '{board.value}' AS board FROM ({sent}) AS {board.value}")  # noqa: S608 - our own words
        values += more
    return _RANKED.format(counted=" UNION ALL ".join(counted)), tuple(values)


def shadow(condition: str) -> str:
    """Return the CTE, without WITH, of submissions that have their verdicts already."""
    # In SQLite the inner name would refer to the CTE itself.
    real = "main.contest_submission" if connection.vendor == "sqlite" else "contest_submission"
    return f"contest_submission AS (SELECT {', '.join(COLUMNS)} FROM {real} WHERE {condition})"  # noqa: S608 - our own words


def enter(numbers: Collection[int]) -> None:
    """Enter these judged submissions into their boards if they count. The caller holds the locks on their levels."""
    if not numbers:
        return
    statement, values = entering()
    wanted = shadow(f"number IN ({', '.join(str(int(number)) for number in numbers)})")
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {wanted} {statement}", values)


def _counted_on(judged: SubmissionQuerySet) -> Iterable[tuple[Board, SubmissionQuerySet]]:
    """Yield each board with those of *judged* that it takes (rules 1.7, 13.5, 20.1)."""
    yield Board.CONTEST, judged.counted()
    yield Board.SPECTATOR, judged.counted(Verdict.SPECTATOR)
    yield Board.PRACTICE, judged.practised()


def remove_spectators(numbers: Collection[int]) -> None:
    """Rule 13.6: remove solvers of the level from its spectator board, in whatever order *numbers* were judged."""
    solved = Best.objects.filter(board=Board.CONTEST, level=OuterRef("level"), player=OuterRef("player"))
    judged = Submission.objects.filter(pk__in=numbers, level=OuterRef("level"), player=OuterRef("player"))
    Best.objects.filter(Exists(solved), Exists(judged), board=Board.SPECTATOR).delete()


@transaction.atomic
def refresh_display(player: Player) -> None:
    """Raise the version of every board with lists that name *player*, because their display has changed.

    The list of submissions also names players who are on no board because of voided results.
    """
    levels = Level.objects.filter(
        Q(pk__in=Best.objects.filter(player=player).values("level"))
        | Q(pk__in=Submission.objects.of(player).exclude(level=None).values("level"))
        | Q(round__in=Placing.objects.filter(player=player).values("round"))
    )
    # The same lock order as everywhere that boards are written.
    held = list(levels.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    Level.objects.filter(pk__in=held).update(board_version=F("board_version") + 1)


@transaction.atomic
def recount(levels: Iterable[Level | None], players: Iterable[Player]) -> None:
    """Recompute the best rows of *players* on *levels* from what counts (rule 1.7), and raise the boards' versions."""
    keys = [level.pk for level in levels if level]
    # Lock the levels before writing to their boards, as the judge does, to avoid deadlocks.
    list(Level.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk").values_list("pk"))
    Level.objects.filter(pk__in=keys).update(board_version=F("board_version") + 1)
    chosen = {"level__in": keys, "player__in": [player.pk for player in players]}
    Best.objects.filter(**chosen).delete()
    sent = list(Submission.objects.filter(**chosen).values_list("pk", flat=True))
    for start in range(0, len(sent), _AT_ONCE):
        enter(sent[start : start + _AT_ONCE])
        remove_spectators(sent[start : start + _AT_ONCE])


def own_bests(levels: Iterable[Level], players: Collection[int]) -> dict[tuple[int, str], Best]:
    """Return the best contest result of *players* together, by level and metric. One query, none without players."""
    if not players:
        return {}
    rows = Best.objects.filter(level__in=list(levels), player__in=players, board=Board.CONTEST)
    bests: dict[tuple[int, str], Best] = {}
    for best in rows.select_related("player").order_by(*Best.KEY):
        bests.setdefault((best.level_id, best.metric), best)
    return bests
