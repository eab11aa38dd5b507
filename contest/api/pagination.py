"""Cursor pagination: pages do not shift while rows are added in front."""

import re
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext as _
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.filters import read_whole_number
from contest.api.serializers.problems import Invalid
from contest.infra.site_address import absolute_url

_CURSOR = re.compile(r"(before|after)-([0-9]{1,9})")
_ADDRESS = {"type": ["string", "null"], "format": "uri"}


class NewestFirst(BasePagination):
    """Paginate by the unique number in *page_key*, newest first, at most *largest_page* rows."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        key, most = view.page_key, view.largest_page
        limit = read_whole_number(request, "limit", default=min(50, most), least=1, most=most)
        cursor = request.query_params.get("cursor")
        match = _CURSOR.fullmatch(cursor or "")
        if cursor is not None and not match:
            raise Invalid("cursor", "bad_cursor", _("Use the URLs in next and previous to get other pages."))
        backward = bool(match and match[1] == "after")
        if match:
            queryset = queryset.filter(**{f"{key}__{'gt' if backward else 'lt'}": int(match[2])})
        # The keys first: with whole rows PostgreSQL would scan the rows of all rounds to find these few.
        queryset = queryset.order_by(key if backward else f"-{key}")
        keys = list(queryset.values_list("pk", flat=True)[: limit + 1])
        count = min(limit, view.count_fitting(queryset.filter(pk__in=keys[:limit]))) if keys else limit
        more, rows = len(keys) > count, list(queryset.filter(pk__in=keys[:count]))
        if backward:
            rows.reverse()
        has_next, has_previous = (True, more) if backward else (more, bool(match))

        def link(side: str, row: Model) -> str:
            query = request.query_params.copy()
            query["cursor"], query["limit"] = f"{side}-{getattr(row, key)}", str(limit)
            return absolute_url(request, f"{request.path}?{query.urlencode()}")

        self._next = link("before", rows[-1]) if rows and has_next else None
        self._previous = link("after", rows[0]) if rows and has_previous else None
        return rows

    def get_paginated_response(self, data: Any) -> Response:
        page = {"next": self._next, "previous": self._previous, "results": data}
        return Response(page)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "description": "A page; follow next until it is null.",
            "properties": {"next": _ADDRESS, "previous": _ADDRESS, "results": schema},
            "required": ["next", "previous", "results"],
        }

    def get_schema_operation_parameters(self, _view: Any) -> list[dict[str, Any]]:
        limit = {"type": "integer", "minimum": 1, "maximum": 999_999_999}
        return [
            _parameter("limit", limit, "Rows of a page; more than the most means the most."),
            _parameter(
                "cursor", {"type": "string", "pattern": "^(before|after)-[0-9]{1,9}$"}, "Taken from next and previous."
            ),
        ]


def _parameter(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"in": "query", "name": name, "required": False, "schema": schema, "description": description}
