"""Cut a list into pages that stay put while rows are added in front, and read the numbers of a query."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request

from contest.api.objects.kinds import LARGEST_PAGE, Page
from contest.api.objects.problems import FieldError, Invalid
from contest.infra.site_address import absolute

R = TypeVar("R", bound=Model)
S = TypeVar("S")

LARGEST_NUMBER = 999_999_999
FARTHEST_START = 1_000_000
_CURSOR = re.compile(r"(before|after)-([0-9]{1,9})")


def whole_number(request: Request, name: str, *, default: int, least: int = 0, most: int) -> int:
    """The query's *name* as an integer is written in JSON, of 9 digits at most; more than *most* means *most*."""
    return read_number(name, request.query_params.get(name), default=default, least=least, most=most)


def read_number(name: str, text: str | None, *, default: int, least: int = 0, most: int) -> int:
    """The same of *text*, which stands in the request under *name*."""
    if text is None:
        return default
    if not re.fullmatch("0|[1-9][0-9]{0,8}", text) or int(text) < least:
        words = _("This must be a whole number, %(least)d or more.") % {"least": least}
        raise Invalid(FieldError(name, "not_an_integer", words))
    return min(int(text), most)


def part(request: Request) -> tuple[int, int]:
    """Which rows of a ranked list are asked for: how many are left out in front, and how many are shown."""
    start = whole_number(request, "start", default=0, most=FARTHEST_START)
    return start, whole_number(request, "limit", default=LARGEST_PAGE, least=1, most=LARGEST_PAGE)


def page(
    request: Request,
    rows: QuerySet[R],
    prepare: Callable[[Sequence[R]], Sequence[S]],
    *,
    key: str = "number",
    most: int = LARGEST_PAGE,
) -> Page[S]:
    """One page of rows by their unique number *key*, newest first; *prepare* makes of them what is shown."""
    limit = whole_number(request, "limit", default=min(50, most), least=1, most=most)
    cursor = request.query_params.get("cursor")
    match = _CURSOR.fullmatch(cursor or "")
    if cursor is not None and not match:
        raise Invalid(
            FieldError("cursor", "bad_cursor", _("Take the addresses of other pages from next and previous."))
        )
    backward = bool(match and match[1] == "after")
    if match:
        side = "gt" if backward else "lt"
        rows = rows.filter(**{f"{key}__{side}": int(match[2])})
    # First which they are: what a row holds makes PostgreSQL look for a few along the rows of all rounds.
    rows = rows.order_by(key if backward else f"-{key}")
    keys = list(rows.values_list("pk", flat=True)[: limit + 1])
    more, kept = len(keys) > limit, list(rows.filter(pk__in=keys[:limit]))
    if backward:
        kept.reverse()
    has_next, has_previous = (True, more) if backward else (more, bool(match))

    def link(side: str, row: R) -> str:
        query = request.query_params.copy()
        query["cursor"], query["limit"] = f"{side}-{getattr(row, key)}", str(limit)
        return absolute(request, f"{request.path}?{query.urlencode()}")

    return Page(
        link("before", kept[-1]) if kept and has_next else None,
        link("after", kept[0]) if kept and has_previous else None,
        prepare(kept),
    )
