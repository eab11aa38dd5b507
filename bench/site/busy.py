"""A round with 100,000 submissions of 1,000 players on PostgreSQL and Redis: wall time of its pages in one process."""

import time
from collections.abc import Iterator
from datetime import timedelta
from statistics import median
from typing import Any

from bench.figures import Figure
from bench.site import services

PLAYERS, SENT = 1_000, 100_000
RUNS = 9
# Limits in milliseconds: a page for later readers, and a page for the first reader after a change.
LATER, FIRST = 80, 1_000

CROWD = """
    INSERT INTO contest_player (
        nickname, name_key, look_key, country, email, league, claim_sha256, is_imported, created_at, archive_number
    )
    SELECT
        'busy ' || n, 'busy ' || n, 'busy ' || n, (ARRAY['cn', 'tw', 'jp', 'nl', 'de', 'us', ''])[1 + n %% 7], '',
        CASE WHEN n %% 50 = 0 THEN 'bot' ELSE 'human' END, '', false, now(), n
    FROM generate_series(1, %s) n
"""
# Players improve over time: from up to 1,200 moves at the beginning to 200 at the end; pushes vary independently.
SUBMISSIONS = """
    INSERT INTO contest_submission (
        receipt_id, round_id, player_id, sent_as_id, slot_named, text, sha256, door, reader, received_at, is_imported,
        is_practice, is_hors_concours, state, attempts, verdict, level_id, lurd, moves, pushes, cut, case_corrected,
        why, why_values, judged_at, void_reason_zh, void_reason_en, void_note, is_unpublished, cost
    )
    SELECT
        'busy ' || n, %(round)s, id, id, '', '', md5('busy ' || n), 'api', 'rle', at, false,
        false, false, 'judged', 1, 'accepted', %(level)s, %(lurd)s,
        200 + (n * 7919::bigint) %% 1001 * (%(sent)s - n / 2) / %(sent)s, 50 + (n * 104729::bigint) %% 301, 0, false,
        '', '{}', at, '', '', '', false, 0
    FROM (
        SELECT n, id, now() - (%(sent)s - n) * interval '15 seconds' AS at
        FROM generate_series(1, %(sent)s) n
        JOIN (SELECT id, row_number() OVER (ORDER BY id) AS place FROM contest_player) AS numbered
            ON place = 1 + (n * 31::bigint) %% %(players)s
    ) AS drawn
"""
BESTS = """
    INSERT INTO contest_best (level_id, board, league, metric, player_id, submission_id, first, second, received_at)
    SELECT DISTINCT ON (player_id, metric)
        level_id, 'contest', league, metric, player_id, number, first, second, received_at
    FROM (
        SELECT
            submission.*, league, metric, CASE metric WHEN 'moves' THEN moves ELSE pushes END AS first,
            CASE metric WHEN 'moves' THEN pushes ELSE moves END AS second
        FROM contest_submission submission
        JOIN contest_player player ON player.id = player_id, unnest(ARRAY['moves', 'pushes']) AS metric
    ) AS drawn
    ORDER BY player_id, metric, first, second, received_at, number
"""


def measure() -> Iterator[Figure]:
    """Yield the time of each page for its first reader after a change, and for later readers."""
    with services.start_services() as started:
        started.become("busy")
        player = fill()
        for address in _open_pages(player):
            yield from _read(address)
        _close()
        for address in _closed_pages():
            yield from _read(address)


def _open_pages(player: Any) -> list[str]:
    return [
        "/en/",
        "/en/rounds/1/",
        "/en/rounds/1/main/",
        "/en/rounds/1/main/moves/",
        "/en/rounds/1/main/pareto/",
        "/en/rounds/1/submissions/",
        "/en/rounds/1/submissions/?page=900",
        "/en/rounds/1/stats/",
        "/en/stats/",
        "/en/records/",
        f"/en/players/{player.pk}-{player.slug}/",
        "/rounds/1/main/numbers.json",
        "/en/screen/1/",
    ]


def _closed_pages() -> list[str]:
    return [
        "/en/rounds/1/main/",
        "/en/rounds/1/results/",
        "/en/rounds/1/replays/",
        "/rounds/1/main/numbers.json?practice=1",
    ]


def fill() -> Any:
    """Create the round and return one of its players."""
    from django.core.management import call_command
    from django.db import connection

    from bench.games import pushing_game
    from bench.site.filling.seeding import BOXES, MOVES, SIDE, seed_ours
    from contest.models import Level, Player, Round

    call_command("migrate", verbosity=0, interactive=False)
    seed_ours()
    round_ = Round.objects.get()
    Round.objects.update(
        opens_at=round_.opens_at - timedelta(days=20), announced_at=round_.opens_at - timedelta(days=21)
    )
    level = Level.objects.get()
    _level, lurd = pushing_game(SIDE, BOXES, MOVES)
    parameters: dict[str, str | int] = {
        "level": level.pk,
        "round": level.round_id,
        "players": PLAYERS,
        "sent": SENT,
        "lurd": lurd,
    }
    with connection.cursor() as cursor:
        cursor.execute(CROWD, [PLAYERS])
        cursor.execute(SUBMISSIONS, parameters)
        cursor.execute(BESTS)
        cursor.execute("VACUUM (ANALYZE) contest_submission, contest_best, contest_player")
    return Player.objects.order_by("pk")[PLAYERS // 2]


def _close() -> None:
    from contest.models import Round

    round_ = Round.objects.get()
    Round.objects.update(closes_at=round_.opens_at + timedelta(days=20, hours=23))


def _read(address: str) -> Iterator[Figure]:
    from django.db.models import F
    from django.test import Client

    from contest.models import Level

    client = Client(SERVER_NAME="localhost")
    client.cookies["stranger"] = "1"  # requests with an unknown cookie bypass the page cache

    def time_request() -> float:
        begin = time.perf_counter()
        answer = client.get(address)
        taken = (time.perf_counter() - begin) * 1e3
        assert answer.status_code == 200, (address, answer.status_code)
        return taken

    time_request()  # compile templates and statements
    firsts = []
    for _ in range(3):
        Level.objects.update(board_version=F("board_version") + 1)
        firsts.append(time_request())
    first, later = median(firsts), median(time_request() for _ in range(RUNS))
    path = address.removeprefix("/en")
    yield Figure(f"{path}, first", first, "ms", "", None, f"{FIRST:,} ms", first <= FIRST)
    yield Figure(f"{path}, later", later, "ms", "first", first, f"{LATER} ms", later <= LATER)
