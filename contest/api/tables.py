"""The section “Objects” of docs/reference/api.md: a table for each object, generated from the OpenAPI document."""

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
    introduction = f"""\
Every object that is sent or answered, member by member, as in the OpenAPI file. A member that is *optional* may be
absent; one that may be null is there. A time is RFC 3339 in UTC with microseconds, a hash SHA-256 in hexadecimals.
{pages} have `next` and `previous` (addresses, or null), and `results`.
"""
    shown = {name: schema for name, schema in objects.items() if "properties" in schema and not name.endswith("Page")}
    return "\n".join([introduction, *(table(name, schema) for name, schema in shown.items())])


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
    lines += [
        _line(member, member_schema, is_required=member in required)
        for member, member_schema in schema["properties"].items()
    ]
    return "\n".join([*lines, ""])


def _line(name: str, schema: Schema, *, is_required: bool) -> str:
    kind = describe_kind(schema) + ("" if is_required else ", optional")
    return f"| `{name}` | {_cell(kind)} | {_cell(_meaning(schema))} |"


def _meaning(schema: Schema) -> str:
    description = schema.get("description", "")
    return "" if description == "UTC, with microseconds." else description


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def describe_kind(schema: Schema) -> str:
    """Return the possible values of a member, in words.

    >>> describe_kind({"enum": ["a", "b", None], "type": ["string", "null"]})
    '`a`, `b` or null'
    """
    kinds = _alternatives(schema)
    return f"{', '.join(kinds[:-1])} or {kinds[-1]}" if len(kinds) > 1 else kinds[0]


def _alternatives(schema: Schema) -> list[str]:
    if "anyOf" in schema or "allOf" in schema:
        return [kind for part in schema.get("anyOf") or schema["allOf"] for kind in _alternatives(part)]
    if "$ref" in schema:
        return [f"`{schema['$ref'].rpartition('/')[2]}`"]
    if "enum" in schema:
        return ["null" if choice is None else f"`{choice}`" for choice in schema["enum"]]
    types: Any = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return [_describe_type(kind, schema) for kind in types]


def _describe_type(kind: str, schema: Schema) -> str:
    if kind == "null":
        return "null"
    if kind == "array":
        return f"list of {describe_kind(schema['items'])}"
    if kind == "string" and schema.get("pattern") == HASH_PATTERN:
        return "hash"
    return _FORMATS.get(schema.get("format", ""), _TYPES[kind])
