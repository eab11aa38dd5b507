"""The section “Objects” of docs/api.md: a table for each object, generated from the OpenAPI document."""

from collections.abc import Mapping
from typing import Any

from contest.api.schema import Schema, document
from contest.api.serializers.fields import HASH_PATTERN

HEADING = "## Objects\n"
_TYPES = {"integer": "integer", "number": "number", "string": "text", "boolean": "true or false", "object": "object"}
_FORMATS = {"date-time": "time", "uri": "address"}


def with_tables(page: str) -> str:
    """Return *page* with the section regenerated. The section ends where the next one begins."""
    before, _heading, rest = page.partition(HEADING)
    _old, begins, after = rest.partition("\n## ")
    return "".join([before, HEADING, "\n", section(), begins, after])


def section() -> str:
    objects: Mapping[str, Schema] = document()["components"]["schemas"]
    pages = ", ".join(f"`{name}`" for name in objects if name.endswith("Page"))
    words = f"""\
Every object that is sent or answered, member by member, as in the OpenAPI file. A member that is *optional* may be
absent; one that may be null is there. A time is RFC 3339 in UTC with microseconds, a hash SHA-256 in hexadecimals.
{pages} have `next` and `previous` (addresses, or null), and `results`.
"""
    shown = {name: one for name, one in objects.items() if "properties" in one and not name.endswith("Page")}
    return "\n".join([words, *(table(name, one) for name, one in shown.items())])


def table(name: str, schema: Schema) -> str:
    """Return the object's name, its description, and a line for each member."""
    lines = [
        f"### `{name}`",
        "",
        _cell(schema.get("description", "")),
        "",
        "| member | kind | meaning |",
        "|---|---|---|",
    ]
    required = schema.get("required", ())
    lines += [_line(member, one, is_required=member in required) for member, one in schema["properties"].items()]
    return "\n".join([*lines, ""])


def _line(name: str, schema: Schema, *, is_required: bool) -> str:
    kind = kind_words(schema) + ("" if is_required else ", optional")
    return f"| `{name}` | {_cell(kind)} | {_cell(_meaning(schema))} |"


def _meaning(schema: Schema) -> str:
    words = schema.get("description", "")
    return "" if words == "UTC, with microseconds." else words


def _cell(words: str) -> str:
    return words.replace("|", "\\|")


def kind_words(schema: Schema) -> str:
    """Return the possible values of a member, in words.

    >>> kind_words({"enum": ["a", "b", None], "type": ["string", "null"]})
    '`a`, `b` or null'
    """
    words = _alternatives(schema)
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def _alternatives(schema: Schema) -> list[str]:
    if "anyOf" in schema or "allOf" in schema:
        return [word for one in schema.get("anyOf") or schema["allOf"] for word in _alternatives(one)]
    if "$ref" in schema:
        return [f"`{schema['$ref'].rpartition('/')[2]}`"]
    if "enum" in schema:
        return ["null" if choice is None else f"`{choice}`" for choice in schema["enum"]]
    types: Any = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return [_type_words(one, schema) for one in types]


def _type_words(kind: str, schema: Schema) -> str:
    if kind == "null":
        return "null"
    if kind == "array":
        return f"list of {kind_words(schema['items'])}"
    if kind == "string" and schema.get("pattern") == HASH_PATTERN:
        return "hash"
    return _FORMATS.get(schema.get("format", ""), _TYPES[kind])
