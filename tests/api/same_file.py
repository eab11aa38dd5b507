"""Compare two OpenAPI files: resolve references, ignore texts and order, and normalise nullable types."""

import json
from collections.abc import Iterator
from typing import Any

_TEXTS = ("description", "summary", "title")


def differences(expected: Any, actual: Any) -> list[str]:
    """Yield each place at which the files differ."""
    expected_parts, actual_parts = (
        {part: _normalise(file[part], file) for part in ("paths", "webhooks")} for file in (expected, actual)
    )
    return list(_differences(expected_parts, actual_parts, ""))


def _differences(expected: Any, actual: Any, path: str) -> Iterator[str]:
    if isinstance(expected, dict) and isinstance(actual, dict):
        for name in sorted(expected.keys() | actual.keys()):
            yield from _differences(expected.get(name), actual.get(name), f"{path}/{name}")
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for place, pair in enumerate(zip(expected, actual, strict=True)):
            yield from _differences(*pair, f"{path}/{place}")
    elif expected != actual:
        yield f"{path}: {expected} != {actual}"


def _normalise(part: Any, file: Any) -> Any:
    if isinstance(part, list):
        return sorted((_normalise(value, file) for value in part), key=lambda value: json.dumps(value, sort_keys=True))
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        _root, _components, kind, name = part["$ref"].split("/")
        return _normalise(file["components"][kind][name], file)
    plain = {name: _normalise(value, file) for name, value in part.items() if not _is_irrelevant(name, value)}
    if "allOf" in plain:
        return plain["allOf"][0]
    if isinstance(plain.get("type"), list):
        (kind,) = (kind for kind in plain["type"] if kind != "null")
        choices = {"enum": [value for value in plain["enum"] if value is not None]} if "enum" in plain else {}
        return {"anyOf": _normalise([{**plain, **choices, "type": kind}, {"type": "null"}], file)}
    if any("anyOf" in value for value in plain.get("anyOf", ())):
        flat = (inner for value in plain["anyOf"] for inner in value.get("anyOf", [value]))
        return {"anyOf": _normalise(list(flat), file)}
    return plain


def _is_irrelevant(name: str, value: Any) -> bool:
    """Return whether a keyword changes nothing: a text, an example, or a default."""
    usual: dict[str, Any] = {"required": (False, []), "additionalProperties": (True, {}), "format": ("double",)}
    is_text = name in _TEXTS and isinstance(value, str)
    return is_text or name == "examples" or value in usual.get(name, ())
