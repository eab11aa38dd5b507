"""JSON in UTF-8: the only form of a body, which is bounded first, parsed second, believed last; and of an answer."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.http import UnreadablePostError
from django.utils.http import parse_header_parameters
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from contest.api.errors import BadEncoding, TooLarge

MEDIA_TYPE = "application/json"


class Parser(BaseParser):
    media_type = MEDIA_TYPE

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        request = (parser_context or {})["request"]
        _kind, words = parse_header_parameters(media_type or "")
        if request.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            raise BadEncoding
        if words.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
            raise BadEncoding
        try:
            body = stream.read(settings.MAX_SUBMISSION_BODY + 1)
            if len(body) > settings.MAX_SUBMISSION_BODY:
                raise TooLarge
            return parse(body)
        except (ValueError, UnreadablePostError) as error:
            raise ParseError from error


def parse(body: bytes) -> Any:
    """What *body* says by RFC 8259, without what its readers disagree about: repeated names, NaN and Infinity.

    Raise ValueError.
    """
    try:
        return json.loads(body.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_no_number)
    except RecursionError as error:  # where bad UTF-8 and numbers of thousands of digits are ValueErrors already
        raise ValueError("nested too deeply") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("repeated name")
    return members


def _no_number(name: str) -> None:
    raise ValueError(name)


class Renderer(JSONRenderer):
    """Compact JSON; letters of every script as they are."""

    ensure_ascii = False


def render(answer: Any) -> bytes:
    """*answer* as its reader gets it."""
    text: bytes = Renderer().render(answer, MEDIA_TYPE, {})
    return text


class Always(DefaultContentNegotiation):
    """Answer in JSON whatever Accept says: an answer helps a bot more than 406 does."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:  # noqa: ARG002
        return renderers[0], renderers[0].media_type
