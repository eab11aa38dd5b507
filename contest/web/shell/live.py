"""Parts of pages that renew themselves while somebody looks, asked for alone by ETag (`shell/live-parts.js`).

Whatever changes a list raises the version of a board, so that nobody need read the list to know that it is the same.
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
from contest.infra import cache, kept
from contest.models import Level, Round
from contest.rankings import board_versions
from contest.rules.phases import Phase
from contest.visibility import Viewer

SECONDS = 15
# After the close the last verdicts are still on their way.
LINGERS = timedelta(minutes=5)


@dataclass(frozen=True)
class Part:
    """Where the part is asked for, what it is now, and after how many seconds to ask again; 0 is never."""

    address: str
    etag: str
    seconds: int

    def not_modified(self, request: HttpRequest) -> HttpResponseBase | None:
        """304 for whoever has what stands now; None for everybody else."""
        answer = kept.not_modified(request, self.etag) if "part" in request.GET else None
        if answer is not None:
            for name, value in self._headers.items():
                answer[name] = value
        return answer

    def render(self, request: HttpRequest, page: str, part: str, words: dict[str, Any]) -> HttpResponse:
        """The template *page* with everything, or *part* alone where that is asked for."""
        words = {**words, "part": self.on(request)}
        if "part" not in request.GET:
            return render(request, page, words)
        answer = render(request, part, words)
        for name, value in self._headers.items():
            answer[name] = value
        return answer

    def on(self, request: HttpRequest) -> "Part":
        """The part as *request* shows it: an organiser's preview is asked for once, for nobody else sees it yet."""
        return replace(self, seconds=0) if hasattr(request, "preview") else self

    @property
    def _headers(self) -> dict[str, str]:
        return {"ETag": self.etag, "Live-Every": str(self.seconds), "Cache-Control": "private, no-cache"}


def versions(levels: Iterable[Level]) -> list[tuple[int, int]]:
    """What every list of a round with these *levels* hangs on."""
    return sorted((level.pk, level.board_version) for level in levels)


def part(address: str, viewer: Viewer, round_: Round, at: datetime, *about: object) -> Part:
    """The part at *address*, which nothing decides but *about*, the phase, the language and the viewer's own names."""
    phase = round_.phase(at)
    is_shown = visibility.are_solutions_public(round_, at)  # from then on every count leads to its replay
    etag = f'"{cache.digest((address, get_language(), phase, is_shown, sorted(viewer.players), about))}"'
    is_over = phase is not Phase.OPEN and at >= round_.reveals_at + LINGERS
    joint = "&" if "?" in address else "?"
    return Part(f"{address}{joint}part=1", etag, 0 if is_over or phase is Phase.CANCELLED else SECONDS)


def latest(viewer: Viewer, round_: Round, at: datetime, known: list[tuple[int, int]]) -> Part:
    """The newest accepted submissions, which several pages show; *known* are the round's `versions`."""
    return part(reverse("latest", args=[round_.number]), viewer, round_, at, known)


def hangs_on(request: HttpRequest, number: int, **_others: object) -> kept.State:
    """A part on what its ETag is made of, a page on everything."""
    return board_versions.of_its_round(request, number) if "part" in request.GET else kept.whole_database()


def address_of(request: HttpRequest) -> str:
    """The address that was asked for, without what asks for the part alone."""
    query = request.GET.copy()
    query.pop("part", None)
    return f"{request.path}?{query.urlencode()}" if query else request.path
