"""The OpenAPI document; decorators beside each view declare its parameters and responses."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from django.conf import settings
from drf_spectacular import openapi
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.serializers import BaseSerializer, ListSerializer

from contest.api.examples import EXAMPLES
from contest.api.permissions import HasRole, HasToken
from contest.api.serializers.fields import LEAGUES, METRICS, SLOTS
from contest.api.serializers.problems import ProblemSerializer
from contest.api.serializers.webhooks import webhooks
from contest.infra import identity
from contest.rankings.pareto import EVERYONE

JSON = "application/json"
LINES = "application/x-ndjson"
STREAM = "text/event-stream"
SOK = "text/plain; charset=utf-8"
GZIP = "application/gzip"
PROBLEM = "application/problem+json"
PREFIX = "/api/v1/"

Schema = dict[str, Any]
Answer = type[BaseSerializer[Any]] | BaseSerializer[Any]
Door = TypeVar("Door", bound=Callable[..., Any])


NOTHING: Schema = {"type": "object", "description": "An empty object.", "properties": {}}


_TOKEN: Schema = {"token": []}


class AutoSchema(openapi.AutoSchema):
    def get_auth(self) -> list[Any]:
        needs_token = any(isinstance(permission, (HasToken, HasRole)) for permission in self.view.get_permissions())
        return [_TOKEN] if needs_token else [{}, _TOKEN]

    def get_paginated_name(self, serializer_name: str) -> str:
        return f"{serializer_name}Page"


def _enum(*choices: str) -> Schema:
    return {"type": "string", "enum": list(choices)}


_COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
_NUMBER: Schema = {**_COUNT, "minimum": 1}
LIMIT = ("limit", _NUMBER, "Rows of a page; more than the most means the most.")
START = ("start", _COUNT, "Rows to leave out in front.")
BY = ("by", _enum(*METRICS), "The ranking.")
LEAGUE = ("league", _enum(*LEAGUES), "Whose ranking.")
EVERY_LEAGUE = ("league", _enum(*LEAGUES, EVERYONE), "Whose ranking; by default the one the round ranks.")
BOARD = ("board", _enum("contest", "spectator", "all_time"), "Which board.")
AROUND = ("around", _NUMBER, "The number of a player: the rows about theirs.")
ROUND = ("round", _NUMBER, "Only of this round.")
TRACK = ("track", {"type": "string", "maxLength": 30}, "Only of this track.")
TEXTS = ("texts", _enum("false", "true"), "With the texts as they were sent, 20 of them at most.")
WAIT = ("wait", _COUNT, "Seconds to wait for a verdict; more than 5 means 5.")
SINCE = ("since", _COUNT, "Only what has a higher number: the last one that was read.")
AFTER = ("after", _COUNT, "Only events with a higher number: the last one that was read.")
REVISION = ("revision", _NUMBER, "Of the results; by default the newest.")
HALL_BY = ("by", _enum("points", "rounds", "mmc", "mpc", "second", "lucky"), "Most of what first.")

Query = tuple[str, Schema, str]

# The list of levels
SHOWN = ("", "new", "solved", "better", "starred")
KINDS = ("", "rounds", "collections")
ORDERS = (
    "newest", "boxes", "size", "most", "least", "easiest", "hardest", "author", "best", "optimum", "beautiful", "hard",
    "new"
)  # fmt: skip
LIBRARY: tuple[Query, ...] = (
    ("q", {"type": "string", "maxLength": 200}, "A part of a title or of an author's name."),
    ("boxes_from", _COUNT, "So many boxes or more."),
    ("boxes_to", _COUNT, "So many boxes or fewer."),
    ("size", _COUNT, "No more rows and no more columns than this."),
    ("grade", _enum("", "1", "2", "3", "4", "5"), "Only of this difficulty."),
    ("kind", _enum(*KINDS), "Only levels of rounds, or of collections."),
    ("collection", {"type": "string", "maxLength": 200}, "Only of the collection of this slug."),
    ("author", {"type": "string", "maxLength": 200}, "Only by this author, to the letter."),
    ("proved", _enum("", "true"), "Only levels whose fewest moves and pushes are proved."),
    ("show", _enum(*SHOWN), "What the token's player has not solved, has, could better, or follows."),
    ("by", _enum(*ORDERS), "The order; one by what not every level has leaves out those without it."),
)


def reads(answer: Answer, summary: str, *query: Query, refusals: Sequence[int] = ()) -> Callable[[Door], Door]:
    """Document a view that responds with *answer*; *refusals* are statuses that not every view has."""
    return _gives(answer, JSON, f"read{_name(answer)}", summary, query, refusals=refusals)


def gives(
    answer: Answer | None,
    media: str,
    summary: str,
    *query: Query,
    name: str = "readLevelFile",
    streams: bool = False,
    refusals: Sequence[int] = (),
) -> Callable[[Door], Door]:
    """Document a view that responds in another form than JSON: each line an *answer*, or plain text.

    Plain text needs its own *name*. *streams*: also as server-sent events, for clients that accept those.
    """
    name = f"read{_name(answer)}Lines" if answer else name
    return _gives(answer or OpenApiTypes.STR, media, name, summary, query, streams=streams, refusals=refusals)


def _name(answer: Any) -> str:
    """Return the component's name; for a list, the name of its page."""
    if isinstance(answer, ListSerializer):
        return f"{_name(answer.child)}Page"
    kind = answer if isinstance(answer, type) else type(answer)
    return kind.__name__.removesuffix("Serializer")


