"""The public library for programs: published collections, and the list of all levels to play on any day."""

from collections.abc import Mapping, Sequence
from functools import partial

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from contest import visibility
from contest.api import schema
from contest.api.base import View, ViewSet
from contest.api.filters import FARTHEST_START, read_choice, read_whole_number
from contest.api.schema import LIMIT, SOK, START, gives, reads
from contest.api.serializers.base import Wrapper
from contest.api.serializers.library import (
    CollectionSerializer,
    LibrarySerializer,
    collection_row,
    of_collection,
    of_round,
)
from contest.api.serializers.problems import Invalid
from contest.api.serializers.site import LARGEST_PAGE
from contest.api.throttling import throttled
from contest.infra import client_ip, rate_limits
from contest.infra.site_address import absolute_url
from contest.levels import catalogue, listing
from contest.levels.catalogue import Selection
from contest.library import collection_files
from contest.models import CollectedLevel, Collection, Scope
from contest.rankings.records import of_levels

_LONGEST = 200  # characters of a search text


@extend_schema_view(list=reads(CollectionSerializer(many=True), "Published collections, newest first."))
class Collections(ViewSet):
    serializer_class = CollectionSerializer
    lookup_field, lookup_value_converter = "slug", "slug"
    page_key = "pk"

    def get_queryset(self) -> QuerySet[Collection]:
        return visibility.collections(self.viewer, self.at)

    def present(self, rows: Sequence[Collection]) -> list[Wrapper]:
        return [collection_row(row, partial(absolute_url, self.request)) for row in rows]

    @reads(CollectionSerializer, "A published collection.")
    def retrieve(self, _request: Request, slug: str) -> Response:  # noqa: ARG002 - get_object reads it
        (shown,) = self.present([self.get_object()])
        return Response(CollectionSerializer(shown).data)


class CollectionFile(View):
    @gives(
        None,
        SOK,
        "The levels of a collection as one file, where its author allows that.",
        name="readCollectionFile",
        refusals=[429],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        found = visibility.collections(self.viewer, self.at).filter(may_download=True)
        collection = get_object_or_404(found, slug=slug)
        try:
            collection_files.count(collection, client_ip.sender_of(request))
        except rate_limits.Busy as busy:
            raise throttled(busy) from None
        disposition = {"Content-Disposition": f'attachment; filename="{collection.slug}.sok"'}
        return HttpResponse(collection_files.write(collection, "sok"), content_type=SOK, headers=disposition)


class Library(View):
    @property
    def scopes(self) -> Mapping[str, Scope]:  # type: ignore[override] # it depends on the query
        return {"GET": Scope.READ} if self.request.query_params.get("show") else {}

    @reads(
        LibrarySerializer,
        "The levels to play on any day, filtered and in order.",
        *schema.LIBRARY, START, LIMIT,
        refusals=[403]
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        """Levels of revealed rounds and of published collections (rules 7.4, 26)."""
        at, viewer, wanted = self.at, self.viewer, _read_query(request)
        start = read_whole_number(request, "start", default=0, most=FARTHEST_START)
        limit = read_whole_number(request, "limit", default=50, least=1, most=LARGEST_PAGE)
        keys = listing.page(viewer, at, wanted, start, start + limit)
        of_rounds = catalogue.levels(viewer, at).filter(pk__in=_keys(keys, listing.ROUND))
        of_collections = visibility.collected_levels(viewer, at).filter(pk__in=_keys(keys, listing.COLLECTED))
        address = partial(absolute_url, request)
        rows_by_key: dict[tuple[int, int], Wrapper] = {
            (listing.ROUND, records.level.pk): of_round(records, address) for records in of_levels(of_rounds)
        }
        for level in of_collections.select_related("collection"):
            rows_by_key[listing.COLLECTED, level.pk] = of_collection(level, address)
        results = [rows_by_key[key] for key in keys if key in rows_by_key]
        part = {"count": listing.count(viewer, at, wanted), "results": results}
        return Response(LibrarySerializer(part).data)


def _keys(keys: Sequence[tuple[int, int]], kind: int) -> list[int]:
    return [pk for kind_, pk in keys if kind_ == kind]


def _read_query(request: Request) -> Selection:
    """Return the selection that the query asks for. Raise Invalid for an impossible value."""

    def number(name: str, most: int) -> int | None:
        is_given = name in request.query_params
        return read_whole_number(request, name, default=0, most=most) if is_given else None

    def text(name: str) -> str:
        value = request.query_params.get(name, "")
        if len(value) > _LONGEST:
            message = _("This has %(most)d characters at most.") % {"most": _LONGEST}
            raise Invalid(name, "too_long", message)
        return value

    grade = read_choice(request, "grade", ["", *map(str, CollectedLevel.Grade.values)])
    return Selection(
        show=read_choice(request, "show", schema.SHOWN),
        boxes_from=number("boxes_from", 10_000),
        boxes_to=number("boxes_to", 10_000),
        longest=number("size", 1_000),
        text=text("q"),
        by=read_choice(request, "by", schema.ORDERS),
        kind=read_choice(request, "kind", schema.KINDS),
        collection=text("collection"),
        grade=int(grade) if grade else None,
        author=text("author"),
        is_proved=read_choice(request, "proved", ["", "true"]) == "true",
    )
