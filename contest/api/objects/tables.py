"""The section “Objects” of docs/api.md: a table of each object, made of its declaration."""

from typing import Any

from contest.api.objects.components import PAGES, SHAPES
from contest.api.objects.kinds import HASH, Member, Schema, Shape

HEADING = "## Objects\n"
_TYPES = {"integer": "integer", "number": "number", "string": "text", "boolean": "true or false", "object": "object"}
_FORMATS = {"date-time": "time", "uri": "address"}


def with_tables(page: str) -> str:
    """The *page* with the section made anew. It ends where the next section begins."""
    before, _heading, rest = page.partition(HEADING)
    _old, begins, after = rest.partition("\n## ")
    return "".join([before, HEADING, "\n", section(), begins, after])


def section() -> str:
    pages = ", ".join(f"`{shape.name}`" for shape in PAGES)
    words = f"""\
Every object that is sent or answered, member by member, as in the OpenAPI file. A member that is *optional* may be
absent; one that may be null is there. A time is RFC 3339 in UTC with microseconds, a hash SHA-256 in hexadecimals.
{pages} have `next` and `previous` (addresses, or null), and `results`.
"""
    return "\n".join([words, *(table(shape) for shape in SHAPES if shape not in PAGES)])


def table(shape: Shape[Any]) -> str:
    """The object's name, what it is, and a line for each member."""
    lines = [f"### `{shape.name}`", "", _cell(shape.words), ""]
    if shape.members:
        lines += ["| member | kind | meaning |", "|---|---|---|", *map(_line, shape.members), ""]
    return "\n".join(lines)


def _line(member: Member[Any]) -> str:
    kind = kind_words(member.kind.schema) + (", optional" if member.is_optional else "")
    return f"| `{member.name}` | {_cell(kind)} | {_cell(member.words)} |"


def _cell(words: str) -> str:
    return words.replace("|", "\\|")


def kind_words(schema: Schema) -> str:
    """What may stand at a place, in words.

    >>> kind_words({"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}]})
    '`a`, `b` or null'
    """
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "anyOf" in schema:
        return _choice([word for one in schema["anyOf"] for word in _alternatives(one)])
    if "properties" in schema:
        return "{" + ", ".join(f"`{name}`: {kind_words(one)}" for name, one in schema["properties"].items()) + "}"
    if schema["type"] == "array":
        return f"list of {kind_words(schema['items'])}"
    return _choice(_alternatives(schema))


def _alternatives(schema: Schema) -> list[str]:
    if "enum" in schema:
        return [f"`{choice}`" for choice in schema["enum"]]
    if schema.get("type") == "null":
        return ["null"]
    if schema.get("type") in _TYPES and "properties" not in schema:
        usual = "hash" if schema.get("pattern") == HASH.schema["pattern"] else _TYPES[schema["type"]]
        return [_FORMATS.get(schema.get("format", ""), usual)]
    return [kind_words(schema)]


def _choice(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
