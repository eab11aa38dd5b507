"""An honest client's times while others ask for expensive pages and trials, on SQLite and on PostgreSQL."""

import http.client
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from statistics import median

from bench.figures import Figure
from bench.site import services
from bench.site.sites import Ours, Site, ours, sqlite_site
from tooling.environment import plain_environment
from tooling.folders import ROOT
from tooling.processes import Child, stop_children, wait_for_exit
from tooling.terminal import Problem, last_lines

# Connections, from where, and what they ask for: bench.site.attacks.asking.
ATTACKS = {
    "130 of one address, /en/compare/1/2/?x=N": ("130", "address", "parameters"),
    "130 of one address, pages": ("130", "address", "pages"),
    "1,000 of one /16, pages": ("1000", "network", "pages"),
    "1,000 of everywhere, pages": ("1000", "everywhere", "pages"),
    "240 of one address, trials": ("240", "address", "trials"),
}
ASKED, PAUSE_SECONDS, PATIENCE = 40, 0.2, 12.0
GATHERING_SECONDS = 5
# Until the requests of the last attack are answered.
RESTING_SECONDS = 10
READER = {"Host": "localhost", "X-Forwarded-For": "198.51.100.7"}
# Content on every page: the comparison of two players needs some.
PREPARE = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0, interactive=False)
from tests.browser import whole_site
print(whole_site.load().open)
"""


class Filled(Ours):
    """Leitai with content on every page."""

    def _seed(self, *_arguments: str) -> None:
        log = self.logs / "filling.log"
        if wait_for_exit(Child("filling", [sys.executable, "-c", PREPARE], dict(self.env), log), limit=300):
            raise Problem(f"{self.name}: nothing to measure on\n{last_lines(log)}")


def measure() -> Iterator[Figure]:
    """Yield the times of pages and submissions of one honest client in peace and under each attack."""
    with services.start_services() as started:
        for site in (sqlite_site(started, Filled), ours(started, kind=Filled)):
            site.start()
            try:
                yield from _attack(site)
            finally:
                site.stop()


def _attack(site: Site) -> Iterator[Figure]:
    honest = Honest(site)
    acts: dict[str, Callable[[], int]] = {
        "kept page": honest.read,
        "page": lambda: honest.read(Cookie="stranger=1"),
        "submission": honest.submit,
    }
    for attack, arguments in ATTACKS.items():
        time.sleep(RESTING_SECONDS)
        in_peace = {name: median(_times(act)) for name, act in acts.items()}
        with _flood(site, *arguments):
            for name, act in acts.items():
                times = _times(act)
                what, middle, worst = f"{site.name}: {name}, {attack}", median(times), max(times)
                is_met = middle <= 2 * in_peace[name]
                yield Figure(what, middle, "ms", "in peace", in_peace[name], "at most 2", is_met)
                yield Figure(f"{what}: worst", worst, "ms", target="at most 1,000", is_met=worst <= 1_000)


def _times(act: Callable[[], int]) -> list[float]:
    """Return the milliseconds of some calls of *act*; one that is refused counts as PATIENCE."""
    times = []
    for _ in range(ASKED):
        time.sleep(PAUSE_SECONDS)
        begin = time.monotonic()
        try:
            status = act()
        except (OSError, http.client.HTTPException):
            status = 0
        times.append(1e3 * (time.monotonic() - begin if status in (200, 202) else PATIENCE))
    return times


class Honest:
    """A client that reads a round's page from one address, and submits under new nicknames from others."""

    def __init__(self, site: Site) -> None:
        self._site, self._numbers = site, count()

    def read(self, **headers: str) -> int:
        return self._ask("GET", "/en/rounds/6/", None, READER | headers)

    def submit(self) -> int:
        number = next(self._numbers)
        body = json.dumps({"nickname": f"honest {number}", "moves": "lr" * (number + 1)})
        headers = READER | {"X-Forwarded-For": f"198.51.100.{number % 250}", "Content-Type": "application/json"}
        return self._ask("POST", self._site.submissions, body, headers)

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> int:
        with closing(http.client.HTTPConnection("127.0.0.1", self._site.port, timeout=PATIENCE)) as connected:
            connected.request(method, path, body, headers)
            answer = connected.getresponse()
            answer.read()
            return answer.status


@contextmanager
def _flood(site: Site, *arguments: str) -> Iterator[None]:
    command = [sys.executable, "-m", "bench.site.attacks.asking", str(site.port), *arguments]
    flood = Child("flood", command, plain_environment() | {"PYTHONPATH": str(ROOT)}, site.logs / "asking.log")
    flood.start()
    try:
        time.sleep(GATHERING_SECONDS)
        yield
        if flood.exit_code() is not None:
            raise Problem(f"the flood ended:\n{last_lines(flood.log)}")
    finally:
        stop_children([flood])
