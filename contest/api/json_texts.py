"""JSON texts in UTF-8, parsed and rendered without a request."""

import json
from typing import Any

from contest.api.renderers import JSONRenderer

MEDIA_TYPE = "application/json"


def parse(body: bytes) -> Any:
    """Parse *body* by RFC 8259, but refuse what parsers disagree about: repeated names, NaN and Infinity.

    Raise ValueError.
    """
    try:
        return json.loads(body.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_no_number)
    except RecursionError as error:  # bad UTF-8 and numbers of thousands of digits already raise ValueError
        raise ValueError("nested too deeply") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("repeated name")
    return members


def _no_number(name: str) -> None:
    raise ValueError(name)


def render(answer: Any) -> bytes:
    """Render *answer* as the response body."""
    text: bytes = JSONRenderer().render(answer, MEDIA_TYPE, {})
    return text
