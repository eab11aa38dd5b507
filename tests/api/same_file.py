"""Compare two OpenAPI files: resolve references, ignore texts and order, and normalise nullable types."""

import json
from collections.abc import Iterator
from typing import Any

_TEXTS = ("description", "summary", "title")


def differences(one: Any, other: Any) -> list[str]:
    """Yield each place at which the files differ."""
    before, after = ({part: _plain(file[part], file) for part in ("paths", "webhooks")} for file in (one, other))
    return list(_differences(before, after, ""))


def _differences(one: Any, other: Any, where: str) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            yield from _differences(one.get(name), other.get(name), f"{where}/{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, pair in enumerate(zip(one, other, strict=True)):
            yield from _differences(*pair, f"{where}/{place}")
    elif one != other:
        yield f"{where}: {one} != {other}"


def _plain(part: Any, file: Any) -> Any:
    if isinstance(part, list):
        return sorted((_plain(one, file) for one in part), key=lambda one: json.dumps(one, sort_keys=True))
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        _root, _components, kind, name = part["$ref"].split("/")
        return _plain(file["components"][kind][name], file)
    plain = {name: _plain(one, file) for name, one in part.items() if not _says_nothing(name, one)}
    if "allOf" in plain:
        return plain["allOf"][0]
    if isinstance(plain.get("type"), list):
        (kind,) = (kind for kind in plain["type"] if kind != "null")
        choices = {"enum": [one for one in plain["enum"] if one is not None]} if "enum" in plain else {}
        return {"anyOf": _plain([{**plain, **choices, "type": kind}, {"type": "null"}], file)}
    if any("anyOf" in one for one in plain.get("anyOf", ())):
        flat = (inner for one in plain["anyOf"] for inner in one.get("anyOf", [one]))
        return {"anyOf": _plain(list(flat), file)}
    return plain


def _says_nothing(name: str, value: Any) -> bool:
    """Return whether a keyword changes nothing: a text, an example, or a default."""
    usual: dict[str, Any] = {"required": (False, []), "additionalProperties": (True, {}), "format": ("double",)}
    is_text = name in _TEXTS and isinstance(value, str)
    return is_text or name == "examples" or value in usual.get(name, ())
