"""The whole site under load, compared with the textbook site: verdicts per second, latency, cost and memory."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from bench.figures import Figure
from bench.site import services
from bench.site.filling.seeding import texts
from bench.site.load import at_once, at_rate
from bench.site.sites import Ours, Site, Textbook, ours, pid, sqlite_site, textbook

ROUNDS = 3  # of everything except the spike; the sites take turns
CONNECTIONS = 8
PER_PLAYER = 5
TEXTS = texts(2_000)
Load = Callable[[int, Callable[[int], Awaitable[None]]], Awaitable[float]]
LATENCY_SUBMISSIONS, LATENCY_RATE = 100, 10
SPIKE_SUBMISSIONS, SPIKE_SECONDS = 2_000, 20
POLLS = 500


@dataclass(frozen=True)
class Sites:
    """All sites of a run."""

    ours: Ours
    batched: Textbook
    tuned: Textbook
    shipped: Textbook
    embedded: Ours

    def __iter__(self) -> Iterator[Site]:
        return iter((self.ours, self.batched, self.tuned, self.shipped, self.embedded))


class Crowd:
    """New players, each of whom sends one submission after another."""

    _crowds = 0

    def __init__(self, site: Site, players: int, sent: Sequence[str] = TEXTS) -> None:
        Crowd._crowds += 1
        self.site, self.players, self.sent, self.name = site, players, sent, f"crowd {Crowd._crowds}"
        self.turns: dict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.refused: list[int] = []

    async def send(self, number: int) -> int | None:
        """Send submission *number* and return the site's number for it, or None if it was refused."""
        player = number % self.players
        nickname = f"{self.name}, player {player}"
        address = f"X-Forwarded-For: 10.{Crowd._crowds}.{player >> 8}.{player & 255}\r\n"
        async with self.turns[player]:  # the second request of a player needs the claim from the first response
            body = self.site.body(nickname, self.sent[number % len(self.sent)])
            answer = await self.site.client.request("POST", self.site.submissions, body, address)
            if answer.status in (201, 202):
                return self.site.store_receipt(nickname, answer)
        self.refused.append(answer.status)
        return None


@dataclass(frozen=True)
class Stretch:
    """Results of *count* submissions."""

    count: int
    seconds: float  # from the first request to the last verdict
    slowest_answer: float
    refused: int
    web: float  # CPU milliseconds per submission
    judge: float
    database: float

    @property
    def rate(self) -> float:
        """Return the verdicts per second."""
        return self.count / self.seconds

    @property
    def cpu(self) -> float:
        """Return the CPU milliseconds per submission of all processes."""
        return self.web + self.judge + self.database


def measure() -> Iterator[Figure]:
    """Yield the figures of docs/explanation/performance.md."""
    with services.start_services() as started:
        sites = Sites(
            ours(started),
            textbook(started, batched=True),
            textbook(started, tuned=True),
            textbook(started),
            sqlite_site(started),
        )
        start_all(sites, started)
        yield from _saturation(sites, started)
        yield from _latency(sites)
        yield from _backlog(sites)
        yield from _spike(sites, started)
        yield from _polls(sites, started)
        yield from _memory(sites)


def start_all(sites: Iterable[Site], started: services.Services) -> None:
    """Start the sites, and let each judge a few submissions."""
    for site in sites:
        site.start()
        started.stack.callback(site.stop)
        stretch(site, 40, started, at_most(CONNECTIONS))


def at_most(connections: int) -> Load:
    return lambda count, act: at_once(count, connections, act)


