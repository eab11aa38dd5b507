"""Parameters of a query: numbers, choices, and parts of a list."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _
from rest_framework.request import Request

from contest.api.serializers.problems import Invalid
from contest.api.serializers.site import LARGEST_PAGE

LARGEST_NUMBER = 999_999_999
FARTHEST_START = 1_000_000


def whole_number(request: Request, name: str, *, default: int, least: int = 0, most: int) -> int:
    """The query's *name* as an integer is written in JSON, of 9 digits at most; more than *most* means *most*."""
    return read_number(name, request.query_params.get(name), default=default, least=least, most=most)


def read_number(name: str, text: str | None, *, default: int, least: int = 0, most: int) -> int:
    """The same of *text*, which stands in the request under *name*."""
    if text is None:
        return default
    if not re.fullmatch("0|[1-9][0-9]{0,8}", text) or int(text) < least:
        raise Invalid(name, "not_an_integer", _("This must be a whole number, %(least)d or more.") % {"least": least})
    return min(int(text), most)


def number_of(request: Request, name: str) -> int:
    """The number of a row that the query names; 0 without."""
    return whole_number(request, name, default=0, least=1, most=LARGEST_NUMBER)


def part(request: Request) -> tuple[int, int]:
    """Which rows of a ranked list are asked for: how many are left out in front, and how many are shown."""
    start = whole_number(request, "start", default=0, most=FARTHEST_START)
    return start, whole_number(request, "limit", default=LARGEST_PAGE, least=1, most=LARGEST_PAGE)


def choice(request: Request, name: str, choices: Sequence[str]) -> str:
    """The query's *name*, one of *choices*; the first where it is absent."""
    chosen = request.query_params.get(name, choices[0])
    if chosen not in choices:
        words = _("This must be one of: %(choices)s.") % {"choices": ", ".join(choices)}
        raise Invalid(name, "unknown_choice", words)
    return chosen
