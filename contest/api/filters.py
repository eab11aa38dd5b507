"""Query parameters: numbers and choices, parts of a list, and filter backends."""

import re
from collections.abc import Sequence
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.filters import BaseFilterBackend
from rest_framework.request import Request

from contest import visibility
from contest.api.serializers.fields import PENDING, SLOTS, VERDICTS
from contest.api.serializers.problems import Invalid
from contest.api.serializers.site import LARGEST_PAGE
from contest.rules.phases import Phase

LARGEST_NUMBER = 999_999_999
FARTHEST_START = 1_000_000


def read_whole_number(request: Request, name: str, *, default: int, least: int = 0, most: int) -> int:
    """Return query parameter *name*, a JSON integer of 9 digits at most; more than *most* means *most*."""
    return read_number(name, request.query_params.get(name), default=default, least=least, most=most)


def read_number(name: str, text: str | None, *, default: int, least: int = 0, most: int) -> int:
    """Return the same for *text*, which the request has under *name*."""
    if text is None:
        return default
    if not re.fullmatch("0|[1-9][0-9]{0,8}", text) or int(text) < least:
        raise Invalid(name, "not_an_integer", _("This must be a whole number, %(least)d or more.") % {"least": least})
    return min(int(text), most)


def read_row_number(request: Request, name: str) -> int:
    """Return the number of a row that the query names; 0 if it names none."""
    return read_whole_number(request, name, default=0, least=1, most=LARGEST_NUMBER)


def read_slice(request: Request) -> tuple[int, int]:
    """Return the requested part of a ranked list: the number of rows to skip, and of rows to show."""
    start = read_whole_number(request, "start", default=0, most=FARTHEST_START)
    return start, read_whole_number(request, "limit", default=LARGEST_PAGE, least=1, most=LARGEST_PAGE)


def read_choice(request: Request, name: str, choices: Sequence[str]) -> str:
    """Return query parameter *name*, one of *choices*; the first of them if it is absent."""
    chosen = request.query_params.get(name, choices[0])
    if chosen not in choices:
        message = _("This must be one of: %(choices)s.") % {"choices": ", ".join(choices)}
        raise Invalid(name, "unknown_choice", message)
    return chosen


class Filter(BaseFilterBackend):
    """A filter by one query parameter."""

    name = ""
    schema: dict[str, Any] = {}
    description = ""

    def get_schema_operation_parameters(self, _view: Any) -> list[dict[str, Any]]:
        return [
            {
                "in": "query",
                "name": self.name,
                "required": False,
                "schema": self.schema,
                "description": self.description,
            }
        ]


class ChoiceFilter(Filter):
    """A filter for rows with the chosen value in *field*; "" means all rows."""

    field = ""
    choices: list[str] = []

    @property
    def schema(self) -> dict[str, Any]:  # type: ignore[override] # it follows from the choices
        return {"type": "string", "enum": ["", *self.choices]}

    def filter_queryset(self, request: Request, queryset: Any, view: Any) -> Any:
        chosen = read_choice(request, self.name, ["", *self.choices])
        return self.narrow(queryset, chosen, view) if chosen else queryset

    def narrow(self, queryset: Any, chosen: Any, _view: Any) -> Any:
        return queryset.filter(**{self.field: chosen})


class SlotFilter(ChoiceFilter):
    name, field, choices, description = "slot", "level__slot", SLOTS, "Only of this level."


class VerdictFilter(ChoiceFilter):
    name, field, choices, description = "verdict", "verdict", VERDICTS, "Only those with this verdict."

    def narrow(self, queryset: Any, chosen: str, view: Any) -> Any:
        return super().narrow(queryset, "" if chosen == PENDING else chosen, view)


class PracticeFilter(ChoiceFilter):
    name, field, choices, description = "practice", "is_practice", ["true", "false"], "Only practice, or none of it."

    def narrow(self, queryset: Any, chosen: str, view: Any) -> Any:
        return super().narrow(queryset, chosen == "true", view)


class PhaseFilter(ChoiceFilter):
    name, description = "phase", "Only those in this phase."
    choices = ["scheduled", "open", "closed", "final", "cancelled"]

    def narrow(self, queryset: Any, chosen: str, view: Any) -> Any:
        return queryset.in_phase(Phase(chosen), view.at)


class TrackFilter(Filter):
    name, schema, description = "track", {"type": "string", "maxLength": 30}, "Only of this track."

    def filter_queryset(self, request: Request, queryset: Any, view: Any) -> Any:
        slug = request.query_params.get(self.name)
        tracks = visibility.tracks(view.viewer, view.at)
        return queryset.filter(track=get_object_or_404(tracks, slug=slug)) if slug else queryset


class RoundFilter(Filter):
    name, description = "round", "Only of this round."
    schema = {"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER}

    def filter_queryset(self, request: Request, queryset: Any, view: Any) -> Any:  # noqa: ARG002 - DRF's signature
        number = read_row_number(request, self.name)
        return queryset.filter(round__number=number) if number else queryset
