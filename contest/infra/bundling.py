"""Bundle a script and all its imports into one file for browsers (docs/decisions/no-javascript-build.md).

Each module becomes a function that is called once, in dependency order, and returns its exports. Comments on lines of
their own are removed, which saves a quarter of the download; nothing else changes, neither names nor white space.
Modules must import with `import { … } from "./x.js";` and export named declarations; others are refused.
"""

import posixpath
import re
from collections.abc import Callable

from django.contrib.staticfiles.storage import staticfiles_storage

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[\w./-]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*.*?\*/[ \t]*)(?:\n|\Z)", re.MULTILINE | re.DOTALL)


class CannotBundle(ValueError):
    """Unsupported import or export, a template literal line that looks like a comment, or a circular import."""


def bundle_of(path: str) -> str | None:
    """Return the path of the bundle for the script at *path*, or None if there is no bundle."""
    bundles: dict[str, str] = getattr(staticfiles_storage, "bundles", {})
    return bundles.get(path)


def bundle(entry: str, read: Callable[[str], str]) -> str:
    """Return the module *entry*, a path below static/, and all its imports as one text; *read* returns a file."""
    order: list[str] = []
    _visit(entry, read, order, ())
    names = {path: f"module_{number}" for number, path in enumerate(order)}
    return "".join(_wrap(path, read(path), names) for path in order)


def _visit(path: str, read: Callable[[str], str], order: list[str], way: tuple[str, ...]) -> None:
    """Append the dependencies of *path* to *order*, then *path* itself."""
    if path in way:
        raise CannotBundle(f"{' → '.join((*way, path))} is a circle.")
    if path in order:
        return
    for _names, other in _IMPORT.findall(read(path)):
        _visit(_below(path, other), read, order, (*way, path))
    order.append(path)


def _below(path: str, other: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))


def _wrap(path: str, text: str, names: dict[str, str]) -> str:
    def take(found: re.Match[str]) -> str:
        given = re.sub(r"\s+as\s+", ": ", found[1])
        return f"const {{{given}}} = {names[_below(path, found[2])]};"

    text = _without_comments(path, text)
    exports = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(take, text))
    if other := _OTHER.search(body):
        raise CannotBundle(f"{path} says: {other[0]}")
    return f"// {path}\nconst {names[path]} = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();\n\n"


def _without_comments(path: str, text: str) -> str:
    parts = _COMMENT.split(text)
    backticks = 0
    for part in parts[:-1]:
        backticks += part.count("`")
        if backticks % 2:
            raise CannotBundle(f"{path} has a line within backticks that looks like a comment.")
    return "".join(parts)
