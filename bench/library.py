"""The public library with 70,000 levels and a million results on PostgreSQL: CPU time of its pages.

The site's processor time and that of the database's process are added, over RUNS readings of each page; the answers
that the site keeps are forgotten before each, but for those of a line that says so.
"""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import services
from bench.figures import Figure

LEVELS, RESULTS, PLAYERS, COLLECTIONS, BOARDS = 70_000, 1_000_000, 2_000, 70, 500
RUNS = 9
MOST_MS = 100
_TICK = os.sysconf("SC_CLK_TCK")

CROWD = """
    INSERT INTO contest_player (
        nickname, name_key, look_key, country, email, league, claim_sha256, is_imported, created_at, archive_number
    )
    SELECT 'library ' || n, 'library ' || n, 'library ' || n, '', '', 'human', '', false, now(), n
    FROM generate_series(1, %s) n
"""
LIBRARY = """
    INSERT INTO contest_collectedlevel (
        collection_id, place, title, author, text, sha256, key, width, height, boxes, area, grade, least_moves,
        least_pushes, solvers, is_public, published_at
    )
    SELECT
        collection.id, 1 + n %% %(each)s, 'Level ' || md5(n::text), 'Author ' || n %% 977, board.text,
        md5('sha ' || n) || md5(n::text), md5('key ' || n), board.width, board.height, board.boxes,
        board.width * board.height, CASE WHEN n %% 3 = 0 THEN 1 + n %% 5 END,
        CASE WHEN n %% 7 = 0 THEN 100 END, CASE WHEN n %% 7 = 0 THEN 20 END, 0, true, collection.published_at
    FROM generate_series(0, %(levels)s - 1) n
    JOIN bench_board board ON board.number = (n * 7919::bigint) %% %(boards)s
    JOIN (SELECT *, row_number() OVER (ORDER BY id) - 1 AS turn FROM contest_collection) collection
        ON collection.turn = n / %(each)s
"""
SOLVED = """
    INSERT INTO contest_levelresult (
        receipt_id, level_id, player_id, sent_as_id, lurd, sha256, moves, pushes, received_at, is_best_by_moves,
        is_best_by_pushes
    )
    SELECT
        'library ' || n, level.id, player.id, player.id, repeat('rluD', 30), md5(n::text),
        100 + (n * 7919::bigint) %% 97, 20 + (n * 104729::bigint) %% 31, now() - n * interval '1 second', true, true
    FROM generate_series(0, %(results)s - 1) n
    JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS turn FROM contest_collectedlevel) level
        ON level.turn = n %% %(levels)s
    JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS turn FROM contest_player) player
        ON player.turn = (n / %(levels)s * 131 + n %% %(levels)s) %% %(players)s
"""
COUNTED = """
    UPDATE contest_collectedlevel SET solvers = counted.solvers, best_moves = moves, best_pushes = pushes
    FROM (
        SELECT level_id, count(*) AS solvers, min(moves) AS moves, min(pushes) AS pushes
        FROM contest_levelresult GROUP BY level_id
    ) counted WHERE counted.level_id = contest_collectedlevel.id
"""
PAGES = (
    "/en/levels/",
    "/en/levels/?page=900",
    *(f"/en/levels/?by={order}" for order in ("easiest", "hardest", "boxes", "size", "most", "least")),
    "/en/levels/?boxes_from=3&boxes_to=4",
    "/en/levels/?size=10",
    "/en/levels/?grade=4",
    "/en/levels/?proved=on&by=size",
    "/en/levels/?q=abc",
    "/en/levels/?q=nothing-like-it",
    "/en/levels/?author=Author+7",
    "/en/levels/?collection=bench-7",
    "/en/levels/?show=new",
    "/en/levels/?show=solved",
    "/en/levels/?show=better&by=boxes",
    "/en/collections/",
    "/en/collections/bench-7/?page=20",
    "/en/collections/bench-7/500/",
    "/en/collections/bench-7/500/play/",
    "/collections/bench-7/500/light.svg",
)


def measure() -> Iterator[Figure]:
    """Yield the CPU time of each page, for a reader who has solved some hundreds of levels."""
    with services.start_services() as started:
        started.become("library")
        client = _filled()
        for address in PAGES:
            yield _read(client, address)
        yield _read(client, "/en/levels/", is_kept=True)


def _filled() -> Any:
    """Make the library, and return the browser of one of its players."""
    from django.core import signing
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.utils import timezone

    from contest.models import Collection, Player
    from contest.players import claims

    call_command("migrate", verbosity=0, interactive=False)
    now = timezone.now()
    Collection.objects.bulk_create(
        Collection(slug=f"bench-{n}", title_en=f"Bench {n}", rights="-", count=LEVELS // COLLECTIONS, published_at=now)
        for n in range(COLLECTIONS)
    )
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE bench_board (number int, text text, width int, height int, boxes int)")
        cursor.executemany("INSERT INTO bench_board VALUES (%s, %s, %s, %s, %s)", list(_boards()))
        cursor.execute(CROWD, [PLAYERS])
        given = {"levels": LEVELS, "results": RESULTS, "players": PLAYERS, "boards": BOARDS}
        cursor.execute(LIBRARY, {**given, "each": LEVELS // COLLECTIONS})
        cursor.execute(SOLVED, given)
        cursor.execute(COUNTED)
        cursor.execute(
            "VACUUM (ANALYZE) contest_collectedlevel, contest_levelresult, contest_player, contest_collection"
        )
    player, client = Player.objects.order_by("pk")[PLAYERS // 2], Client(SERVER_NAME="localhost")
    secret = claims.renew(player, None).secret
    client.cookies["claims"] = signing.dumps({str(player.pk): secret}, salt="claims", compress=True)
    return client


def _boards() -> Iterator[tuple[int, str, int, int, int]]:
    """Open rooms of many sizes, with as many goals as boxes."""
    chance = random.Random(70_000)
    for number in range(BOARDS):
        width, height = chance.randint(5, 26), chance.randint(5, 20)
        inside = [list("-" * width) for _ in range(height)]
        boxes = chance.randint(1, min(20, width * height // 6))
        places = chance.sample([(row, column) for row in range(height) for column in range(width)], 2 * boxes + 1)
        for letter, (row, column) in zip("@" + "$" * boxes + "." * boxes, places, strict=True):
            inside[row][column] = letter
        wall = "#" * (width + 2)
        yield number, "|".join([wall, *(f"#{''.join(row)}#" for row in inside), wall]), width + 2, height + 2, boxes


def _read(client: Any, address: str, *, is_kept: bool = False) -> Figure:
    from django.core.cache import cache
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()

    def spent() -> float:
        of_backend = sum(map(int, Path(f"/proc/{backend}/stat").read_text().rsplit(") ", 1)[1].split()[11:13]))
        return time.process_time() + of_backend / _TICK

    def ask() -> None:
        if not is_kept:
            cache.clear()
        answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)

    ask()  # templates and statements are compiled
    begin = spent()
    for _ in range(RUNS):
        ask()
    taken = (spent() - begin) * 1e3 / RUNS
    return Figure(
        f"{address.removeprefix('/en')}{', kept' if is_kept else ''}",
        taken,
        "ms",
        "",
        None,
        f"{MOST_MS} ms",
        taken <= MOST_MS,
    )
