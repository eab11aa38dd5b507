"""What was accepted in a round: the whole list with filters, and the newest for other pages, which renew it."""

from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.functional import Promise
from django.views.decorators.http import require_safe
from django_countries import countries as known_countries

from contest import clock, visibility
from contest.models import Round, Slot, Submission
from contest.visibility import Viewer
from contest.web import live
from contest.web.views import LAST_ACCEPTED, PER_PAGE, Request

LONGEST_NAME = 128
ORDERS = {
    "received": ("-received_at", "-number"),
    "moves": ("moves", "pushes", "received_at", "number"),
    "pushes": ("pushes", "moves", "received_at", "number"),
}


@dataclass(frozen=True)
class Filter:
    """What of the list is asked for, and in which order."""

    name: str
    country: str
    slot: str
    by: str

    @property
    def is_plain(self) -> bool:
        return not (self.name or self.country or self.slot) and self.by == "received"

    def of(self, accepted: QuerySet[Submission]) -> QuerySet[Submission]:
        if self.name:
            accepted = accepted.filter(player__nickname__icontains=self.name, player__erased_at=None)
        if self.country:
            accepted = accepted.filter(player__country__iexact=self.country)
        if self.slot:
            accepted = accepted.filter(level__slot=self.slot)
        return accepted.order_by(*ORDERS[self.by])


@require_safe
def submissions_page(request: Request, number: int) -> HttpResponseBase:
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(request.viewer, at), number=number)
    wanted = _filter(request)
    part = live.part(live.asked(request), request.viewer, round_, at, live.versions(request.viewer, round_, at))
    if unchanged := part.unchanged(request):
        return unchanged
    listed = visibility.accepted(request.viewer, at).filter(round=round_)
    chosen = Paginator(wanted.of(listed), PER_PAGE).get_page(request.GET.get("page"))
    words = {
        "round": round_,
        "phase": round_.phase(at),
        "chosen": chosen,
        "filter": wanted,
        "looks": not wanted.is_plain or chosen.number > 1,
        "countries": _countries(listed),
        "slots": _slots(request.viewer, round_, at),
    }
    return part.render(request, "contest/submissions.html", "contest/_submissions_part.html", words)


@require_safe
def latest(request: Request, number: int) -> HttpResponseBase:
    """The newest rows alone, for the pages that show them; a reader who comes here is shown the whole list."""
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(request.viewer, at), number=number)
    if "part" not in request.GET:
        return redirect("submissions", number)
    part = live.latest(request.viewer, round_, at, live.versions(request.viewer, round_, at))
    if unchanged := part.unchanged(request):
        return unchanged
    rows = visibility.accepted(request.viewer, at).filter(round=round_)[:LAST_ACCEPTED]
    return part.render(request, "", "contest/_latest_part.html", {"round": round_, "accepted": rows})


def _filter(request: Request) -> Filter:
    """Raise Http404 for a level or an order that there is not; a name is looked for as it is."""
    slot, by = request.GET.get("slot", ""), request.GET.get("by", "received")
    if slot not in ("", *Slot.values) or by not in ORDERS:
        raise Http404
    name = request.GET.get("name", "").replace("\0", "").strip()[:LONGEST_NAME]
    return Filter(name, request.GET.get("country", "").replace("\0", "")[:8].upper(), slot, by)


def _countries(listed: QuerySet[Submission]) -> list[tuple[str, str]]:
    """The countries of the round's players by name, for choosing."""
    codes = listed.order_by().values_list("player__country", flat=True).distinct()
    known = {code.upper() for code in codes if code not in ("", "00")}
    return sorted(((code, str(known_countries.name(code) or code)) for code in known), key=lambda pair: pair[1])


def _slots(viewer: Viewer, round_: Round, at: datetime) -> list[tuple[str, str | Promise]]:
    held = set(visibility.levels(viewer, at).filter(round=round_).values_list("slot", flat=True))
    return [(slot, label) for slot, label in Slot.choices if slot in held]
