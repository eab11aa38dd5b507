"""URLs of a round on the desk: until its announcement `drafts/ID/`, because its number is not final (rule 2.1), then
`rounds/NUMBER/`. A GET of the earlier or later URL of a round is redirected to its current one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from contest.desk.access import StaffRequest
from contest.infra import clock
from contest.models import Round
from contest.staff import track_owners

_MOST_DIGITS = 9
_READING = ("GET", "HEAD")


@dataclass(frozen=True)
class Place:
    """A round as named in a URL."""

    is_draft: bool
    number: int  # the number of an announced round, the primary key of a draft

    @classmethod
    def of(cls, round_: Round) -> "Place":
        is_draft = round_.announced_at is None or round_.announced_at > clock.now()
        return cls(is_draft, round_.pk if is_draft else round_.number)

    def __str__(self) -> str:
        return f"{'drafts' if self.is_draft else 'rounds'}/{self.number}"

    @property
    def query(self) -> str:
        """Return the query string that names the round to another page."""
        return f"{'draft' if self.is_draft else 'round'}={self.number}"

    @property
    def lookup(self) -> dict[str, int]:
        return {"pk": self.number} if self.is_draft else {"number": self.number}


class PlaceConverter:
    """Path converter for a round: `rounds/219` or `drafts/17`; reverse() takes a round, a Place or a number."""

    regex = rf"(?:rounds|drafts)/[0-9]{{1,{_MOST_DIGITS}}}"

    def to_python(self, value: str) -> Place:
        kind, _slash, number = value.partition("/")
        return Place(kind == "drafts", int(number))

    def to_url(self, value: Round | Place | int) -> str:
        if isinstance(value, Round):
            value = Place.of(value)
        return str(value if isinstance(value, Place) else Place(is_draft=False, number=value))


def on_round(*permissions: str, among: Callable[[], QuerySet[Round]] = Round.objects.all) -> Callable[..., Any]:
    """Pass the round named by the URL to a view, if the user has one of *permissions* over it.

    GET requests are redirected to the round's current URL.
    """

    def guard(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def answer(request: StaffRequest, where: Place, **names: Any) -> HttpResponseBase:
            round_ = get_object_or_404(track_owners.filter_rows(request.user, among(), *permissions), **where.lookup)
            if request.method in _READING and where != Place.of(round_):
                return redirect(_address(request, round_, names))
            return view(request, round_, **names)

        return answer

    return guard


def _address(request: StaffRequest, round_: Round, names: dict[str, Any]) -> str:
    match = request.resolver_match
    address = reverse(match.view_name if match else "desk-round", kwargs={"where": round_, **names})
    query = request.GET.urlencode()
    return f"{address}?{query}" if query else address
