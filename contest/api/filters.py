"""Filter backends: parameters that narrow a list."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.filters import BaseFilterBackend
from rest_framework.request import Request

from contest import visibility
from contest.api.queries import LARGEST_NUMBER, choice, number_of
from contest.api.serializers.fields import PENDING, SLOTS, VERDICTS
from contest.rules.phases import Phase


class Filter(BaseFilterBackend):
    """One parameter of the query."""

    name = ""
    schema: dict[str, Any] = {}
    words = ""

    def get_schema_operation_parameters(self, _view: Any) -> list[dict[str, Any]]:
        return [{"in": "query", "name": self.name, "required": False, "schema": self.schema, "description": self.words}]


class ChoiceFilter(Filter):
    """Rows whose *field* is the choice; "" means all."""

    field = ""
    choices: list[str] = []

    @property
    def schema(self) -> dict[str, Any]:  # type: ignore[override] # it follows from the choices
        return {"type": "string", "enum": ["", *self.choices]}

    def filter_queryset(self, request: Request, queryset: Any, view: Any) -> Any:
        chosen = choice(request, self.name, ["", *self.choices])
        return self.narrow(queryset, chosen, view) if chosen else queryset

    def narrow(self, queryset: Any, chosen: Any, _view: Any) -> Any:
        return queryset.filter(**{self.field: chosen})


class SlotFilter(ChoiceFilter):
    name, field, choices, words = "slot", "level__slot", SLOTS, "Only of this level."


class VerdictFilter(ChoiceFilter):
    name, field, choices, words = "verdict", "verdict", VERDICTS, "Only those with this verdict."

    def narrow(self, queryset: Any, chosen: str, view: Any) -> Any:
        return super().narrow(queryset, "" if chosen == PENDING else chosen, view)


class PracticeFilter(ChoiceFilter):
    name, field, choices, words = "practice", "is_practice", ["true", "false"], "Only practice, or none of it."

    def narrow(self, queryset: Any, chosen: str, view: Any) -> Any:
        return super().narrow(queryset, chosen == "true", view)


class PhaseFilter(ChoiceFilter):
    name, words = "phase", "Only those in this phase."
    choices = ["scheduled", "open", "closed", "final", "cancelled"]

    def narrow(self, queryset: Any, chosen: str, view: Any) -> Any:
        return queryset.in_phase(Phase(chosen), view.at)


class TrackFilter(Filter):
    name, schema, words = "track", {"type": "string", "maxLength": 30}, "Only of this track."

    def filter_queryset(self, request: Request, queryset: Any, view: Any) -> Any:
        slug = request.query_params.get(self.name)
        tracks = visibility.tracks(view.viewer, view.at)
        return queryset.filter(track=get_object_or_404(tracks, slug=slug)) if slug else queryset


class RoundFilter(Filter):
    name, schema, words = "round", {"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER}, "Only of this round."

    def filter_queryset(self, request: Request, queryset: Any, view: Any) -> Any:  # noqa: ARG002 - DRF's signature
        number = number_of(request, self.name)
        return queryset.filter(round__number=number) if number else queryset
