"""Base classes of the API's views, with headers, pages and rate limits."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import accumulate
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.decorators import decorator_from_middleware, method_decorator
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.cache import cache_control
from rest_framework.generics import ListAPIView
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from contest import visibility
from contest.api.authentication import viewer_of
from contest.api.serializers.site import LARGEST_PAGE
from contest.api.throttling import pass_reading
from contest.infra import client_ip, clock, rate_limits
from contest.models import Level, Round, Scope, Token
from contest.models.level import in_order
from contest.visibility import Viewer

_READING = ("GET", "HEAD", "OPTIONS")
_A_DAY = "86400"
# Bytes of the texts of one page; a page with a longer text has no other.
MOST_TEXT_BYTES = 4_194_304


class ReadableEverywhere(MiddlewareMixin):
    """Add CORS headers, so that pages of other sites can read public data; the API ignores cookies anyway.

    It processes every response, 304 too, so it also adds the rate limit headers.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        patch_vary_headers(response, ["Authorization"])
        for name, value in getattr(request, "rate_fields", {}).items():
            response[name] = value
        if request.method in _READING:
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = "ETag, Retry-After, RateLimit, RateLimit-Policy"
        if request.method == "OPTIONS":
            response["Access-Control-Allow-Methods"] = "GET, HEAD"
            response["Access-Control-Allow-Headers"] = "Accept-Language, If-None-Match, Last-Event-ID"
            response["Access-Control-Max-Age"] = _A_DAY
        return response


class Conditional(ConditionalGetMiddleware):
    """Add an ETag, and respond 304 if nothing has changed; HEAD gets the same headers as GET (RFC 9110, 9.3.2)."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        method, request.method = request.method, "GET" if request.method == "HEAD" else request.method
        try:
            return super().process_response(request, response)
        finally:
            request.method = method


conditional = decorator_from_middleware(Conditional)
# Outermost, so that a 304 gets the CORS headers too.
readable_everywhere = decorator_from_middleware(ReadableEverywhere)


# The ETag is a digest of the response, so it changes whenever the reader would see a change.
@method_decorator(
    [readable_everywhere, conditional, cache_control(private=True, no_cache=True)],
    name="dispatch",
)
class View(APIView):
    http_method_names = ["get", "head", "options", "post"]
    # For HasScope and HasRole: the token's scope, or the owner's permission, that each method needs.
    scopes: Mapping[str, Scope] = {}
    permissions: Mapping[str, str] = {}

    @cached_property
    def at(self) -> datetime:
        """The time of the request."""
        return clock.now()

    @cached_property
    def viewer(self) -> Viewer:
        """The viewer, by the token only: cookies are ignored, so that no other site can act for a visitor."""
        return viewer_of(self.request)

    def finalize_response(self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[arg-type]  # as DRF does
        # Read from the Django request: DRF's request.auth would repeat an authentication that failed.
        token: Token | None = getattr(request._request, "auth", None)
        sender = client_ip.sender_of(request) if request.method == "POST" and not token else None
        request._request.rate_fields = rate_fields(token, sender)  # type: ignore[attr-defined] # ours
        return answer

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:  # noqa: ARG002 - the framework's
        """Respond to the CORS preflight request of a page of another site."""
        return Response(status=204, headers={"Allow": ", ".join(self.allowed_methods)})


class Paged(ListModelMixin):
    """A paginated list; *present* turns the rows of a page into objects for the serializer."""

    page_key = "number"
    largest_page = LARGEST_PAGE

    def present(self, rows: Sequence[Any]) -> Sequence[Any]:
        return rows

    def count_fitting(self, _rows: QuerySet[Any]) -> int:
        """Return how many rows of a page one response may hold: all, but of long texts (`count_fitting_texts`)."""
        return self.largest_page

    def paginate_queryset(self, queryset: Any) -> Any:
        return self.present(super().paginate_queryset(queryset) or ())  # type: ignore[misc] # of GenericAPIView


class ListView(Paged, View, ListAPIView[Any]):
    pass


class ViewSet(Paged, View, GenericViewSet[Any]):
    """Views of a list and of its rows; a router assigns their URLs."""


def count_fitting_texts(request: Request, sizes: Sequence[int]) -> int:
    """Return how many texts of these *sizes* fit into one response, one at least; count them against the address."""
    count = max(1, sum(size <= MOST_TEXT_BYTES for size in accumulate(sizes)))
    pass_reading(request, rate_limits.EXPORT, size=sum(sizes[:count]))
    return count


def rate_fields(token: Token | None, sender: str | None) -> dict[str, str]:
    """Return the rate limit headers (rule 5.9): the policy, and the remaining requests if known.

    They follow draft-ietf-httpapi-ratelimit-headers-10, in structured fields (RFC 9651). The remaining requests are
    reported for a *token*, and otherwise for the address *sender*, which is only given if something was sent.
    """
    (fields,) = rate_fields_of_all([(token, sender)])
    return fields


def rate_fields_of_all(senders: Sequence[tuple[Token | None, str | None]]) -> list[dict[str, str]]:
    """Return the `rate_fields` of several requests."""
    gates = [
        rate_limits.gate_of_token(token.public_id, token.per_minute) if token
        else rate_limits.gate_of_address(sender or "")
        for token, sender in senders
    ]  # fmt: skip
    all_fields = []
    for (token, _sender), gate, left in zip(senders, gates, rate_limits.remaining_allowances(gates), strict=True):
        name = "token" if token else "address"
        fields = {"RateLimit-Policy": f'"{name}";q={gate.most};w={rate_limits.SPAN_SECONDS}'}
        all_fields.append(fields | ({"RateLimit": f'"{name}";r={left.left};t={left.seconds}'} if left else {}))
    return all_fields


def levels_of(rounds: Sequence[Round], viewer: Viewer, at: datetime) -> dict[int, list[Level]]:
    """Return the visible levels of *rounds* by the round's key, in one query."""
    levels_by_round: dict[int, list[Level]] = defaultdict(list)
    levels = visibility.levels(viewer, at).filter(round__in=rounds)
    for level in in_order(levels):
        levels_by_round[level.round_id].append(level)
    return levels_by_round
