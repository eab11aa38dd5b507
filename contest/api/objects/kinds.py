"""What an object is declared with: kinds of values, members, and shapes, which are objects.

One declaration says all of an object: its part of the OpenAPI file, how it is written in an answer, its table in
docs/api.md.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic, TypeVar

from contest.models import League, Metric, Slot, State, Verdict
from contest.rankings.pareto import EVERYONE
from contest.rules import canonical
from contest.rules.phases import Phase
from contest.wording.verdicts import TITLE_WORDS

Schema = dict[str, Any]
Source = TypeVar("Source")

LARGEST_PAGE = 200
# Of a page with texts: each may be as long as a million moves.
MOST_TEXTS = 20
LONGEST_WAIT = 5


def as_it_is(value: Any) -> Any:
    return value


class Kind:
    """What may stand at a place: its JSON Schema (2020-12), and how a value is written there."""

    def __init__(self, schema: Schema, write: Callable[[Any], Any] = as_it_is) -> None:
        self.schema = schema
        self.write = write


@dataclass(frozen=True)
class Member(Generic[Source]):
    """A member of an object: its name, its kind, its value, and what it means.

    *value* takes it from what the object is made of; without, it is the attribute of the same name. One that
    *is_optional* is left out where the value is None.
    """

    name: str
    kind: Kind
    value: Callable[[Source], Any] | None = None
    words: str = ""
    is_optional: bool = False

    @property
    def schema(self) -> Schema:
        return {**self.kind.schema, "description": self.words} if self.words else self.kind.schema

    @property
    def read(self) -> Callable[[Source], Any]:
        return self.value or attrgetter(self.name)


class Shape(Kind, Generic[Source]):
    """An object with its members, made of a *Source*. One without a name stands inside another."""

    def __init__(self, name: str, words: str, members: Iterable[Member[Source]]) -> None:
        self.name, self.words, self.members = name, words, tuple(members)
        self._parts = [(one.name, one.read, one.kind.write, one.is_optional) for one in self.members]
        super().__init__({"$ref": f"#/components/schemas/{name}"} if name else self.component, self.show)

    @property
    def component(self) -> Schema:
        """The object itself, as JSON Schema."""
        return {
            "type": "object",
            "description": self.words,
            "properties": {one.name: one.schema for one in self.members},
            "required": [one.name for one in self.members if not one.is_optional],
        }

    def show(self, source: Source) -> dict[str, Any]:
        """The object, as it stands in an answer."""
        shown = {}
        for name, read, write, is_optional in self._parts:
            value = read(source)
            if value is not None or not is_optional:
                shown[name] = write(value)
        return shown


def inside(name: str, members: Iterable[Member[Any]]) -> list[Member[Any]]:
    """The same *members* of what a source has as its attribute *name*."""

    def lift(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
        whole = attrgetter(name)
        return lambda source: read(whole(source))

    return [Member(one.name, one.kind, lift(one.read), one.words, one.is_optional) for one in members]


INTEGER = Kind({"type": "integer"})
COUNT = Kind({"type": "integer", "minimum": 0})
NUMBER = Kind({"type": "number"})
BOOLEAN = Kind({"type": "boolean"})
TEXT = Kind({"type": "string"})
TIME = Kind(
    {
        "type": "string",
        "format": "date-time",
        "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$",
        "description": "UTC, with microseconds.",
    },
    canonical.instant,
)
HASH = Kind({"type": "string", "pattern": "^[0-9a-f]{64}$"})
ADDRESS = Kind({"type": "string", "format": "uri"})
ANYTHING = Kind({"type": "object", "additionalProperties": True})


def maybe(kind: Kind) -> Kind:
    """The same, or null."""
    return Kind({"anyOf": [kind.schema, {"type": "null"}]}, lambda value: None if value is None else kind.write(value))


def many(kind: Kind, **bounds: int) -> Kind:
    """A list."""
    return Kind({"type": "array", "items": kind.schema, **bounds}, lambda values: list(map(kind.write, values)))


def one_of(*choices: str) -> Kind:
    return Kind({"type": "string", "enum": list(choices)})


MAYBE_TEXT = maybe(TEXT)
PENDING, HELD = "pending", "held"  # what programs are told of no verdict yet, and of quarantine
SLOT = one_of(*Slot.values)
PHASE = one_of(*(phase for phase in Phase if phase != Phase.DRAFT))
VERDICT = one_of(PENDING, *Verdict.values)
STATE = one_of(*(HELD if state == State.QUARANTINED else state for state in State.values))
TITLE = one_of(*TITLE_WORDS)
METRIC = one_of(*Metric.values)
LEAGUE = one_of(*League.values)
EVERY_LEAGUE = one_of(*League.values, EVERYONE)


@dataclass(frozen=True)
class Page(Generic[Source]):
    """One page of a list, with the addresses of those beside it."""

    next: str | None
    previous: str | None
    results: Sequence[Source]


def page_of(shape: Shape[Source]) -> Shape[Page[Source]]:
    return Shape(
        f"{shape.name}Page",
        "A page; follow next until it is null.",
        [Member("next", maybe(ADDRESS)), Member("previous", maybe(ADDRESS)), Member("results", many(shape))],
    )


def list_members(row: Kind) -> list[Member[Any]]:
    """The last members of a part of a ranked list."""
    return [Member("count", COUNT, words="How many rows there are in all."), Member("results", many(row))]
