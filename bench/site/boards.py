"""Boards of a thousand to a million players on PostgreSQL: wall time of pages and ranks, compared with the smallest."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

from bench.figures import Figure
from bench.site import services

SIZES = (1_000, 10_000, 100_000, 1_000_000)
RUNS = 15
PAGE = 200

# Each player needs 200 to 1,200 moves and 50 to 350 pushes; fewer of one mostly means more of the other.
PLAYERS = """
    INSERT INTO contest_player (
        nickname, name_key, look_key, country, email, league, claim_sha256, is_imported, created_at, archive_number
    )
    SELECT 'bench ' || n, 'bench ' || n, 'bench ' || n, '', '', 'human', '', false, now(), n
    FROM generate_series(1, %s) n
"""
SUBMISSIONS = """
    INSERT INTO contest_submission (
        receipt_id, round_id, player_id, sent_as_id, slot_named, text, sha256, door, reader, received_at, is_imported,
        is_practice, is_hors_concours, state, attempts, verdict, level_id, lurd, moves, pushes, cut, case_corrected,
        why, why_values, judged_at, void_reason_zh, void_reason_en, void_note, is_unpublished, cost
    )
    SELECT
        %(level)s || ' ' || n, %(round)s, id, id, '', '', md5(%(level)s || ' ' || n), 'api', 'rle', at, false,
        false, false, 'judged', 1, 'accepted', %(level)s, '', moves, 50 + (1200 - moves) / 4 + n %% 50, 0, false, '',
        '{}', at, '', '', '', false, 0
    FROM (
        SELECT n, id, now() - n * interval '1 second' AS at, 200 + (n * 7919::bigint) %% 1001 AS moves
        FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM contest_player LIMIT %(size)s) AS numbered
    ) AS drawn
"""
BESTS = """
    INSERT INTO contest_best (level_id, board, league, metric, player_id, submission_id, first, second, received_at)
    SELECT
        level_id, 'contest', 'human', metric, player_id, number, CASE metric WHEN 'moves' THEN moves ELSE pushes END,
        CASE metric WHEN 'moves' THEN pushes ELSE moves END, received_at
    FROM contest_submission, unnest(ARRAY['moves', 'pushes']) AS metric WHERE level_id = %s
"""


def measure() -> Iterator[Figure]:
    """Yield the wall time of the queries for a reader of a board."""
    with services.start_services() as started:
        started.become("boards")
        yield from _measure()


def _measure() -> Iterator[Figure]:
    from contest.models import Best, Level, Metric
    from contest.rankings import standings

    smallest: dict[str, float] = {}
    for size, number in _fill():
        level = Level.objects.select_related("round").get(pk=number)
        ranked = Best.objects.filter(level=level, metric=Metric.MOVES).order_by(*Best.KEY).select_related("player")
        middle, last = ranked[size // 2].player, ranked.reverse()[0].player
        begin = time.perf_counter()
        standings.standings(level, Metric.MOVES, limit=PAGE)
        yield Figure(f"{size:>9,} players: front and first page, board just changed", _since(begin), "ms")
        acts: dict[str, Callable[[], object]] = {
            "first page": partial(standings.standings, level, Metric.MOVES, limit=PAGE),
            "middle page": partial(standings.standings, level, Metric.MOVES, start=size // 2, limit=PAGE),
            "count": partial(standings.count, level, Metric.MOVES),
            "rank of the middle player": partial(standings.rank_of, level, Metric.MOVES, middle),
            "rank of the last player": partial(standings.rank_of, level, Metric.MOVES, last),
        }
        for what, act in acts.items():
            taken = _median(act)
            base = smallest.setdefault(what, taken)
            yield Figure(f"{size:>9,} players: {what}", taken, "ms", *_judge(what, size, taken, base))


def _judge(what: str, size: int, taken: float, base: float) -> tuple[str, float | None, str, bool | None]:
    baseline = (f"{SIZES[0]:,} players", base) if size > SIZES[0] else ("", None)
    if size == SIZES[-1] and what == "first page":
        return *baseline, "at most 2", taken <= 2 * base
    if size == SIZES[-1] and what.startswith("rank"):
        return *baseline, "within 100 ms", taken <= 100
    return *baseline, "", None


def _fill() -> Iterator[tuple[int, int]]:
    """Create a round for each size, and yield the size with the primary key of its level."""
    from django.core.management import call_command
    from django.db import connection

    from bench.site.filling.seeding import seed_ours
    from contest.models import Level

    call_command("migrate", verbosity=0, interactive=False)
    with connection.cursor() as cursor:
        cursor.execute(PLAYERS, [SIZES[-1]])
        for place, size in enumerate(SIZES, 1):
            seed_ours(place)
            level = Level.objects.get(round__number=place)
            cursor.execute(SUBMISSIONS, {"level": level.pk, "round": level.round_id, "size": size})
            cursor.execute(BESTS, [level.pk])
            cursor.execute("VACUUM (ANALYZE) contest_submission, contest_best, contest_player")
            yield size, level.pk


def _median(act: Callable[[], object]) -> float:
    act()
    taken = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        act()
        taken.append(_since(begin))
    return median(taken)


def _since(begin: float) -> float:
    return (time.perf_counter() - begin) * 1e3
