"""CPU time that PostgreSQL spends on a round page of 100,000 submissions, with an empty cache."""

from collections.abc import Iterator

from bench.figures import Figure
from bench.site import busy, services

RUNS = 40  # more than the runs before PostgreSQL caches a generic plan, and many ticks of 10 ms
MOST = 5.0  # milliseconds of CPU time of the database


def measure() -> Iterator[Figure]:
    """Yield the cost of the page for the first reader after a change, and for later readers."""
    with services.start_services() as started:
        started.become("round_page")
        busy.fill()
        _ask(5)
        for reader, is_changed in (("later", False), ("first after a change", True)):
            begin = services.cpu_seconds(started.postgres_pid)
            _ask(RUNS, is_changed=is_changed)
            taken = (services.cpu_seconds(started.postgres_pid) - begin) / RUNS * 1e3
            name = f"round page, {busy.SENT:,} submissions, CPU of the database, {reader}"
            yield Figure(name, taken, "ms", target=f"within {MOST} ms", is_met=taken <= MOST)


def _ask(times: int, *, is_changed: bool = False) -> None:
    from django.db.models import F
    from django.test import Client

    from contest.models import Level

    client = Client(SERVER_NAME="localhost")
    client.cookies["stranger"] = "1"  # requests with an unknown cookie bypass the page cache
    for _ in range(times):
        if is_changed:
            Level.objects.update(board_version=F("board_version") + 1)
        assert client.get("/en/rounds/1/").status_code == 200
