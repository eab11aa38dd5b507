"""The projector view of a round: one ranking after another in large type, with a QR code of the round's URL."""

from dataclasses import dataclass, replace
from datetime import datetime

import segno
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contest import results, visibility
from contest.infra import clock
from contest.infra.site_address import absolute_url
from contest.models import Level, Metric, Round
from contest.models.level import in_order
from contest.rankings import standings, tops
from contest.rules.phases import Phase
from contest.web.shell import live
from contest.web.shell.request import Request

ROWS = 10


@dataclass(frozen=True)
class Slide:
    """One ranking of a level."""

    level: Level
    metric: str
    rows: list[standings.Row]

    @property
    def title(self) -> str:
        return _("Fewest moves") if self.metric == Metric.MOVES else _("Fewest pushes")


@require_safe
def screen(request: Request, number: int) -> HttpResponseBase:
    at = clock.now()
    round_ = get_object_or_404(visibility.opened_rounds(request.viewer, at), number=number)
    public = visibility.levels(request.viewer, at).filter(round=round_, voided_at=None)
    levels = in_order(public)
    part = live.part(request.path, request.viewer, round_, at, live.versions(levels))
    if unchanged := part.not_modified(request):
        return unchanged
    rows = tops.top_rows(levels, ROWS)
    context = {
        "round": round_,
        "phase": round_.phase(at),
        "title": visibility.title(round_, at),
        "slides": [
            Slide(level, metric, rows.get((level.pk, metric), [])) for level in levels for metric in Metric.values
        ],
        "results": _results(round_, at),
        "qr": qr_code(_address(request, round_)),
    }
    return part.render(request, "contest/round/screen.html", "contest/round/_screen_part.html", context)


def _results(round_: Round, at: datetime) -> results.Results | None:
    """Return a final round's titles and the first rows of its results, else None."""
    if round_.phase(at) is not Phase.FINAL:
        return None
    found = results.table(results.current(round_, at))
    return replace(found, rows=found.rows[:ROWS])


def _address(request: Request, round_: Round) -> str:
    """Return the URL in the QR code, on the site's configured host name if there is one."""
    return absolute_url(request, round_.get_absolute_url())


def qr_code(text: str) -> SafeString:
    """Return a QR code as an SVG element."""
    code = segno.make(text, error="m", micro=False)
    drawn: str = code.svg_inline(
        border=2, omitsize=True, svgclass="qr", lineclass="dark", title=_("This round as a QR code")
    )
    return mark_safe(drawn)  # noqa: S308 - drawn by a library out of squares; the text is not in it
