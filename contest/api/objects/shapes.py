"""What the schema of an object is written with: types, words that may stand in them, and how they are put together."""

from collections.abc import Mapping, Sequence
from typing import Any

Schema = dict[str, Any]
INTEGER: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}
TEXT: Schema = {"type": "string"}
TIME: Schema = {
    "type": "string",
    "format": "date-time",
    "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$",
    "description": "UTC, with microseconds.",
}
HASH: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
ADDRESS: Schema = {"type": "string", "format": "uri"}
SLOTS = ("main", "extra", "extra2", "extra3")
PHASES = ("scheduled", "open", "closed", "final", "cancelled")
VERDICTS = ("pending", "accepted", "spectator", "not_solved", "illegal", "malformed", "empty", "too_long")
STATES = ("queued", "running", "judged", "held")
EVENTS = (
    "announced", "opened", "closed", "revealed", "final", "revised", "cancelled", "note", "accepted", "best", "post",
)  # fmt: skip
TITLES = ("MMC", "MPC", "second", "lucky")


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


MAYBE_TEXT = maybe(TEXT)


def with_words(schema: Schema, words: str) -> Schema:
    return {**schema, "description": words}


def one_of(*choices: str) -> Schema:
    return {"type": "string", "enum": list(choices)}


def many(schema: Schema, **bounds: int) -> Schema:
    return {"type": "array", "items": schema, **bounds}


def shape(words: str, members: Mapping[str, Schema], *, optional: Sequence[str] = ()) -> Schema:
    """An object with these members; all but the *optional* ones are always there."""
    required = [name for name in members if name not in optional]
    return {"type": "object", "description": words, "properties": dict(members), "required": required}


def page_of(name: str) -> Schema:
    link = maybe(ADDRESS)
    return shape("A page; follow next until it is null.", {"next": link, "previous": link, "results": many(ref(name))})


def ranking_of(words: str, **members: Schema) -> Schema:
    """A part of a ranked list."""
    return shape(words, {**members, "count": with_words(COUNT, "How many rows there are in all.")})


def strict(schema: Any) -> Any:
    """The same schema without room for members it does not name: what tests hold answers to."""
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: strict(one) for name, one in schema.items()}
    if "properties" in inner and inner.get("type") == "object":
        inner.setdefault("additionalProperties", False)
    return inner
