"""The whole site under load beside the textbook's: verdicts a second, waiting times, cost and memory."""

import asyncio
import time
from statistics import median, quantiles

from bench import services, sites
from bench.load import at_once, at_rate
from bench.seeding import texts
from bench.sites import Ours, Site, pid

CONNECTIONS = 8
PER_PLAYER = 5
TEXTS = texts(4_000)


class Run:
    """One measured stretch on one site: submissions of players nobody has seen before."""

    count = 0

    def __init__(self, site: Site) -> None:
        Run.count += 1
        self.site, self.mark = site, f"r{Run.count}"
        self.answers: list[int] = []

    async def send(self, number: int, players: int) -> int | None:
        nickname = f"{self.mark} player {number % players}"
        answer = await self.site.client.request("POST", self.site.submissions, self.site.body(nickname, TEXTS[number]))
        self.answers.append(answer.status)
        if answer.status not in (201, 202):
            print(answer)
        return self.site.received(nickname, answer) if answer.status in (201, 202) else None

    @property
    def accepted(self) -> int:
        return sum(status in (201, 202) for status in self.answers)


def wait_for_verdicts(site: Site) -> None:
    services.wait_until(f"{site.name}: verdicts", lambda: site.count_waiting() == 0, 600)


def saturation(site: Site, count: int) -> tuple[float, float]:
    """Verdicts a second and seconds of CPU, of web, worker and database."""
    run = Run(site)
    before = cost(site)
    begin = time.monotonic()
    asyncio.run(at_once_(run, count))
    wait_for_verdicts(site)
    took = time.monotonic() - begin
    return count / took, [(b - a) / count * 1e3 for a, b in zip(before, cost(site), strict=True)]


async def at_once_(run, count):
    players = count // PER_PLAYER

    async def act(number):
        assert await run.send(number, players) is not None, run.answers[-1]

    await at_once(count, CONNECTIONS, act)
    run.site.client.close()
    run.site.client.idle.clear()


def cost(site):
    return [services.cpu_seconds([pid(c)]) for c in (site.web, site.judge)] + [services.cpu_seconds([services.PG])]


def latency(site, count, rate=10):
    run = Run(site)
    posts, verdicts = [], []

    async def act(number):
        begin = time.monotonic()
        row = await run.send(number, count)
        posts.append(time.monotonic() - begin)
        while not site.is_judged(row):
            await asyncio.sleep(0.001)
        verdicts.append(time.monotonic() - begin)

    async def go():
        await at_rate(count, rate, act)
        site.client.close()
        site.client.idle.clear()

    asyncio.run(go())
    return [x * 1e3 for x in posts], [x * 1e3 for x in verdicts]


def main():
    with services.started() as s:
        import psycopg

        with psycopg.connect(s.conninfo("postgres")) as c:
            p = c.execute("select pg_backend_pid()").fetchone()[0]
            services.PG = int(services._stat(p)[1])
        all_ = [sites.embedded(s)]
        for site in all_:
            site.start()
            s.stack.callback(site.stop)
        for _ in range(2):
            for site in all_:
                n = 1000 if isinstance(site, Ours) else 300
                print("saturation", site.name, saturation(site, n), flush=True)
        for _ in range(2):
            for site in all_:
                p, v = latency(site, 100)
                q = quantiles(v, n=100)
                print("latency", site.name, "post", median(p), "verdict", median(v), q[98], flush=True)
        for site in all_:
            print(
                "memory",
                site.name,
                services.memory_megabytes([pid(site.web)]),
                services.memory_megabytes([pid(site.judge)]),
            )


if __name__ == "__main__":
    main()
