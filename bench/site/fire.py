"""Attacks on a whole site as shipped: response time of a page during an attack, compared with normal load.

The short form uses a tenth of the connections; `--full` uses all (it needs 20,000 open files). "Before" is the same
site with the web server that it had before the front server was added.
"""

import asyncio
import http.client
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from statistics import median
from typing import Any
from urllib.parse import urlencode

from bench.figures import Figure
from bench.site import services
from bench.site.attacks import readers
from bench.site.load import Client
from bench.site.sites import Shut, Site, WithoutFront, pid, sqlite_site
from tooling.environment import plain_environment
from tooling.folders import ROOT
from tooling.processes import Child, stop_children
from tooling.terminal import Problem, last_lines

IS_FULL = bool(os.environ.get("BENCH_FULL"))
BODIES, HEADS, SILENT = (2_000, 5_000, 10_000) if IS_FULL else (200, 500, 1_000)
ASKED = 60 if IS_FULL else 30
PATIENCE = 10.0
# Long enough for all connections to arrive, and for the first to be closed by the server and reconnect.
GATHERING_SECONDS = 15 if IS_FULL else 8
CROWD, CROWD_ASKS = 300, 5
# Data that one connection sends for some seconds without reading: a beginning, and a part that is repeated.
SWELLING_SECONDS = 6.0
SWELLING = {
    "fields behind a body": (
        b"POST /en/submit/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n",
        b"a: b\r\n" * 10_000,
    ),
    "heads of 16,000 fields": (b"", b"GET /en/ HTTP/1.1\r\nHost: localhost\r\n" + b"a:\r\n" * 16_000 + b"\r\n"),
    "requests ahead of answers": (b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1_500),
}
# One request a minute passes each gate of this site; the others are refused.
SHUT = {
    f"{cost}_PER_MINUTE": "1" for cost in ("ADDRESS", "BOARDS", "FILMS", "FORMS", "KLOTSKI", "LETTERS", "QUESTIONS")
}
REFUSED, REFUSED_BYTES = 200, 38_000
# A URL for each kind of door and declaration, and the name of the field that its body is in.
DOORS = {
    "API submission": ("/api/v1/submissions/", "moves"),
    "API check": ("/api/v1/check/", "moves"),
    "API solver": ("/api/v1/solver/", "level"),
    "API rebuild": ("/api/v1/rebuild/", "moves"),
    "submission": ("/en/submit/", "moves"),
    "check": ("/en/check/", "moves"),
    "editor": ("/en/editor/", "pasted"),
    "picture of the editor": ("/en/editor/picture/", "pasted"),
    "solver": ("/en/lab/solver/", "level"),
    "letters": ("/en/mail/", "email"),
    "proposal": ("/en/propose/", "pasted"),
    "sign-in": ("/en/account/login/", "login"),
    "older program": ("/submit_result.php", "lurd"),
    "Klotski": ("/en/lab/klotski/strict/?from=AA&to=AA", ""),
    "search": ("/en/search/?q=x", ""),
    "link with moves": ("/lurd2xsb/RRdd", ""),
    "link with a level": ("/sokoplayer/?AA", ""),
}


def measure() -> Iterator[Figure]:
    """Yield a page's response time under each attack, then the answers to more readers than the site can serve."""
    with services.start_services() as started:
        site = sqlite_site(started)
        site.start()
        started.stack.callback(site.stop)
        before = sqlite_site(started, WithoutFront)
        before.start()
        try:
            yield from _before(before)
        finally:
            before.stop()
        yield from measure_refusals(started)
        yield from _attacks(site)
        yield from _swell(site)
        yield from _crowd(site)
    yield from readers.measure()


def _before(site: Site) -> Iterator[Figure]:
    yield Figure("before: page in peace", _page(site), "ms")
    for name, argument in (("32 stalled bodies", "bodies=32"), ("1,100 silent connections", "silent=1100")):
        with _flood(site, argument):
            answered = [_seconds(site, "/en/") is not None for _ in range(3)]
        yield Figure(f"before: pages of 3 answered in 10 s, {name}", sum(answered), "")


def measure_refusals(started: services.Services) -> Iterator[Figure]:
    """Yield the CPU time of a request refused by the gate of each kind of door."""
    site = sqlite_site(started, Shut)
    site.env = {**site.env, **SHUT}
    site.start()
    try:
        for name, (path, field) in DOORS.items():
            milliseconds = 1e3 * _cost_of_refusal(site, path, field)
            yield Figure(f"CPU per 429, {name}", milliseconds, "ms", target="at most 2", is_met=milliseconds <= 2)
    finally:
        site.stop()


def _cost_of_refusal(site: Site, path: str, field: str) -> float:
    """Return the CPU seconds of the web process for one of many refused requests of one address."""
    is_api, text = path.startswith("/api/"), "#" * REFUSED_BYTES
    body = json.dumps({field: text}) if is_api else urlencode({"csrfmiddlewaretoken": "a" * 64, field: text})
    kind = "application/json" if is_api else "application/x-www-form-urlencoded"
    # With this cookie the CSRF check reads the form.
    head = {"Host": "localhost", "X-Forwarded-For": "10.11.0.1", "Cookie": f"csrf={'a' * 32}", "Content-Type": kind}
    arguments = ("POST", path, body, head) if field else ("GET", path, None, head)
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as connected:
        _ask(connected, arguments)
        before = services.cpu_seconds(pid(site.web))
        answers = [_ask(connected, arguments) for _ in range(REFUSED)]
        spent = services.cpu_seconds(pid(site.web)) - before
    if strange := [status for status, body in answers if status != 429 and b"lease wait" not in body]:
        raise Problem(f"{path} answered {strange[0]} to {len(strange)} of {REFUSED} requests")
    return spent / REFUSED


