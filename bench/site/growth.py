"""A site after years: size of its tables, query plans of its pages, cost of a verdict and of a backup.

`--submissions N` by N / 10 players in 1,000 rounds, default 100,000. For each page: its cost with an empty cache, and
whether any statement scans a whole large table. PostgreSQL and Redis; pages are rendered in one process.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.figures import Figure
from bench.site import services
from bench.site.filling import growing
from tooling.folders import ROOT
from tooling.processes import Child, wait_for_exit
from tooling.terminal import Problem, last_lines

ROUNDS = 1_000
SUBMISSIONS = int(os.environ.get("BENCH_SUBMISSIONS") or 100_000)
# Rows from which on a sequential scan of a table is a fault.
LARGE = 10_000
# Most submissions for which backup and restore are measured: ten times as many would take hours.
SAVED = 1_000_000
# Limit in CPU seconds for a page with an empty cache.
FIRST = 1.0
_EXPLAINED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "(")


def measure() -> Iterator[Figure]:
    """Yield the size of tables and indexes, then the cost of verdicts, pages, vacuum and a backup."""
    with services.start_services() as started:
        started.become("growth")
        begin = time.perf_counter()
        growing.fill(ROUNDS, SUBMISSIONS)
        yield Figure(f"{SUBMISSIONS:,} submissions made in", time.perf_counter() - begin, "s")
        yield _time_statement("first vacuum with analyze", "VACUUM (ANALYZE)")
        yield from _table_sizes()
        plans = Plans()
        yield from _judge(plans)
        yield from _pages(started, plans)
        yield from _vacuum_after_a_round()
        if SUBMISSIONS <= SAVED:
            yield from _save(started)


class Plans:
    """Execute wrapper that explains each statement before running it, and records those that scan a large table."""

    def __init__(self) -> None:
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples >= %s", [LARGE])
            self.large = {name for (name,) in cursor.fetchall()}
        self.whole: list[tuple[str, str]] = []  # table, statement

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 - Django's
        if not many and sql.lstrip().startswith(_EXPLAINED):
            with context["connection"].connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", params)
                (plan,) = cursor.fetchone()
            self.whole += [(table, sql) for table in _read_whole(plan[0]["Plan"]) if table in self.large]
        return execute(sql, params, many, context)

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Explain every statement while the block runs."""
        from django.db import connection

        self.whole.clear()
        with connection.execute_wrapper(self):
            yield


def _read_whole(plan: dict[str, Any]) -> Iterator[str]:
    """Yield the tables that *plan* scans sequentially."""
    if plan["Node Type"] == "Seq Scan":
        yield plan["Relation Name"]
    for part in plan.get("Plans", ()):
        yield from _read_whole(part)


def _table_sizes() -> Iterator[Figure]:
    """Yield the size of tables and their indexes, the largest first."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT relname, n_live_tup, pg_table_size(relid) / 1e6, pg_indexes_size(relid) / 1e6
            FROM pg_stat_user_tables WHERE n_live_tup >= 1000 ORDER BY pg_total_relation_size(relid) DESC LIMIT 10
            """
        )
        for name, rows, table, indexes in cursor.fetchall():
            yield Figure(f"{name}, {rows:,} rows: indexes", float(indexes), "MB", "table", float(table))
        cursor.execute(
            """
            SELECT indexrelname, pg_relation_size(indexrelid) / 1e6 FROM pg_stat_user_indexes
            WHERE relname IN ('contest_submission', 'contest_best') ORDER BY 2 DESC
            """
        )
        for name, size in cursor.fetchall():
            yield Figure(f"  {name}", float(size), "MB")