def _gives(
    answer: Answer | OpenApiTypes,
    media: str,
    name: str,
    summary: str,
    query: Sequence[Query],
    *,
    streams: bool = False,
    refusals: Sequence[int] = (),
) -> Callable[[Door], Door]:
    unchanged = _header("If-None-Match", {"type": "string"}, "The ETag of an answer: 304 if nothing has changed.")
    last = _header("Last-Event-ID", {"type": "string", "pattern": "^(0|[1-9][0-9]{0,8})$"}, "The last id: as `after`.")
    return _document(
        name,
        summary,
        {(200, media): answer, **({(200, STREAM): OpenApiTypes.STR} if streams else {}), 304: None},
        (400, 401, 404, *refusals),
        parameters=[*(_in_query(*parameter) for parameter in query), unchanged, *([last] if streams else [])],
    )


def takes(
    body: Answer | Schema,
    answers: Mapping[int, Answer],
    summary: str,
    refusals: Sequence[int],
    *,
    has_key: bool = False,
    name: str = "",
) -> Callable[[Door], Door]:
    """Document a view that takes *body*; the operation has its own *name* or is named after the body."""
    key = _header("Idempotency-Key", {"type": "string"}, "A random UUID; the same key again returns the first receipt.")
    return _document(
        name or f"send{_name(body)}",
        summary,
        {(status, JSON): answer for status, answer in answers.items()},
        refusals,
        parameters=[key] if has_key else [],
        request={JSON: body},
    )


def _document(
    name: str,
    summary: str,
    answers: Mapping[Any, Any],
    refusals: Sequence[int],
    *,
    parameters: Sequence[OpenApiParameter],
    request: Any = None,
) -> Callable[[Door], Door]:
    language = _header("Accept-Language", {"type": "string"}, "The language of words and titles: zh-Hans or en.")
    problems = {(status, PROBLEM): ProblemSerializer for status in (*refusals, 503)}
    decorated: Callable[[Door], Door] = extend_schema(
        operation_id=name,
        summary=summary,
        description=summary,
        parameters=[*parameters, language],
        request=request,
        responses={**answers, **problems},
    )
    return decorated


def _in_query(name: str, schema: Schema, description: str) -> OpenApiParameter:
    return OpenApiParameter(name, schema, OpenApiParameter.QUERY, description=description)


def _header(name: str, schema: Schema, description: str) -> OpenApiParameter:
    return OpenApiParameter(name, schema, OpenApiParameter.HEADER, description=description)


def document() -> Schema:
    """Return the whole document, titled with the site's name."""
    generated = _generate()
    return {**generated, "info": {**generated["info"], "title": identity.names()[1]}}


@cache
def _generate() -> Schema:
    generated: Schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # untyped
    return generated


# Generator hooks


def only_ours(endpoints: list[tuple[str, str, str, Any]]) -> list[tuple[str, str, str, Any]]:
    """Keep only endpoints of the API, without the catch-all route and the schema itself."""
    return [
        endpoint
        for endpoint in endpoints
        if endpoint[0].startswith(PREFIX) and endpoint[0] not in (PREFIX, f"{PREFIX}openapi.json")
    ]


