"""Cut a list into pages that stay put while rows are added in front, and read the numbers of a query."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request

from contest.api.errors import FieldError, Invalid
from contest.models import Round

LARGEST_PAGE = 200
_CURSOR = re.compile(r"(before|after)-([0-9]{1,9})")


def absolute(request: Request, path: str) -> str:
    """The full address of *path*: on the site's own name where one is set."""
    return settings.SITE_URL + path if settings.SITE_URL else request.build_absolute_uri(path)


def whole_number(request: Request, name: str, *, default: int, least: int = 0, most: int) -> int:
    """The query's *name* as a number; more than *most* means *most*."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not re.fullmatch("[0-9]{1,9}", text) or int(text) < least:
        words = _("This must be a whole number, %(least)d or more.") % {"least": least}
        raise Invalid(FieldError(name, "not_an_integer", words))
    return min(int(text), most)


def page(
    request: Request, rows: QuerySet[Round], show: Callable[[Sequence[Round]], list[dict[str, Any]]]
) -> dict[str, Any]:
    """One page of rounds, newest first."""
    limit = whole_number(request, "limit", default=50, least=1, most=LARGEST_PAGE)
    cursor = request.query_params.get("cursor", "")
    match = _CURSOR.fullmatch(cursor)
    if cursor and not match:
        raise Invalid(
            FieldError("cursor", "bad_cursor", _("Take the addresses of other pages from next and previous."))
        )
    backward = bool(match and match[1] == "after")
    if match:
        rows = rows.filter(number__gt=int(match[2])) if backward else rows.filter(number__lt=int(match[2]))
    found = list(rows.order_by("number" if backward else "-number")[: limit + 1])
    more, kept = len(found) > limit, found[:limit]
    if backward:
        kept.reverse()
    has_next, has_previous = (True, more) if backward else (more, bool(match))
    return {
        "next": _link(request, "before", kept[-1], limit) if kept and has_next else None,
        "previous": _link(request, "after", kept[0], limit) if kept and has_previous else None,
        "results": show(kept),
    }


def _link(request: Request, side: str, round_: Round, limit: int) -> str:
    return absolute(request, f"{request.path}?cursor={side}-{round_.number}&limit={limit}")