def _addresses() -> dict[str, list[str]]:
    """Return the URLs of every public page and API list, grouped by topic."""
    from contest.models import Player, Submission

    player = Player.objects.order_by("pk")[SUBMISSIONS // growing.PER_PLAYER // 2]
    of_player = Submission.objects.filter(player=player, verdict="accepted").order_by("number")[0]
    old = of_player.round.number
    other = Submission.objects.filter(round=of_player.round).exclude(player=player)[0].player
    in_round = "", "submissions/", "submissions/latest/", "stats/", "replays/", "questions/"
    in_level = "", "moves/", "pushes/", "pareto/", "play/", "talk/", "share/"
    in_api = "", "levels.sok", "chain/", "submissions/", "solutions/", "main/", "main/standings/", "main/pareto/"
    rounds = [f"/en/rounds/{number}/{part}" for number in (ROUNDS, old) for part in in_round]
    levels = [f"/en/rounds/{number}/main/{part}" for number in (ROUNDS, old) for part in in_level]
    rest = "", "rounds/", "levels/", "hall/", "seasons/", "countries/", "records/", "stats/", "ratings/", "authors/"
    programs = "rounds/", "players/", "hall/", "seasons/", "events/", "archives/"
    return {
        "site": [
            f"/en/{part}" for part in (*rest, "collections/", "posts/", "compare/", "status/", f"screen/{ROUNDS}/")
        ],
        "rounds": rounds,
        "levels": levels,
        "players": [
            f"/en/players/{player.pk}-{player.slug}/",
            f"/en/compare/{player.pk}/{other.pk}/",
            f"/en/badge/{player.pk}.svg",
            f"/en/players/{player.pk}/card.png",
            f"/en/rounds/{old}/replays/{of_player.pk}/",
            f"/rounds/{old}/replays/{of_player.pk}.txt",
            f"/en/hall/?q=grown+{player.pk}",
        ],
        "programs": [
            *(f"/api/v1/{part}" for part in programs),
            *(f"/api/v1/rounds/{number}/{part}" for number in (ROUNDS, old) for part in in_api),
            f"/api/v1/players/{player.pk}/",
            f"/api/v1/events/?since={SUBMISSIONS // 3}",
            f"/api/v1/submissions.ndjson?since={SUBMISSIONS - 100}",
            f"/api/v1/solutions.ndjson?since={SUBMISSIONS - SUBMISSIONS // ROUNDS * 2}",
            f"/rounds/{ROUNDS}/main/numbers.json",
            "/en/feeds/rounds.atom",
            "/en/feeds/submissions.json",
            "/sitemap.xml",
            "/sitemap-rounds.xml",
            "/sitemap-players.xml",
            "/rounds.ics",
            "/letslogic/api/v1/collections",
            "/metrics",
            "/readyz",
        ],
    }


def _pages(started: services.Services, plans: Plans) -> Iterator[Figure]:
    """Yield the CPU time of site and database for each page with an empty cache; the resolution is 10 ms."""
    from django.core.cache import cache
    from django.test import Client

    client = Client(SERVER_NAME="localhost", raise_request_exception=False)
    client.cookies["stranger"] = "1"  # requests with an unknown cookie bypass the page cache
    faults: dict[tuple[str, str], str] = {}
    for about, addresses in _addresses().items():
        for address in addresses:
            cache.clear()
            with plans.watch():
                answer = client.get(address)
                status, body = answer.status_code, b"".join(answer) if answer.streaming else answer.content
            for table, sql in plans.whole:
                faults.setdefault((table, sql), address)
            whole = len(plans.whole)
            cache.clear()
            begin = _cpu_seconds(started)
            again = client.get(address)
            if again.streaming:
                b"".join(again)
            taken = _cpu_seconds(started) - begin
            ok = status < 400 and taken <= FIRST and not whole
            name = f"{about}: {address} [{status}, {len(body) >> 10} KB, whole tables {whole}]"
            yield Figure(name, taken * 1e3, "ms", target=f"{FIRST * 1e3:,.0f} ms, none whole", is_met=ok)
    for (table, sql), address in faults.items():
        print(f"{address} reads the whole of {table}: {sql[:600]}", file=sys.stderr)


def _judge(plans: Plans) -> Iterator[Figure]:
    """Judge a hundred texts queued in the open round: check the query plans, then time a verdict."""
    from bench.site.filling.seeding import texts
    from contest import judging
    from contest.infra import clock
    from contest.models import Door, Player, Reader, Round, State, Submission

    round_ = Round.objects.get(number=ROUNDS)
    player = Player.objects.order_by("pk")[7]

    def queue_texts(sent: list[str]) -> None:
        now = clock.now_at_database()
        common = {"round": round_, "player": player, "sent_as": player, "door": Door.API, "reader": Reader.RUN_LENGTH}
        Submission.objects.bulk_create(
            Submission(
                receipt_id=f"grown {hash(text)}", sha256=f"{hash(text)}", text=text.encode(), received_at=now, **common
            )
            for text in sent
        )

    sent = texts(101)
    queue_texts(sent[:1])
    with plans.watch():
        judging.judge_until_empty()
    whole = len(plans.whole)
    for table, sql in plans.whole:
        print(f"the judge reads the whole of {table}: {sql[:600]}", file=sys.stderr)
    yield Figure("judge: large tables read whole", whole, "", target="none", is_met=not whole)
    queue_texts(sent[1:])
    begin = time.perf_counter()
    judging.judge_until_empty()
    yield Figure("judge: a verdict of a hundred that wait", (time.perf_counter() - begin) * 10, "ms")
    assert not Submission.objects.exclude(state=State.JUDGED).exists()


def _time_statement(what: str, sql: str) -> Figure:
    from django.db import connection

    begin = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute(sql)
    return Figure(what, time.perf_counter() - begin, "s")


def _vacuum_after_a_round() -> Iterator[Figure]:
    """Update a round's rows once, as judging does; then time the vacuum that removes the dead rows."""
    from django.db.models import F

    from contest.models import Submission

    changed = Submission.objects.filter(round__number=ROUNDS).update(attempts=F("attempts") + 1)
    yield _time_statement(f"vacuum of submissions, {changed:,} rows changed", "VACUUM contest_submission")


def _save(started: services.Services) -> Iterator[Figure]:
    """Time a backup and its restore into an empty database, by the clock and by CPU time, which other work on
    the machine affects less."""
    file = started.folder / "backup.zip"
    yield from _manage(started, "growth", "backup", str(file))
    yield Figure("backup, one file", file.stat().st_size / 1e6, "MB")
    started.create_database("again")
    yield from _manage(started, "again", "restore", str(file))


def _manage(started: services.Services, database: str, *arguments: str) -> Iterator[Figure]:
    env = {**os.environ, "DATABASE_URL": started.database_url(database)}
    log = started.folder / f"{arguments[0]}.log"
    begin, busy = time.perf_counter(), _cpu_seconds(started)
    if wait_for_exit(Child(arguments[0], [sys.executable, "manage.py", *arguments], env, log, ROOT), limit=3_600):
        raise Problem(f"{arguments[0]} failed:\n{last_lines(log)}")
    yield Figure(arguments[0], time.perf_counter() - begin, "s")
    yield Figure(f"{arguments[0]}, CPU of command and database", _cpu_seconds(started) - busy, "s")


def _cpu_seconds(started: services.Services) -> float:
    """Return the CPU seconds of this process with its children, and of PostgreSQL."""
    return services.cpu_seconds(os.getpid()) + services.cpu_seconds(started.postgres_pid)
