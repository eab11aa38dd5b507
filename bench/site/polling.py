"""Pages that anonymous clients poll, on PostgreSQL and Redis: CPU of the web process, cached and uncached."""

import io
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

from bench.figures import Figure, cpu_seconds
from bench.site import services

RUNS, REPEAT = 9, 10
# Limits in milliseconds: of a page sent from the cache, and of a 304 response.
MOST_PAGE, MOST_POLL = 0.5, 0.3
# An unknown cookie: requests with one bypass the cache.
LATE = {"HTTP_COOKIE": "stranger=1"}


def measure() -> Iterator[Figure]:
    """Yield the cost of each polled address and page, compared with the same request with a cookie."""
    with services.start_services() as started:
        started.become("polling")
        _fill()
        for address in _poll():
            etag = _ask(address)["headers"]["ETag"]
            yield from _compare(f"304 of {address}", address, {"HTTP_IF_NONE_MATCH": etag}, MOST_POLL)
        for address in _pages():
            yield from _compare(f"the page {address}", address, {}, MOST_PAGE)


def _poll() -> list[str]:
    parts = [f"/en/rounds/6/{page}?part=1" for page in ("main/", "main/moves/", "submissions/", "submissions/latest/")]
    numbers = ["/rounds/6/main/numbers.json", "/en/feeds/rounds.atom", "/en/feeds/submissions.json"]
    api = [f"/api/v1/rounds/{about}" for about in ("", "6/", "6/main/", "6/main/standings/")]
    return [*parts, "/en/screen/6/?part=1", *numbers, *api]


def _pages() -> list[str]:
    return ["/en/", *(f"/en/rounds/{about}" for about in ("", "5/", "6/", "6/main/", "6/main/moves/", "5/results/"))]


def _compare(what: str, address: str, headers: dict[str, str], most: float) -> Iterator[Figure]:
    ask = partial(_ask, address, **headers)
    late = partial(_ask, address, **headers, **LATE)
    ask(), late()
    early_seconds, late_seconds = cpu_seconds(ask, late, runs=RUNS, repeat=REPEAT)
    own = early_seconds * 1e3
    yield Figure(what, own, "ms", "with a cookie", late_seconds * 1e3, f"within {most} ms", own <= most)


def _fill() -> None:
    from django.core.management import call_command
    from django.db import connection

    from contest.infra import clock
    from contest.management.demo import demo

    call_command("migrate", verbosity=0, interactive=False)
    demo.load(clock.now())
    connection.close()  # the application limits its connections, and closes none that was opened before it


def _ask(address: str, **headers: str) -> dict[str, Any]:
    """Return the response of the WSGI application, called as the web server calls it."""
    from contest.wsgi import application

    path, _mark, query = address.partition("?")
    response: dict[str, Any] = {}

    def start(status: str, fields: list[tuple[str, str]], _trouble: object = None) -> None:
        response.update(status=status, headers=dict(fields))

    environ = {
        "REQUEST_METHOD": "GET", "SCRIPT_NAME": "", "PATH_INFO": path, "QUERY_STRING": query,
        "SERVER_PROTOCOL": "HTTP/1.1", "SERVER_NAME": "localhost", "SERVER_PORT": "80", "HTTP_HOST": "localhost",
        "REMOTE_ADDR": "127.0.0.1", "wsgi.version": (1, 0), "wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr, "wsgi.multithread": True, "wsgi.multiprocess": False, "wsgi.run_once": False,
        **headers,
    }  # fmt: skip
    parts: Any = application(environ, start)
    response["body"] = b"".join(parts)
    if hasattr(parts, "close"):
        parts.close()
    return response
