"""An import of 219 old rounds with 30 results each, while 20 senders a second submit: refusals, latency, locks.

`python -m bench.site.filling.importing` starts the import on the site of its environment.
"""

import asyncio
import random
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from statistics import quantiles
from threading import Event, Thread
from typing import Self

import django
import psycopg

from bench.figures import Figure
from bench.site import contest, services
from bench.site.sites import Ours, ours, sqlite_site
from tooling.processes import Child, stop_children, wait_for_exit
from tooling.site import solve_command
from tooling.terminal import Problem, last_lines

ROUNDS, RESULTS, PLAYERS = 219, 30, 300
PER_SECOND, MOST_SECONDS = 20, 600
MOST_LATENCY, MOST_LOCKED = 1.0, 1.0
_POLL = 0.01
# The longest transaction that has written; PostgreSQL gives it an id with its first change.
_WRITING = (
    "SELECT max(extract(epoch FROM clock_timestamp() - xact_start)) FROM pg_stat_activity WHERE backend_xid IS NOT NULL"
)


def measure() -> Iterator[Figure]:
    """Yield the figures of both databases."""
    with services.start_services() as started:
        for site in (sqlite_site(started), ours(started)):
            contest.start_all([site], started)
            yield from _import_under_load(site)


def _import_under_load(site: Ours) -> Iterator[Figure]:
    with solve_worker(site):
        yield from under_load(site, f"{ROUNDS} rounds × {RESULTS} results", [__name__], lambda: _is_imported(site))


@contextmanager
def solve_worker(site: Ours) -> Iterator[None]:
    """Run the worker for long tasks."""
    log = site.logs / "solve.log"
    solver = Child("solve", [sys.executable, *solve_command()], dict(site.env), log)
    solver.start()
    try:
        services.wait_until("solve worker", lambda: "ready." in last_lines(log, 200))
        yield
    finally:
        stop_children([solver])


def under_load(site: Ours, title: str, module: list[str], is_done: Callable[[], bool]) -> Iterator[Figure]:
    """Start long work by a *module* with its arguments, send submissions until *is_done*, and yield the figures."""
    begin = time.monotonic()
    command, log = [sys.executable, "-m", *module], site.logs / "starting.log"
    if wait_for_exit(Child("start", command, dict(site.env), log), limit=300):
        raise Problem(f"{title} did not start\n{last_lines(log)}")
    with _Watch(site) as watch:
        waits, refused = asyncio.run(_send_until(site, is_done))
    seconds = time.monotonic() - begin
    tail = quantiles(waits, n=100)[94]
    print(f"  {site.name}: {len(waits)} submissions in {seconds:.0f} s", file=sys.stderr)
    yield Figure(f"{site.name}: {title}", seconds, "s")
    yield Figure(f"{site.name}: refused", refused, "", target="none", is_met=not refused)
    yield Figure(f"{site.name}: POST, p95", tail, "s", target=f"{MOST_LATENCY} s", is_met=tail < MOST_LATENCY)
    yield Figure(f"{site.name}: POST, longest", max(waits), "s")
    longest = watch.longest
    yield Figure(
        f"{site.name}: longest write transaction", longest, "s", target=f"{MOST_LOCKED} s", is_met=longest < MOST_LOCKED
    )


async def _send_until(site: Ours, is_done: Callable[[], bool]) -> tuple[list[float], int]:
    """Send submissions of new players until *is_done*; return their times, and how many were refused."""
    crowd, waits = contest.Crowd(site, 10_000), list[float]()
    begun: list[asyncio.Future[None]] = []
    begin = time.monotonic()

    async def send(number: int) -> None:
        sent = time.monotonic()
        await crowd.send(number)
        waits.append(time.monotonic() - sent)

    while (len(begun) % PER_SECOND or not is_done()) and time.monotonic() < begin + MOST_SECONDS:
        begun.append(asyncio.ensure_future(send(len(begun))))
        await asyncio.sleep(max(0.0, begin + len(begun) / PER_SECOND - time.monotonic()))
    await asyncio.gather(*begun)
    site.client.close()
    return waits, len(crowd.refused)


def _is_imported(site: Ours) -> bool:
    state, faults, done = site.ask("SELECT state, faults, done FROM contest_roundimport")
    if state == "failed":
        raise Problem(f"The import failed: {faults}")
    return bool(state == "done" and done == ROUNDS)


class _Watch:
    """Measure the longest write transaction from outside, as another writer sees it."""

    def __init__(self, site: Ours) -> None:
        self._site, self._ends, self.longest = site, Event(), 0.0
        self._thread = Thread(target=self._on_postgres if "=" in site.database else self._on_sqlite)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ends.set()
        self._thread.join()

    def _on_sqlite(self) -> None:
        """Try to take the write lock again and again: it is one transaction until the database has another version."""
        database = sqlite3.connect(self._site.database, isolation_level=None, timeout=0)
        begin, version = time.monotonic(), None
        while not self._ends.wait(_POLL):
            try:
                database.execute("BEGIN IMMEDIATE")
                database.execute("ROLLBACK")
                begin = time.monotonic()
            except sqlite3.OperationalError:  # locked
                before, (version,) = version, database.execute("PRAGMA data_version").fetchone()
                begin = begin if version == before else time.monotonic()
                self.longest = max(self.longest, time.monotonic() - begin)
        database.close()

    def _on_postgres(self) -> None:
        with psycopg.connect(self._site.database, autocommit=True) as database:
            while not self._ends.wait(_POLL):
                row = database.execute(_WRITING).fetchone()
                self.longest = max(self.longest, float(row[0] or 0) if row else 0)


def tables() -> dict[str, bytes]:
    """Return made-up rounds of three weeks each, as a club would bring them."""
    chance, first = random.Random(ROUNDS), datetime(2005, 1, 1, tzinfo=UTC)
    rounds, results = ["number,opens_at,closes_at,levels"], ["round,nickname,slot,moves,pushes,time"]
    for number in range(2, ROUNDS + 2):  # round 1 is open
        opens_at = first + number * timedelta(days=30)
        rounds.append(f"{number},{opens_at:%F %R},{opens_at + timedelta(days=21):%F %R},level.sok")
        for player in chance.sample(range(PLAYERS), RESULTS):
            at = opens_at + timedelta(hours=chance.randint(1, 500))
            results.append(f"{number},old {player},main,{chance.randint(100, 400)},{chance.randint(30, 99)},{at:%F %R}")
    level = "########\n#@ $ . #\n#      #\n########\n\nTitle: Old\nAuthor: Club\n"
    files = {"rounds.csv": "\n".join(rounds), "results.csv": "\n".join(results), "level.sok": level}
    return {name: content.encode() for name, content in files.items()}


def main() -> None:
    """Store the files, check them, and confirm the import; a worker stores the rounds."""
    django.setup()
    from django.contrib.auth.models import User

    from contest.archive.imports import jobs
    from contest.celery import waking
    from contest.infra import clock

    by = User.objects.create(username="importer")
    job = jobs.start(tables(), at=clock.now(), by=by)
    jobs.work_on(job)
    jobs.confirm(job, by)
    waking.wake_imports()


if __name__ == "__main__":
    main()
