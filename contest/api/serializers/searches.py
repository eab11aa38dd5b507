"""Questions to the solver, and its answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rest_framework.serializers import CharField, ChoiceField, FloatField, URLField

from contest.api.serializers.base import Serializer, Wrapper
from contest.api.serializers.bodies import BodySerializer
from contest.api.serializers.fields import (
    ChoiceOrNullField,
    CountField,
    StrictChoiceField,
    StrictCountField,
    StrictTextField,
    TextOrNullField,
)
from contest.models import Search, SearchAnswer, SearchKind, SearchState
from contest.vetting import asking


@dataclass(frozen=True)
class SearchRow(Wrapper):
    """A search with its address, and the best that it found by what was asked for."""

    row: Search
    url: str

    @cached_property
    def found(self) -> Mapping[str, Any]:
        search = self.row
        return search.best_by(search.aim if search.aim != "any" else "pushes") or {}

    @property
    def lurd(self) -> str | None:
        return self.found.get("lurd")

    @property
    def is_hint(self) -> bool:
        return self.row.kind == SearchKind.HINT

    @property
    def moves(self) -> int | None:
        return None if self.is_hint else self.found.get("moves")

    @property
    def pushes(self) -> int | None:
        return None if self.is_hint else self.found.get("pushes")

    @property
    def optimal(self) -> str | None:
        proved = [metric for metric in ("pushes", "moves") if self.row.is_optimal(metric)]
        if not proved or self.is_hint:
            return None
        return self.row.aim if self.row.aim in proved else proved[0]


class QuestionSerializer(BodySerializer):
    """A question to the solver."""

    level = StrictTextField(help_text="In any usual form.")
    act = StrictChoiceField(
        asking.ACTS, is_checked=False, required=False, help_text="To optimize takes a solution in lurd."
    )
    aim = StrictChoiceField(asking.AIMS, is_checked=False, required=False)
    lurd = StrictTextField(required=False)
    seconds = StrictCountField(required=False, help_text="CPU seconds; more than the site allows means the most.")


class PositionSerializer(BodySerializer):
    """A position of a level in practice."""

    moves = StrictTextField(required=False, help_text="That lead to it; without any the start.")


class SearchSerializer(Serializer):
    """What the solver was asked, how far it is, what it found."""

    id = CharField(source="public_id")
    url = URLField()
    state = ChoiceField(SearchState.values)
    answer = ChoiceOrNullField(SearchAnswer.values, help_text="Null until it is done.")
    limit = TextOrNullField(help_text="What ended a search that came to no answer.")
    lurd = CharField(allow_null=True, help_text="The solution; of a hint the moves to the end of the next push.")
    moves = CountField(allow_null=True)
    pushes = CountField(allow_null=True)
    optimal = ChoiceField(["pushes", "moves"], allow_null=True, help_text="No solution has fewer, as was proved.")
    lower_bound_pushes = CountField(source="least_pushes", help_text="No solution has fewer.")
    lower_bound_moves = CountField(source="least_moves", help_text="No solution has fewer.")
    bound = CountField(help_text="Of what is being looked for, so far.")
    best = CountField(allow_null=True, help_text="Of what was looked for; null until it is done.")
    depth = CountField()
    nodes = CountField(help_text="Positions met.")
    cpu_seconds = FloatField()
    seconds = CountField(help_text="CPU seconds it may take.")
