"""Read a JSON body: bounded first, parsed second, believed last."""

import json
from typing import IO, Any

from django.conf import settings
from django.http import UnreadablePostError
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from contest.api.errors import TooLarge


class JSON(BaseParser):
    """RFC 8259, without what its readers disagree about: repeated names, NaN and Infinity."""

    media_type = "application/json"

    def parse(self, stream: IO[Any], *_context: Any, **_more: Any) -> Any:
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