def complete(result: Schema, **_more: Any) -> Schema:
    """Add the components, the response headers, and the path parameters."""
    result["components"] = {
        "schemas": _plain(result["components"]["schemas"]),
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "leitai_<id>_<secret>"}},
        "headers": {
            "ETag": {"schema": {"type": "string"}, "description": "Send it back as If-None-Match."},
            "Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."},
            "RateLimit-Policy": _field('What may be sent: `"token";q=120;w=60` is 120 in 60 seconds.'),
            "RateLimit": _field('What of it is left: `"token";r=119;t=60`; all of it again in 60 seconds.'),
            "Idempotency-Replayed": _field(
                "`true` where the same had been sent before, and this is its first receipt."
            ),
        },
    }
    result["webhooks"] = webhooks()
    result["servers"] = [{"url": settings.SITE_URL or "/"}]
    for methods in result["paths"].values():
        for method, operation in methods.items():
            for parameter in operation["parameters"]:
                if parameter["in"] == "path":
                    parameter["schema"] = _PATH[parameter["name"]]
            if operation["security"] == [_TOKEN]:
                operation["responses"].setdefault("403", dict(operation["responses"]["401"]))
            for status, answer in operation["responses"].items():
                answer["description"] = _STATUS_DESCRIPTIONS[status]
                if link := LINKS.get((operation["operationId"], status)):
                    answer["links"] = link
                answer["headers"] = {
                    name: {"$ref": f"#/components/headers/{name}"} for name in _headers(operation, method, status)
                }
            if examples := EXAMPLES.get(operation["operationId"]):
                operation["requestBody"]["content"][JSON]["examples"] = examples
                # An optional body has the empty object among its examples.
                if {} not in [example["value"] for example in examples.values()]:
                    operation["requestBody"]["required"] = True
    return result


def _plain(schema: Any) -> Any:
    """Leave out the generator's own keys and `readOnly`, and rename `oneOf`."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    names = {"oneOf": "anyOf"}
    left_out = ("readOnly", "x-spec-enum-id")
    return {names.get(name, name): _plain(part) for name, part in schema.items() if name not in left_out}


def _field(description: str) -> Schema:
    return {"schema": {"type": "string"}, "description": description}


def _headers(operation: Schema, method: str, status: str) -> list[str]:
    """Return the headers that a response of this status may have; a 503 has only Retry-After."""
    if status == "503":
        return ["Retry-After"]
    names = {"429": ["Retry-After"], "202": ["Idempotency-Replayed"]}.get(status, [])
    if status == "202" and operation["operationId"] != "sendEntry":
        names = []
    validator = ["ETag"] if method == "get" and status in ("200", "304") else []
    return [*validator, *names, "RateLimit-Policy", "RateLimit"]


def _link(operation: str, description: str, **parameters: str) -> Schema:
    return {operation: {"operationId": operation, "description": description, "parameters": parameters}}


# OpenAPI links to follow-up operations, with parameters from the response or from the request.
_OF_THE_ROUND = {"number": "$request.path.number"}
LINKS: dict[tuple[str, str], Schema] = {
    ("sendEntry", "202"): _link("readSubmission", "The verdict.", receipt_id="$response.body#/id"),
    ("readRoundPage", "200"): _link("readWholeRound", "The newest round.", number="$response.body#/results/0/number"),
    ("readWholeRound", "200"): {
        **_link("readAcceptedPage", "What was accepted in it.", **_OF_THE_ROUND),
        **_link("readSolutionPage", "The moves, once they are public.", **_OF_THE_ROUND),
        **_link("readResults", "Its results.", **_OF_THE_ROUND),
        **_link("readChain", "Its link of the receipt chain.", **_OF_THE_ROUND),
    },
    ("readResults", "200"): _link("readDraw", "Its lucky draw.", **_OF_THE_ROUND),
    ("readCollectionPage", "200"): _link("readCollection", "The newest.", slug="$response.body#/results/0/slug"),
    ("readPlayerPage", "200"): _link("readProfile", "The newest player.", number="$response.body#/results/0/number"),
}
_PATH: dict[str, Schema] = {
    "number": {"type": "integer", "minimum": 0},
    "slot": _enum(*SLOTS),
    "slug": {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"},
    "hook": {"type": "integer", "minimum": 0},
    "night": {"type": "string", "format": "date"},
    "name": {"type": "string", "pattern": "^[a-z.]+$"},
    "receipt_id": {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"},
    "moves": {"type": "string", "pattern": "^[^/]+$"},
    "search_id": {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"},
}
_STATUS_DESCRIPTIONS = {
    "200": "As asked.",
    "201": "Made.",
    "202": "Stored; it will be judged, or answered.",
    "207": "Every submission was answered for itself.",
    "304": "Nothing has changed.",
    "400": "The request is not what it must be; see errors.",
    "401": "The token is bad, expired or revoked, or one is needed.",
    "403": "Not with this token, or not under this nickname.",
    "404": "There is nothing here, or not yet.",
    "409": "Not now, or not under this nickname: the same again is refused again, before retry_after if that is said.",
    "413": "Too large.",
    "415": "Not JSON in UTF-8.",
    "422": "It cannot be so; see errors. Or: the idempotency key was used with another submission.",
    "503": "Our fault, nothing was taken; send the same, with the same key, after Retry-After seconds.",
    "429": "Over a limit of the sender's; send the same after Retry-After seconds, and from then on less often.",
}