def _ask(connected: http.client.HTTPConnection, arguments: Any) -> tuple[int, bytes]:
    connected.request(*arguments)
    answer = connected.getresponse()
    return answer.status, answer.read()


def _attacks(site: Site) -> Iterator[Figure]:
    in_peace = _page(site)
    yield Figure("page in peace", in_peace, "ms")
    together = [f"bodies={BODIES}", f"heads={HEADS}", f"silent={SILENT}"]
    attacks: dict[str, Sequence[str]] = {
        f"{BODIES:,} stalled bodies": together[:1],
        f"{HEADS:,} slow heads": together[1:2],
        f"{SILENT:,} silent connections": together[2:],
        "all of these together": together,
        "1,000 silent from one address": ["silent=1000", "one"],
    }
    for name, arguments in attacks.items():
        with _flood(site, *arguments):
            latency, health = _page(site), _page(site, "/healthz")
        yield Figure(f"page, {name}", latency, "ms", "in peace", in_peace, "at most 2", latency <= 2 * in_peace)
        yield Figure(f"health, {name}", health, "ms", target="under 100", is_met=health < 100)


@contextmanager
def _flood(site: Site, *arguments: str) -> Iterator[None]:
    command = [sys.executable, "-m", "bench.site.flood", str(site.port), *arguments]
    flood = Child("flood", command, plain_environment() | {"PYTHONPATH": str(ROOT)}, site.logs / "flood.log")
    flood.start()
    try:
        time.sleep(GATHERING_SECONDS)
        if flood.exit_code() is not None:
            raise Problem(f"the flood ended:\n{last_lines(flood.log)}")
        yield
    finally:
        stop_children([flood])


def _page(site: Site, path: str = "/en/") -> float:
    """Return the median response time of a page in milliseconds; no answer counts as PATIENCE."""
    return median(1e3 * (_seconds(site, path) or PATIENCE) for _ in range(ASKED))


def _seconds(site: Site, path: str) -> float | None:
    """Return the seconds until an answer on a new connection, or None if there was none."""
    begin = time.monotonic()
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as connected:
            # An unknown cookie bypasses the page cache.
            connected.request("GET", path, headers={"Host": "localhost", "Cookie": "stranger=1"})
            answer = connected.getresponse()
            answer.read()
    except (OSError, http.client.HTTPException):
        return None
    return time.monotonic() - begin if answer.status == 200 else None


def _swell(site: Site) -> Iterator[Figure]:
    """Yield the growth of the web process's memory under malformed traffic, and the slowest health check meanwhile."""
    for name, (beginning, repeated) in SWELLING.items():
        held = services.memory_megabytes(pid(site.web))
        until = time.monotonic() + SWELLING_SECONDS
        sender = threading.Thread(target=_send_until, args=(site.port, until, beginning, repeated))
        sender.start()
        slowest = most = 0.0
        while sender.is_alive():
            slowest = max(slowest, _seconds(site, "/healthz") or PATIENCE)
            most = max(most, services.memory_megabytes(pid(site.web)))
            time.sleep(0.05)
        sender.join()
        yield Figure(f"memory, {name}", most - held, "MB", target="at most 50", is_met=most - held <= 50)
        yield Figure(f"slowest health, {name}", slowest * 1e3, "ms", target="under 1,000", is_met=slowest < 1)


def _send_until(port: int, until: float, beginning: bytes, repeated: bytes) -> None:
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as connected:
            connected.sendall(beginning)
            while time.monotonic() < until:
                connected.sendall(repeated)


def _crowd(site: Site) -> Iterator[Figure]:
    """Send more concurrent requests than the site can serve: some are served, the others are refused at once."""
    served, refused, health = asyncio.run(_ask_at_once(site))
    name = f"{CROWD} readers at once"
    yield Figure(f"{name}: served", len(served), "")
    yield Figure(f"{name}: told to come again", len(refused), "")
    slowest = max([*served, *refused])
    yield Figure(f"{name}: slowest answer", slowest, "s", target="under 15", is_met=slowest < 15)
    yield Figure(f"{name}: slowest health", max(health) * 1e3, "ms", target="under 1,000", is_met=max(health) < 1)


async def _ask_at_once(site: Site) -> tuple[list[float], list[float], list[float]]:
    served: list[float] = []
    refused: list[float] = []
    health: list[float] = []

    async def reader(number: int) -> None:
        client = Client(site.port)
        for _ in range(CROWD_ASKS):
            begin = time.monotonic()
            address = f"X-Forwarded-For: 10.9.{number >> 8}.{number & 255}\r\n"
            answer = await client.request("GET", "/en/", headers=address)
            (served if answer.status == 200 else refused).append(time.monotonic() - begin)
            if answer.status != 200:
                client.close()
                client = Client(site.port)
                await asyncio.sleep(1)
        client.close()

    async def doctor() -> None:
        client = Client(site.port)
        while True:
            begin = time.monotonic()
            await client.request("GET", "/healthz")
            health.append(time.monotonic() - begin)
            await asyncio.sleep(0.2)

    asking = asyncio.ensure_future(doctor())
    await asyncio.gather(*map(reader, range(CROWD)))
    asking.cancel()
    return served, refused, health
