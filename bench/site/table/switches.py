"""Effect of each fast path: the site with one of them off, and with all off, compared with the site as shipped."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from statistics import median

from bench.figures import Figure
from bench.site import services
from bench.site.contest import at_most, poll, start_all, stretch, verdicts_a_second, waits_of
from bench.site.sites import Ours, ours

PARTS = ("prepared_statements", "kept_pages", "early_posts", "all")
ROUNDS, SENDERS, COUNT, WAITING = 3, 32, 1_000, 4_000


def measure() -> Iterator[Figure]:
    """Yield the rate, CPU, latency, backlog and poll cost of each site; the sites take turns."""
    with services.start_services() as started:
        whole = ours(started)
        without = {part: ours(started, f"without {part}", FAST_PATHS_OFF=part) for part in PARTS}
        sites = [whole, *without.values()]
        start_all(sites, started)
        done: dict[tuple[str, str], list[float]] = defaultdict(list)
        for _ in range(ROUNDS):
            for site in sites:
                for what, value in _measured(site, started):
                    done[site.name, what].append(value)
        for (name, what), values in done.items():
            if name != whole.name:
                yield Figure(f"{name}: {what[0]}", median(values), what[1], whole.name, median(done[whole.name, what]))


def _measured(site: Ours, started: services.Services) -> Iterator[tuple[tuple[str, str], float]]:
    crowd = stretch(site, COUNT, started, at_most(SENDERS))
    yield (f"POST to verdict, {SENDERS} senders", "/s"), crowd.rate
    yield (f"CPU a submission, {SENDERS} senders", "ms"), crowd.cpu
    yield ("POST to verdict at 10/s, p50", "ms"), median(asyncio.run(waits_of(site)))
    yield ("judged, rows waiting", "/s"), verdicts_a_second(site, WAITING)
    yield ("CPU of a poll of an unchanged board", "ms"), asyncio.run(poll(site, started))
