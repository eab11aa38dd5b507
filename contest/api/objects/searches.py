"""What the solver is asked, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from contest.api.objects.kinds import ADDRESS, COUNT, MAYBE_TEXT, NUMBER, TEXT, Member, Shape, inside, maybe, one_of
from contest.models import Search, SearchAnswer, SearchKind, SearchState
from contest.vetting import asking


@dataclass(frozen=True)
class SearchRow:
    """A search with its address, and the best that it found by what was asked for."""

    search: Search
    url: str

    @cached_property
    def best(self) -> Mapping[str, Any]:
        search = self.search
        return search.best_by(search.aim if search.aim != "any" else "pushes") or {}

    @property
    def is_hint(self) -> bool:
        return self.search.kind == SearchKind.HINT

    @property
    def moves(self) -> int | None:
        return None if self.is_hint else self.best.get("moves")

    @property
    def pushes(self) -> int | None:
        return None if self.is_hint else self.best.get("pushes")

    @property
    def optimal(self) -> str | None:
        proved = [metric for metric in ("pushes", "moves") if self.search.is_optimal(metric)]
        if not proved or self.is_hint:
            return None
        return self.search.aim if self.search.aim in proved else proved[0]


QUESTION = Shape[Any]("Question", "A question to the solver.", [
    Member("level", TEXT, words="In any usual form."),
    Member("act", maybe(one_of(*asking.ACTS)), words="To optimize takes a solution in lurd.", is_optional=True),
    Member("aim", maybe(one_of(*asking.AIMS)), is_optional=True),
    Member("lurd", MAYBE_TEXT, is_optional=True),
    Member("seconds", maybe(COUNT), words="CPU seconds; more than the site allows means the most.", is_optional=True),
])  # fmt: skip
POSITION = Shape[Any]("Position", "A position of a level in practice.", [
    Member("moves", MAYBE_TEXT, words="That lead to it; without any the start.", is_optional=True),
])  # fmt: skip
NOTHING = Shape[Any]("Nothing", "An empty object.", [])
SEARCH = Shape[SearchRow]("Search", "What the solver was asked, how far it is, what it found.", [
    Member("id", TEXT, lambda one: one.search.public_id),
    Member("url", ADDRESS),
    Member("state", one_of(*SearchState.values), lambda one: one.search.state),
    Member("answer", maybe(one_of(*SearchAnswer.values)), lambda one: one.search.answer or None,
           "Null until it is done."),
    Member("limit", maybe(TEXT), lambda one: one.search.limit or None,
           "What ended a search that came to no answer."),
    Member("lurd", maybe(TEXT), lambda one: one.best.get("lurd"),
           "The solution; of a hint the moves to the end of the next push."),
    Member("moves", maybe(COUNT)),
    Member("pushes", maybe(COUNT)),
    Member("optimal", maybe(one_of("pushes", "moves")), words="No solution has fewer, as was proved."),
    Member("lower_bound_pushes", COUNT, lambda one: one.search.least_pushes, "No solution has fewer."),
    Member("lower_bound_moves", COUNT, lambda one: one.search.least_moves, "No solution has fewer."),
    *inside("search", [
        Member[Search]("bound", COUNT, words="Of what is being looked for, so far."),
        Member[Search]("best", maybe(COUNT), words="Of what was looked for; null until it is done."),
        Member[Search]("depth", COUNT),
        Member[Search]("nodes", COUNT, words="Positions met."),
        Member[Search]("cpu_seconds", NUMBER),
        Member[Search]("seconds", COUNT, words="CPU seconds it may take."),
    ]),
])  # fmt: skip
SEARCHED = (QUESTION, POSITION, NOTHING, SEARCH)
