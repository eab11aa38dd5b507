"""Clients of the event stream (server-sent events) on one web process: cost per client, and delivery time.

They behave like a browser's EventSource: keep their connection, and poll again after the delay in the response. The
site is the one-box default. `--listeners N` sets how many; 5,000, or fewer if the limit of open files is lower.
"""

import asyncio
import os
import resource
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from bench.figures import Figure
from bench.site import services
from bench.site.filling.seeding import texts
from bench.site.load import Answer, Client
from bench.site.sites import Ours, Site, pid, sqlite_site
from tooling.terminal import Problem

WANTED = 5_000
OTHER_FILES = 200
# Clients connect gradually; then follows a quiet time without events, and then one event.
GATHERING_SECONDS, QUIET_SECONDS, MOST_SECONDS = 15, 20, 120
_CHECK_SECONDS = 0.05


@dataclass
class Crowd:
    """The clients of one site, and what they received."""

    site: Site
    refused: int = 0
    broken: int = 0
    received_at: dict[int, float] = field(default_factory=dict)  # time of the event by client

    async def listen(self, number: int, after: int, late: float) -> None:
        """Connect after *late* seconds, and poll for events after *after* until one arrives."""
        await asyncio.sleep(late)
        client = Client(self.site.port)
        headers = f"Accept: text/event-stream\r\nX-Forwarded-For: 10.8.{number >> 8}.{number & 255}\r\n"
        while True:
            try:
                answer = await client.request("GET", f"/api/v1/events/?after={after}", headers=headers)
            except (OSError, EOFError):  # the server closed the connection: reconnect as a browser does
                self.broken += 1
                client = Client(self.site.port)
                await asyncio.sleep(1)
                continue
            if answer.status == 200 and b"\nid: " in answer.body:
                self.received_at[number] = time.monotonic()
                break
            if answer.status != 200:
                self.refused += 1
            await asyncio.sleep(_pause(answer))
        client.close()


def measure() -> Iterator[Figure]:
    """Yield memory and CPU of the web process per client without events, then how soon all clients receive one."""
    with services.start_services() as started:
        site = sqlite_site(started)
        site.start()
        started.stack.callback(site.stop)
        yield from asyncio.run(_measure(site, _listeners()))


def _listeners() -> int:
    """Return the wanted number of clients, limited by this process's open files; the web process has the same limit."""
    wanted = int(os.environ.get("BENCH_LISTENERS", WANTED))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = hard if hard != resource.RLIM_INFINITY else max(soft, wanted + OTHER_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(most, wanted + OTHER_FILES)), hard))
    return min(wanted, most - OTHER_FILES)


async def _measure(site: Ours, count: int) -> list[Figure]:
    last = await _last_event(site)
    web = pid(site.web)
    memory = services.memory_megabytes(web)
    crowd = Crowd(site)
    tasks = [
        asyncio.ensure_future(crowd.listen(number, last, number * GATHERING_SECONDS / count)) for number in range(count)
    ]
    await asyncio.sleep(GATHERING_SECONDS)
    begin, cpu = time.monotonic(), services.cpu_seconds(web)
    await asyncio.sleep(QUIET_SECONDS)
    spent = (services.cpu_seconds(web) - cpu) / (time.monotonic() - begin)
    grown = services.memory_megabytes(web) - memory
    if crowd.received_at:
        raise Problem("Something happened before it was to happen.")
    happened = await _send_submission(site)
    until = happened + MOST_SECONDS
    while len(crowd.received_at) < count and time.monotonic() < until:
        await asyncio.sleep(_CHECK_SECONDS)
    waits = sorted(at - happened for at in crowd.received_at.values())
    for task in tasks:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks)
    return [
        Figure("listeners", count, ""),
        Figure("memory of the web process, a listener", grown * 1024 / count, "KB"),
        Figure("CPU of the web process, a listener and second", spent * 1e3 / count, "ms"),
        Figure("CPU of the web process, all, of one core", spent * 100, "%"),
        Figure("event to half of them", waits[len(waits) // 2] if waits else MOST_SECONDS, "s"),
        Figure("event to the last who heard", waits[-1] if waits else MOST_SECONDS, "s"),
        Figure("heard nothing", count - len(waits), "", target="none", is_met=len(waits) == count),
        Figure("answers that sent them away (not 200)", crowd.refused, ""),
        Figure("connections that ended under them", crowd.broken, ""),
    ]


async def _last_event(site: Site) -> int:
    client = Client(site.port)
    answer = await client.request("GET", "/api/v1/events/")
    client.close()
    return answer.body.count(b"\n")  # one line per event, numbered from 1


async def _send_submission(site: Ours) -> float:
    """Send a submission that will be accepted, and return the time of its receipt."""
    client = Client(site.port)
    sent = await client.request("POST", site.submissions, site.body("Listened to", texts(1)[0]))
    client.close()
    if sent.status != 202:
        raise Problem(f"The submission was answered with {sent.status}.")
    return time.monotonic()


def _pause(answer: Answer) -> float:
    """Return the seconds until the next request, as given in the stream or the refusal."""
    if answer.status != 200:
        return float(answer.headers.get("retry-after", 1))
    first = answer.body.partition(b"\n")[0]
    return int(first.removeprefix(b"retry: ")) / 1e3
