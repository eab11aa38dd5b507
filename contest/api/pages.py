"""Cut a list into pages that stay put while rows are added in front, and read the numbers of a query."""

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request

from contest.api.errors import FieldError, Invalid

R = TypeVar("R", bound=Model)

LARGEST_PAGE = 200
LARGEST_NUMBER = 999_999_999
_CURSOR = re.compile(r"(before|after)-([0-9]{1,9})")


def absolute(request: Request, path: str) -> str:
    """The full address of *path*: on the site's own name where one is set."""
    return settings.SITE_URL + path if settings.SITE_URL else request.build_absolute_uri(path)


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


def page(
    request: Request,
    rows: QuerySet[R],
    show: Callable[[Sequence[R]], list[dict[str, Any]]],
    *,
    key: str = "number",
    most: int = LARGEST_PAGE,
) -> dict[str, Any]:
    """One page of rows by their unique number *key*, newest first."""
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
    found = list(rows.order_by(key if backward else f"-{key}")[: limit + 1])
    more, kept = len(found) > limit, found[:limit]
    if backward:
        kept.reverse()
    has_next, has_previous = (True, more) if backward else (more, bool(match))

    def link(side: str, row: R) -> str:
        query = request.query_params.copy()
        query["cursor"], query["limit"] = f"{side}-{getattr(row, key)}", str(limit)
        return absolute(request, f"{request.path}?{query.urlencode()}")

    return {
        "next": link("before", kept[-1]) if kept and has_next else None,
        "previous": link("after", kept[0]) if kept and has_previous else None,
        "results": show(kept),
    }
