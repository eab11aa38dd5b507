"""Live parts of pages: a script polls each part with its ETag (`shell/live-parts.js`).

Every change to a list increments a board's version, so an unchanged list is detected without reading it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language

from contest import visibility
from contest.infra import cache, identity, kept
from contest.models import Level, Round
from contest.rankings import board_versions
from contest.rules.phases import Phase
from contest.visibility import Viewer

SECONDS = 15
# Keep polling after the close: the last verdicts are still pending.
POLLING_AFTER_CLOSE = timedelta(minutes=5)


@dataclass(frozen=True)
class Part:
    """A live part: its URL, its current ETag, and the polling interval in seconds; 0 disables polling."""

    address: str
    etag: str
    seconds: int

    def not_modified(self, request: HttpRequest) -> HttpResponseBase | None:
        """Return 304 if the request is for the part and has its current ETag, else None."""
        answer = kept.not_modified(request, self.etag) if "part" in request.GET else None
        if answer is not None:
            for name, value in self._headers.items():
                answer[name] = value
        return answer

    def render(self, request: HttpRequest, page: str, part: str, context: dict[str, Any]) -> HttpResponse:
        """Render the template *page*, or only *part* if the request is for the part."""
        context = {**context, "part": self.on(request)}
        if "part" not in request.GET:
            return render(request, page, context)
        answer = render(request, part, context)
        for name, value in self._headers.items():
            answer[name] = value
        return answer

    def on(self, request: HttpRequest) -> "Part":
        """Return the part for *request*; an organiser's preview is not polled, because it is not public yet."""
        return replace(self, seconds=0) if hasattr(request, "preview") else self

    @property
    def _headers(self) -> dict[str, str]:
        return {"ETag": self.etag, "Live-Every": str(self.seconds), "Cache-Control": "private, no-cache"}


def versions(levels: Iterable[Level]) -> list[tuple[int, int]]:
    """Return the state on which every list of a round with these *levels* depends."""
    return sorted((level.pk, level.board_version) for level in levels)


def part(address: str, viewer: Viewer, round_: Round, at: datetime, *about: object) -> Part:
    """Return the part at *address*; it depends only on *about*, the phase, the language and the viewer's players."""
    phase = round_.phase(at)
    is_shown = visibility.are_solutions_public(round_, at)  # From then on every count links to its replay.
    look = get_language(), identity.version()
    etag = f'"{cache.digest((address, look, phase, is_shown, sorted(viewer.players), about))}"'
    is_over = phase is not Phase.OPEN and at >= round_.reveals_at + POLLING_AFTER_CLOSE
    joint = "&" if "?" in address else "?"
    return Part(f"{address}{joint}part=1", etag, 0 if is_over or phase is Phase.CANCELLED else SECONDS)


def latest(viewer: Viewer, round_: Round, at: datetime, known: list[tuple[int, int]]) -> Part:
    """Return the part with the newest accepted submissions, for several pages; *known* is the round's `versions`."""
    return part(reverse("latest", args=[round_.number]), viewer, round_, at, known)


def cache_state(request: HttpRequest, number: int, **_others: object) -> kept.State:
    """Return the state a cached response depends on: the board versions for a part, the whole database for a page."""
    return board_versions.of_its_round(request, number) if "part" in request.GET else kept.whole_database()


def address_of(request: HttpRequest) -> str:
    """Return the requested URL without the `part` parameter."""
    query = request.GET.copy()
    query.pop("part", None)
    return f"{request.path}?{query.urlencode()}" if query else request.path
