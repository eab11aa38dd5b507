"""The public library with 70,000 levels and a million results on PostgreSQL: CPU time of its pages.

The CPU times of the site and of the database process are added; the result is the median of RUNS requests.
The site's cache is cleared before each request, except in lines marked "kept".
"""

import random
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from bench.figures import Figure
from bench.site import services

LEVELS, RESULTS, PLAYERS, COLLECTIONS, BOARDS = 70_000, 1_000_000, 2_000, 70, 500
QUIET, VOTED, VOTERS = 100_000, 5_000, 6
RUNS = 9
MOST_MS = 100

CROWD = """
    INSERT INTO contest_player (
        nickname, name_key, look_key, country, email, league, claim_sha256, is_imported, created_at, archive_number
    )
    SELECT name || n, name || n, name || n, '', '', 'human', '', false, now(), %s + n
    FROM generate_series(1, %s) n, (VALUES (%s)) names (name)
"""
LIBRARY = """
    INSERT INTO contest_collectedlevel (
        collection_id, place, title, author, text, sha256, key, width, height, boxes, area, grade, least_moves,
        least_pushes, solvers, is_public, published_at, words
    )
    SELECT
        collection.id, 1 + n %% %(each)s, 'Level ' || md5(n::text), 'Author ' || n %% 977, board.text,
        md5('sha ' || n) || md5(n::text), md5('key ' || n), board.width, board.height, board.boxes,
        board.width * board.height, CASE WHEN n %% 3 = 0 THEN 1 + n %% 5 END,
        CASE WHEN n %% 7 = 0 THEN 100 END, CASE WHEN n %% 7 = 0 THEN 20 END, 0, true, collection.published_at,
        'level ' || md5(n::text) || ' author ' || n %% 977
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
    JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS turn FROM contest_player LIMIT %(players)s) player
        ON player.turn = (n / %(levels)s * 131 + n %% %(levels)s) %% %(players)s
"""
COUNTED = """
    UPDATE contest_collectedlevel SET solvers = counted.solvers, best_moves = moves, best_pushes = pushes
    FROM (
        SELECT level_id, count(*) AS solvers, min(moves) AS moves, min(pushes) AS pushes
        FROM contest_levelresult GROUP BY level_id
    ) counted WHERE counted.level_id = contest_collectedlevel.id
"""
CAST = """
    INSERT INTO contest_vote (collected_id, player_id, beautiful, hard, new, cast_at)
    SELECT level.id, player.id, 1 + (level.id * 7 + turn) %% 5, 1 + (level.id + turn) %% 5, 3, now()
    FROM (SELECT id FROM contest_collectedlevel ORDER BY id LIMIT %(voted)s) level,
        (SELECT id, row_number() OVER (ORDER BY id) AS turn FROM contest_player ORDER BY id LIMIT %(voters)s) player
"""
MEANS = """
    UPDATE contest_collectedlevel SET beautiful = means.beautiful, hard = means.hard, new = means.new
    FROM (
        SELECT collected_id, avg(beautiful) AS beautiful, avg(hard) AS hard, avg(new) AS new
        FROM contest_vote GROUP BY collected_id
    ) means WHERE means.collected_id = contest_collectedlevel.id
"""
TYPED = ("l", "le", "level 00", "library 19", "quiet 777", "author 97", "nothing-like-it", "仓库")
PAGES = (
    "/en/levels/",
    "/en/levels/?page=900",
    *(f"/en/levels/?by={order}" for order in ("easiest", "hardest", "boxes", "size", "most", "least")),
    *(f"/en/levels/?by={order}" for order in ("best", "optimum", "author", "beautiful", "hard", "new")),
    "/en/levels/?boxes_from=3&boxes_to=4",
    "/en/levels/?size=10",
    "/en/levels/?grade=4",
    "/en/levels/?proved=on&by=size",
    "/en/levels/?q=abc",
    "/en/levels/?q=nothing-like-it",
    *(f"/en/search/?part=1&q={text}" for text in TYPED),
    "/en/search/?q=library",
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
        client = _fill()
        for address in PAGES:
            yield _read(client, address)
        yield _read(client, "/en/levels/", is_cached=True)


def _fill() -> Any:
    """Create the library, and return a test client signed in as one of its players."""
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
        cursor.execute(CROWD, [0, PLAYERS, "library "])
        cursor.execute(CROWD, [PLAYERS, QUIET, "quiet "])
        parameters = {"levels": LEVELS, "results": RESULTS, "players": PLAYERS, "boards": BOARDS}
        cursor.execute(LIBRARY, {**parameters, "each": LEVELS // COLLECTIONS})
        cursor.execute(SOLVED, parameters)
        cursor.execute(COUNTED)
        cursor.execute(CAST, {"voted": VOTED, "voters": VOTERS})
        cursor.execute(MEANS)
        tables = ("collectedlevel", "levelresult", "player", "collection", "vote")
        cursor.execute(f"VACUUM (ANALYZE) {', '.join(f'contest_{table}' for table in tables)}")
    player, client = Player.objects.order_by("pk")[PLAYERS // 2], Client(SERVER_NAME="localhost")
    secret = claims.renew(player, None).secret
    client.cookies["claims"] = signing.dumps({str(player.pk): secret}, salt="claims", compress=True)
    return client


def _boards() -> Iterator[tuple[int, str, int, int, int]]:
    """Yield open rooms of many sizes, with as many goals as boxes."""
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


def _read(client: Any, address: str, *, is_cached: bool = False) -> Figure:
    from django.core.cache import cache
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()

    def spent() -> float:
        """Return the CPU milliseconds of both processes; the kernel counts them in nanoseconds."""
        return time.process_time() * 1e3 + int(Path(f"/proc/{backend}/schedstat").read_text().split()[0]) / 1e6

    def ask() -> None:
        if not is_cached:
            cache.clear()
        answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)

    def cost() -> float:
        begin = spent()
        ask()
        return spent() - begin

    ask()  # compile templates and statements
    taken = median(cost() for _ in range(RUNS))
    return Figure(
        f"{address.removeprefix('/en')}{', kept' if is_cached else ''}",
        taken,
        "ms",
        "",
        None,
        f"{MOST_MS} ms",
        taken <= MOST_MS,
    )
