"""Serializers of solver questions and answers."""

from rest_framework.serializers import CharField, ChoiceField, FloatField, IntegerField, ListField, URLField

from contest.api.serializers.base import AnswerSerializer, Wrapper
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
from contest.vetting import asking, coaching


def search_row(search: Search, url: str) -> Wrapper:
    """Return a search with its URL, and the best solution that it found for the requested metric."""
    metric = search.aim if search.aim != "any" else "pushes"
    best = search.best_by(metric) or {}
    is_hint = search.kind == SearchKind.HINT
    proved = [] if is_hint else [metric for metric in ("pushes", "moves") if search.is_optimal(metric)]
    return Wrapper(
        search,
        url=url,
        lurd=best.get("lurd"),
        moves=None if is_hint else best.get("moves"),
        pushes=None if is_hint else best.get("pushes"),
        stretches=coaching.stretches_of(search, metric),
        loss=Wrapper(search, **search.loss) if search.loss else None,
        optimal=search.aim if search.aim in proved else next(iter(proved), None),
    )


class QuestionSerializer(BodySerializer):
    """A question to the solver."""

    level = StrictTextField(help_text="In any usual form.")
    act = StrictChoiceField(
        asking.ACTS, is_checked=False, required=False, help_text="To optimize or coach takes a solution in lurd."
    )
    aim = StrictChoiceField(asking.AIMS, is_checked=False, required=False)
    lurd = StrictTextField(required=False)
    seconds = StrictCountField(
        required=False, min_value=0, help_text="CPU seconds; 0 means 10, and more than the site allows the most."
    )


class PositionSerializer(BodySerializer):
    """A position of a level in practice."""

    moves = StrictTextField(required=False, help_text="That lead to it; without any the start.")


class StretchSerializer(AnswerSerializer):
    """Steps of a solution, and better ones that lead to the same position."""

    start = CountField(help_text="The first of its steps, from 0.")
    stop = CountField(help_text="The step after its last.")
    first_push = CountField(help_text="Its first push, from 0.")
    last_push = CountField(help_text="The push after its last: the same for a walk between two pushes.")
    moves = IntegerField(help_text="Lost: so many more than in lurd. A negative number is saved.")
    pushes = IntegerField(help_text="Lost, likewise.")
    lurd = CharField(help_text="The better steps.")


class LossSerializer(AnswerSerializer):
    """The reason why a position is lost: some boxes can never all get to goals, whatever becomes of the others."""

    boxes = ListField(child=CountField(), help_text="Their cells: row times width plus column, from 0.")
    reach = ListField(child=CountField(), help_text="Where these can still get; empty if that was too much to list.")
    push = CountField(help_text="The push that lost them, from 1; 0: they were lost from the start.")
    moves = CountField(help_text="Moves before that push.")


class SearchSerializer(AnswerSerializer):
    """A question to the solver, its progress and its result."""

    id = CharField(source="public_id")
    url = URLField()
    state = ChoiceField(SearchState.values)
    answer = ChoiceOrNullField(SearchAnswer.values, help_text="Null until it is done.")
    limit = TextOrNullField(help_text="What ended a search that came to no answer.")
    lurd = CharField(allow_null=True, help_text="The solution; of a hint the moves to the end of the next push.")
    moves = CountField(allow_null=True)
    pushes = CountField(allow_null=True)
    optimal = ChoiceField(["pushes", "moves"], allow_null=True, help_text="No solution has fewer, as was proved.")
    stretches = StretchSerializer(many=True, help_text="Only of coach: where the solution sent loses against lurd.")
    loss = LossSerializer(allow_null=True, help_text="Only of hints, if it is unsolvable and the reason was found.")
    lower_bound_pushes = CountField(source="least_pushes", help_text="No solution has fewer.")
    lower_bound_moves = CountField(source="least_moves", help_text="No solution has fewer.")
    bound = CountField(help_text="Of what is being looked for, so far.")
    best = CountField(allow_null=True, help_text="Of what was looked for; null until it is done.")
    depth = CountField()
    nodes = CountField(help_text="Positions met.")
    cpu_seconds = FloatField()
    seconds = CountField(help_text="CPU seconds it may take.")
