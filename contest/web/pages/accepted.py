"""A round's accepted submissions: the whole list with filters, and the newest ones for other pages to poll."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.functional import cached_property
from django.views.decorators.http import require_safe
from django_countries import countries as known_countries

from contest import visibility
from contest.infra import clock
from contest.infra.cache import remember
from contest.models import Slot, Submission
from contest.web.pages.views import PER_PAGE, latest_accepted
from contest.web.shell import live
from contest.web.shell.request import Request

LONGEST_NAME = 128
ORDERS = {
    "received": ("-received_at", "-number"),
    "moves": ("moves", "pushes", "received_at", "number"),
    "pushes": ("pushes", "moves", "received_at", "number"),
}


@dataclass(frozen=True)
class Filter:
    """The requested filters and order of the list."""

    name: str
    country: str
    slot: str
    by: str

    @property
    def is_narrowed(self) -> bool:
        """Return False for the whole list, newest first."""
        return bool(self.name or self.country or self.slot) or self.by != "received"

    def apply_to(self, accepted: QuerySet[Submission]) -> QuerySet[Submission]:
        if self.name:
            accepted = accepted.filter(player__nickname__icontains=self.name, player__erased_at=None)
        if self.country:
            accepted = accepted.filter(player__country__iexact=self.country)
        if self.slot:
            accepted = accepted.filter(level__slot=self.slot)
        return accepted.order_by(*ORDERS[self.by])


class Listing(Paginator):  # type: ignore[type-arg]  # it takes none at run time
    """Paginate the list. Its row count is cached per *version* of the list, unless a name is searched."""

    def __init__(self, wanted: Filter, listed: QuerySet[Submission], version: object) -> None:
        self.listed = wanted.apply_to(listed)
        super().__init__(self.listed, PER_PAGE)
        self.key = None if wanted.name else (version, wanted)

    @cached_property
    def count(self) -> int:
        return remember(self.key, self.listed.count) if self.key else self.listed.count()

    def page(self, number: int | str) -> Page[Submission]:
        """Select the keys from the nearer end of the list, then the rows: avoids reading all rows before a far page."""
        number = self.validate_number(number)
        start = (number - 1) * self.per_page
        end = min(start + self.per_page, self.count)
        numbers = self.listed.values_list("pk", flat=True)
        is_far = start > self.count // 2
        chosen = list(numbers.reverse()[self.count - end : self.count - start] if is_far else numbers[start:end])
        return Page(self.listed.filter(pk__in=chosen), number, self)


@require_safe
def submissions_page(request: Request, number: int) -> HttpResponseBase:
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(request.viewer, at), number=number)
    wanted = _read_filter(request)
    levels = list(visibility.levels(request.viewer, at).filter(round=round_).order_by("pk"))
    known = live.versions(levels)
    part = live.part(live.address_of(request), request.viewer, round_, at, known)
    if unchanged := part.not_modified(request):
        return unchanged
    listed = visibility.accepted_submissions(request.viewer, at).filter(round=round_)
    chosen = Listing(wanted, listed, ("accepted", round_.pk, known)).get_page(request.GET.get("page"))
    context = {
        "round": round_,
        "phase": round_.phase(at),
        "chosen": chosen,
        "filter": wanted,
        "looks": wanted.is_narrowed or chosen.number > 1,
        "countries": _countries(listed, ("countries", round_.pk, known)),
        "slots": [(slot, label) for slot, label in Slot.choices if slot in {level.slot for level in levels}],
    }
    return part.render(
        request, "contest/submissions/submissions.html", "contest/submissions/_submissions_part.html", context
    )


@require_safe
def latest(request: Request, number: int) -> HttpResponseBase:
    """Return only the newest rows, for other pages to poll; without `part`, redirect to the whole list."""
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(request.viewer, at), number=number)
    if "part" not in request.GET:
        return redirect("submissions", number)
    levels = list(visibility.levels(request.viewer, at).filter(round=round_).order_by("pk"))
    part = live.latest(request.viewer, round_, at, live.versions(levels))
    if unchanged := part.not_modified(request):
        return unchanged
    rows = latest_accepted(request.viewer, round_, levels, at)
    return part.render(request, "", "contest/submissions/_latest_part.html", {"round": round_, "accepted": rows})


def _read_filter(request: Request) -> Filter:
    """Parse the filter; raise Http404 for an unknown level or order. Any name is valid."""
    slot, by = request.GET.get("slot", ""), request.GET.get("by", "received")
    if slot not in ("", *Slot.values) or by not in ORDERS:
        raise Http404
    name = request.GET.get("name", "").replace("\0", "").strip()[:LONGEST_NAME]
    return Filter(name, request.GET.get("country", "").replace("\0", "")[:8].upper(), slot, by)


def _countries(listed: QuerySet[Submission], key: object) -> list[tuple[str, str]]:
    """Return the countries of the round's players, sorted by name, as choices."""
    codes = remember(key, lambda: list(listed.order_by().values_list("player__country", flat=True).distinct()))
    known = {code.upper() for code in codes if code not in ("", "00")}
    return sorted(((code, str(known_countries.name(code) or code)) for code in known), key=lambda pair: pair[1])
