"""JSON texts in UTF-8, parsed and rendered without a request."""

import json
import re
from typing import Any

from contest.api.renderers import JSONRenderer

MEDIA_TYPE = "application/json"
# A batch has 100 submissions of a dozen members. Each value costs the parser as much as hundreds of characters.
MOST_VALUES = 10_000
# Every quote matches, also of a string without an end: nothing is searched from it twice.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)


def parse(body: bytes) -> Any:
    """Parse *body* by RFC 8259, but refuse what parsers disagree about: repeated names, NaN and Infinity.

    Raise ValueError, also for more than MOST_VALUES values, before they are parsed.
    """
    if _count_marks(body) > MOST_VALUES and _count_marks(_STRING.sub(b"", body, count=MOST_VALUES)) > MOST_VALUES:
        raise ValueError("too many values")
    try:
        return json.loads(body.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_no_number)
    except RecursionError as error:  # bad UTF-8 and numbers of thousands of digits already raise ValueError
        raise ValueError("nested too deeply") from error


def _count_marks(body: bytes) -> int:
    """Return the number of marks that begin a value, also within strings."""
    return sum(map(body.count, (b",", b"[", b"{")))


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
