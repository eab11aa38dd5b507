"""The judge compared with three rivals, and the cost of readers: all rows of one table, measured in one run.

`contest`, `polling` and `busy` measure the same in more detail.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

import psycopg

from bench.figures import Figure, alone, take
from bench.site import contest, services
from bench.site.contest import CONNECTIONS, TEXTS, at_most, start_all, stretch, verdicts_a_second, waits_of
from bench.site.sites import Ours, Site, Textbook, ours, sqlite_site, textbook
from bench.site.table import floors

ROUNDS = 3  # the sites take turns
WAIT_ROUNDS = 10  # of a hundred posts each: with fewer posts, a p99 depends on three or four of them
SENDERS = 50  # concurrent senders on SQLite
CROWD = 32  # enough senders to keep every site busy: with CONNECTIONS, ours leaves a third of two processors idle
LONG = 20_000  # moves
READERS = ("bench.site.polling", "bench.site.table.round_page", "bench.site.table.switches")


def _mixes() -> dict[str, list[str]]:
    """Return the sets of texts: all right; half of them without their last push; one of ten long."""
    wrong = [text if number % 2 else text[: len(text) // 2] for number, text in enumerate(TEXTS)]
    walk = TEXTS[0][:2]  # to and fro
    long = [walk * (LONG // 2) + text if number % 10 == 0 else text for number, text in enumerate(TEXTS)]
    return {"all right": TEXTS, "half wrong": wrong, "one of ten long": long}


@dataclass(frozen=True)
class _Sites:
    ours: Ours
    two: Ours
    batched: Textbook
    tuned: Textbook
    shipped: Textbook
    embedded: Ours

    def __iter__(self) -> Iterator[Site]:
        return iter((self.ours, self.two, self.batched, self.tuned, self.shipped, self.embedded))


def measure() -> Iterator[Figure]:
    """Yield a figure for each cell that has a target, and the related cells."""
    with services.start_services() as started:
        sites = _Sites(
            ours(started),
            ours(started, "ours, two web processes", WEB_WORKERS="2"),
            textbook(started, batched=True),
            textbook(started, tuned=True),
            textbook(started),
            sqlite_site(started),
        )
        start_all(sites, started)
        yield from _saturated(sites, started)
        yield from _waits(sites)
        yield from _backlog(sites)
        yield from _crowd_on_sqlite(sites.embedded, started)
        yield from floors.measure(sites.ours, started)
    with alone() as processes:
        for module in READERS:
            yield from processes.submit(take, module).result()


def _saturated(sites: _Sites, started: services.Services) -> Iterator[Figure]:
    rates = {}
    for mix, sent in _mixes().items():
        # The site as shipped is too slow to be measured with each mix.
        chosen = list(sites) if mix == "all right" else [sites.ours, sites.batched, sites.tuned]
        done = _in_turns(chosen, CONNECTIONS, sent, started)
        rates[mix] = _rates(done)
        yield from _compare_rates(sites, f"POST to verdict, {mix}", rates[mix])
        yield from _costs(sites, mix, done)
    done = _in_turns(list(sites), CROWD, TEXTS, started)
    crowd = _rates(done)
    yield from _compare_rates(sites, f"POST to verdict, {CROWD} senders", crowd)
    yield from _costs(sites, f"{CROWD} senders", done)
    yield from _best_rates(sites, {name: max(rate, crowd[name]) for name, rate in rates["all right"].items()})


def _in_turns(
    sites: Sequence[Site], senders: int, sent: Sequence[str], started: services.Services
) -> dict[str, list[contest.Stretch]]:
    """Return the stretches of ROUNDS rounds by the names of the *sites*, which take turns."""
    done: dict[str, list[contest.Stretch]] = defaultdict(list)
    for _ in range(ROUNDS):
        for site in sites:
            count = 1_000 if isinstance(site, Ours) or site.name.endswith("batched") else 400
            result = stretch(site, count, started, at_most(senders), sent)
            if result.refused:
                raise RuntimeError(f"{site.name} refused {result.refused} of {count}")
            done[site.name].append(result)
    return done


def _rates(done: dict[str, list[contest.Stretch]]) -> dict[str, float]:
    return {name: median(result.rate for result in stretches) for name, stretches in done.items()}


def _compare_rates(sites: _Sites, what: str, rate: dict[str, float]) -> Iterator[Figure]:
    own = rate[sites.ours.name]
    for other in (sites.batched, sites.tuned, sites.shipped):
        if base := rate.get(other.name):
            yield Figure(what, own, "/s", other.name, base)
    for other in (sites.two, sites.embedded):
        if other.name in rate:
            yield Figure(f"{what}: {other.name}", rate[other.name], "/s", sites.ours.name, own)


def _best_rates(sites: _Sites, rate: dict[str, float]) -> Iterator[Figure]:
    """Yield the highest rate of each site, with the number of senders that suits it better."""
    own = rate[sites.ours.name]
    for other, least in ((sites.batched, 1.5), (sites.tuned, 3), (sites.shipped, 7)):
        base = rate[other.name]
        yield Figure(
            "POST to verdict, saturated", own, "/s", other.name, base, f"at least {least}", own >= least * base
        )
    fair, base = rate[sites.batched.name], rate[sites.tuned.name]
    yield Figure("the rival itself, batched", fair, "/s", sites.tuned.name, base, "at least 1.8", fair >= 1.8 * base)


def _costs(sites: _Sites, mix: str, cost: dict[str, list[contest.Stretch]]) -> Iterator[Figure]:
    for name, stretches in cost.items():
        whole = median(result.cpu for result in stretches)
        is_ours = name == sites.ours.name and mix == "all right"
        parts = " + ".join(
            f"{median(getattr(result, part) for result in stretches):.2f}" for part in ("web", "judge", "database")
        )
        what = f"CPU a submission, {mix}: {name} ({parts})"
        yield Figure(
            what, whole, "ms", target="at most 1.5 ms" if is_ours else "", is_met=whole <= 1.5 if is_ours else None
        )


def _waits(sites: _Sites) -> Iterator[Figure]:
    """Yield the latency of a quiet site, not in the minute after a rush, before autovacuum has run.

    A warm-up that is not counted comes first: PostgreSQL plans a statement's first five runs in a session each time,
    and in a rush the sessions ran other statements.
    """
    waits: dict[str, list[float]] = defaultdict(list)
    quiet_sites: list[Site] = [sites.ours, sites.batched, sites.tuned, sites.embedded]
    for site in quiet_sites:
        _tidy(site)
        asyncio.run(waits_of(site))
    for number in range(WAIT_ROUNDS):
        for site in quiet_sites if number % 2 else reversed(quiet_sites):
            waits[site.name] += asyncio.run(waits_of(site))
    half = {name: median(values) for name, values in waits.items()}
    tail = {name: quantiles(values, n=100)[98] for name, values in waits.items()}
    for what, percentile in (("p50", half), ("p99", tail)):
        for other in (sites.tuned, sites.batched):
            own, base = percentile[sites.ours.name], percentile[other.name]
            target, is_met = ("at most 1", own <= base) if other is sites.tuned else ("", None)
            yield Figure(f"POST to verdict at 10/s, {what}", own, "ms", other.name, base, target, is_met)
    own = half[sites.embedded.name]
    yield Figure("POST to verdict at 10/s, p50, embedded", own, "ms", target="at most 12 ms", is_met=own <= 12)
    yield Figure("POST to verdict at 10/s, p99, embedded", tail[sites.embedded.name], "ms")


def _tidy(site: Site) -> None:
    """Do now what PostgreSQL's autovacuum does within a minute."""
    if site.env["DATABASE_URL"].startswith("postgres"):
        with psycopg.connect(site.database, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")


def _backlog(sites: _Sites) -> Iterator[Figure]:
    rate: dict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        for site in (sites.ours, sites.batched, sites.tuned, sites.shipped):
            count = 6_000 if isinstance(site, Ours) else 3_000 if site is sites.batched else 500
            rate[site.name].append(verdicts_a_second(site, count))
    half = {name: median(values) for name, values in rate.items()}
    own = half[sites.ours.name]
    yield Figure("judged, rows waiting", own, "/s", target="at least 6,000", is_met=own >= 6_000)
    for other in (sites.batched, sites.tuned, sites.shipped):
        least = 25 if other is sites.shipped else 0
        base = half[other.name]
        target, is_met = (f"at least {least}", own >= least * base) if least else ("", None)
        yield Figure("judged, rows waiting", own, "/s", other.name, base, target, is_met)


def _crowd_on_sqlite(site: Site, started: services.Services) -> Iterator[Figure]:
    done = [stretch(site, 1_000, started, at_most(SENDERS)) for _ in range(ROUNDS)]
    rate = median((1_000 - result.refused) / result.seconds for result in done)
    refused = sum(result.refused for result in done)
    yield Figure(f"SQLite, {SENDERS} senders at once", rate, "/s", target="at least 400", is_met=rate >= 400)
    yield Figure(f"SQLite, {SENDERS} senders at once: refused", refused, "", target="none", is_met=not refused)
    yield Figure("CPU a submission on SQLite", median(result.cpu for result in done), "ms")