def stretch(site: Site, count: int, started: services.Services, load: Load, sent: Sequence[str] = TEXTS) -> Stretch:
    """Send *count* submissions with the texts *sent*, paced by *load*, and wait for all verdicts."""
    crowd = Crowd(site, max(1, count // PER_PLAYER), sent)
    answered: list[float] = []

    async def act(number: int) -> None:
        begin = time.monotonic()
        await crowd.send(number)
        answered.append(time.monotonic() - begin)

    async def go() -> None:
        await load(count, act)
        site.client.close()

    before, begin = cpu(site, started), time.monotonic()
    asyncio.run(go())
    services.wait_until(f"{site.name}: all verdicts", lambda: not site.has_waiting(), 600)
    seconds = time.monotonic() - begin
    web, judge, database = (
        (after - first) / count * 1e3 for first, after in zip(before, cpu(site, started), strict=True)
    )
    return Stretch(count, seconds, max(answered), len(crowd.refused), web, judge, database)


def cpu(site: Site, started: services.Services) -> list[float]:
    """Return the CPU seconds of web, judge and database since they were started."""
    return [services.cpu_seconds(root) for root in (pid(site.web), pid(site.judge), started.postgres_pid)]


def _saturation(sites: Sites, started: services.Services) -> Iterator[Figure]:
    rates: dict[str, list[float]] = defaultdict(list)
    costs: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for _ in range(ROUNDS):
        for site in sites:
            count = 1_500 if isinstance(site, Ours) else 500
            done = stretch(site, count, started, at_most(CONNECTIONS))
            if done.refused:
                raise RuntimeError(f"{site.name} refused {done.refused} of {count}")
            rates[site.name].append(count / done.seconds)
            costs[site.name].append((done.web, done.judge, done.database))
    rate = {name: median(values) for name, values in rates.items()}
    for other, least in ((sites.batched, 1.5), (sites.tuned, 3), (sites.shipped, 7)):
        best, base = rate[sites.ours.name], rate[other.name]
        yield Figure(
            "POST to verdict, saturated", best, "/s", other.name, base, f"at least {least}", best >= least * base
        )
    yield Figure("POST to verdict, saturated, embedded", rate[sites.embedded.name], "/s")
    cost = {name: [median(part) for part in zip(*values, strict=True)] for name, values in costs.items()}
    for other in (sites.batched, sites.tuned, sites.shipped):
        for part, own, rival in zip(
            ("web", "worker", "database"), cost[sites.ours.name], cost[other.name], strict=True
        ):
            yield Figure(f"CPU a submission, {part}", own, "ms", other.name, rival)
        yield Figure("CPU a submission, all", sum(cost[sites.ours.name]), "ms", other.name, sum(cost[other.name]))


def _latency(sites: Sites) -> Iterator[Figure]:
    waits: dict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        for site in sites:
            waits[site.name] += asyncio.run(waits_of(site))
    half = {name: median(values) for name, values in waits.items()}
    tail = {name: quantiles(values, n=100)[98] for name, values in waits.items()}
    name = f"POST to verdict at {LATENCY_RATE}/s"
    for other in (sites.batched, sites.tuned, sites.shipped):
        base, own = half[other.name], half[sites.ours.name]
        yield Figure(f"{name}, p50", own, "ms", other.name, base, "at most 1", own <= base)
        yield Figure(f"{name}, p99", tail[sites.ours.name], "ms", other.name, tail[other.name])
    own = half[sites.embedded.name]
    yield Figure(f"{name}, p50, embedded", own, "ms", target="at most 12", is_met=own <= 12)
    yield Figure(f"{name}, p99, embedded", tail[sites.embedded.name], "ms")


async def waits_of(site: Site) -> list[float]:
    """Return the milliseconds from each request until its verdict can be read from the database."""
    crowd, waits = Crowd(site, LATENCY_SUBMISSIONS), []

    async def act(number: int) -> None:
        begin = time.monotonic()
        submission = await crowd.send(number)
        if submission is None:
            raise RuntimeError(f"{site.name} refused with {crowd.refused[-1]}")
        while not site.is_judged(submission):
            await asyncio.sleep(0.001)
        waits.append((time.monotonic() - begin) * 1e3)

    await at_rate(LATENCY_SUBMISSIONS, LATENCY_RATE, act)
    site.client.close()
    return waits


def _backlog(sites: Sites) -> Iterator[Figure]:
    rates: dict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        for site in (sites.ours, sites.batched, sites.tuned, sites.shipped):
            # Enough for some seconds on each, so that the start and the end of a run weigh little.
            count = 20_000 if site is sites.ours else 1_000
            rates[site.name].append(verdicts_a_second(site, count))
    rate = {name: median(values) for name, values in rates.items()}
    for other, least in ((sites.batched, 0), (sites.tuned, 0), (sites.shipped, 25)):
        own, base = rate[sites.ours.name], rate[other.name]
        target = f"at least {least}" if least else ""
        yield Figure("judged, rows waiting", own, "/s", other.name, base, target, own >= least * base)

    single_rate = rate[sites.ours.name]
    with sites.ours.second_judge():
        double_rate = median(verdicts_a_second(sites.ours, 20_000) for _ in range(ROUNDS))
    yield Figure("judged, rows waiting, two judges", double_rate, "/s", "one judge", single_rate)


def verdicts_a_second(site: Site, count: int) -> float:
    """Return the verdicts per second for *count* submissions that are queued before the judges start."""
    site.pause_judges()
    site.fill_queue(count)
    begin = time.monotonic()
    site.resume_judges()
    services.wait_until(f"{site.name}: all verdicts", lambda: not site.has_waiting(), 600, every=0.01)
    return count / (time.monotonic() - begin)


def _spike(sites: Sites, started: services.Services) -> Iterator[Figure]:
    def spike(count: int, act: Callable[[int], Awaitable[None]]) -> Awaitable[float]:
        return at_rate(count, SPIKE_SUBMISSIONS / SPIKE_SECONDS, act)

    done = {
        site.name: stretch(site, SPIKE_SUBMISSIONS, started, spike)
        for site in (sites.ours, sites.batched, sites.tuned, sites.shipped)
    }
    own = done[sites.ours.name]
    name = f"spike, {SPIKE_SUBMISSIONS:,} in {SPIKE_SECONDS} s"
    yield Figure(f"{name}: refused", own.refused, "", target="none", is_met=not own.refused)
    for other in (sites.batched, sites.tuned, sites.shipped):
        rival = done[other.name]
        yield Figure(f"{name}: until the last verdict", own.seconds, "s", other.name, rival.seconds)
        yield Figure(f"{name}: slowest answer", own.slowest_answer, "s", other.name, rival.slowest_answer)


def _polls(sites: Sites, started: services.Services) -> Iterator[Figure]:
    """Poll an unchanged board of hundreds of rows; the textbook site sends it again in full."""
    spent = {site.name: asyncio.run(poll(site, started)) for site in (sites.ours, sites.tuned)}
    own = spent[sites.ours.name]
    yield Figure(
        "CPU of a poll of an unchanged board, web and database", own, "ms", sites.tuned.name,
        spent[sites.tuned.name], "under 2 ms", own < 2,
    )  # fmt: skip


async def poll(site: Site, started: services.Services) -> float:
    """Return the CPU milliseconds of web and database for a poll of an unchanged board."""
    first = await site.client.request("GET", site.board)
    known = f"If-None-Match: {first.headers['etag']}\r\n" if "etag" in first.headers else ""

    async def act(_number: int) -> None:
        answer = await site.client.request("GET", site.board, headers=known)
        if answer.status != (304 if known else 200):
            raise RuntimeError(f"{site.name} answered a poll with {answer.status}")

    await at_once(50, 1, act)
    before = cpu(site, started)
    await at_once(POLLS, 1, act)
    web, _judge, database = (after - first for first, after in zip(before, cpu(site, started), strict=True))
    site.client.close()
    return (web + database) / POLLS * 1e3


def _memory(sites: Sites) -> Iterator[Figure]:
    for part in ("web", "judge"):
        used = {site.name: services.memory_megabytes(pid(getattr(site, part))) for site in sites}
        for other in (sites.batched, sites.tuned, sites.shipped):
            yield Figure(f"memory, {part}", used[sites.ours.name], "MB", other.name, used[other.name])
