"""Minutes under an even load: whose memory grows? `python3 dev.py chaos --soak 600`."""

import contextlib
import http.client
import threading
import time
from collections.abc import Iterator
from statistics import mean

from bench.site.services import memory_megabytes
from tests.chaos import site
from tests.chaos.senders import Kept, sending

# Of the time, what everything may take to have loaded and kept what it keeps; and what is compared at either end.
WARM_UP, COMPARED = 0.4, 0.15
MOST_GROWTH = 1.05
EVERY = 5.0
# What holds for these. Redis and PostgreSQL hold what is put into them, up to bounds of their own.
OURS = ("web", "judge", "beat")
PAGES = (
    "/en/", "/zh-hans/", "/en/rounds/", "/en/rounds/1/", "/en/rounds/1/main/", "/en/rounds/1/main/moves/",
    "/en/rounds/1/extra/pushes/", "/en/rounds/1/submissions/", "/en/rounds/1/stats/", "/en/stats/", "/en/hall/",
    "/en/screen/1/", "/en/levels/", "/api/v1/rounds/1/main/standings/", "/api/v1/events/", "/readyz", "/metrics",
)  # fmt: skip


def run(seconds: float) -> int:
    """Print what every part holds over time, on both sizes; return 1 where one of ours grew by more than 5 %."""
    found = [_run(seconds, postgres=postgres) for postgres in (True, False)]
    return int(not all(found))


def _run(seconds: float, *, postgres: bool) -> bool:
    with site.running(postgres=postgres) as running, _readers(running.port) as read:
        held: dict[str, list[tuple[float, float]]] = {name: [] for name in running.parts}
        sent: list[Kept] = []
        started = time.monotonic()
        with sending(running.port, sent, size=2, rest=0.2):
            while (spent := time.monotonic() - started) < seconds:
                for name, part in running.parts.items():
                    held[name].append((spent, memory_megabytes(part.pid)))
                time.sleep(EVERY)
        print(f"{'PostgreSQL and Redis' if postgres else 'one box'}: {seconds:.0f} s, {len(sent)} sent, {read[0]} read")
        for ended in running.own_ends:
            print(f"  ended by itself: {ended}")
        flat = [_say(name, taken, seconds) for name, taken in held.items()]
        return all(flat) and not running.own_ends


def _say(name: str, taken: list[tuple[float, float]], seconds: float) -> bool:
    """Say what the part held when it was warm, and at the end; return whether that is as it must be."""
    begin = WARM_UP * seconds
    warm = mean(held for at, held in taken if begin <= at < begin + COMPARED * seconds)
    last = mean(held for at, held in taken if at >= (1 - COMPARED) * seconds)
    is_flat = last <= MOST_GROWTH * warm or not name.startswith(OURS)
    course = " ".join(f"{held:.0f}" for _at, held in taken[:: max(1, len(taken) // 12)])
    print(
        f"  {name:9} {warm:6.1f} MB warm, {last:6.1f} at last: {last / warm:.3f}{'' if is_flat else ' GREW'} ({course})"
    )
    return is_flat


@contextlib.contextmanager
def _readers(port: int) -> Iterator[list[int]]:
    """Two people who read page after page while the block runs; how many they have read."""
    over, read = threading.Event(), [0]

    def ask(page: str) -> None:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
            connection.request("GET", page, headers={"Cookie": "stranger=1"})
            connection.getresponse().read()
            read[0] += 1

    def go_on() -> None:
        while not over.is_set():
            for page in PAGES:
                with contextlib.suppress(OSError, http.client.HTTPException):
                    ask(page)
                if over.wait(0.1):
                    return

    people = [threading.Thread(target=go_on, daemon=True) for _ in range(2)]
    for one in people:
        one.start()
    try:
        yield read
    finally:
        over.set()
        for one in people:
            one.join(30)
