"""Read a JSON body: bounded first, parsed second, believed last."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.http import UnreadablePostError
from django.utils.http import parse_header_parameters
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from contest.api.errors import BadEncoding, TooLarge


class JSON(BaseParser):
    """RFC 8259, without what its readers disagree about: repeated names, NaN and Infinity."""

    media_type = "application/json"

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
            return json.loads(body.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_no_number)
        # Bad UTF-8 and numbers of thousands of digits are ValueErrors too; deep nesting ends in RecursionError.
        except (ValueError, RecursionError, UnreadablePostError) as error:
            raise ParseError from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("repeated name")
    return members


def _no_number(name: str) -> None:
    raise ValueError(name)
