"""Bundle a script and all its imports into one file for browsers (docs/explanation/decisions/no-javascript-build.md).

Each module becomes a function that is called once, in dependency order, and returns its exports. Comments on lines of
their own and indentation are removed, which saves a quarter of the download; nothing else changes.
Modules must import with `import { … } from "./x.js";` and export named declarations; others are refused.
"""

import posixpath
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from django.contrib.staticfiles.storage import staticfiles_storage

_FILES = Path(__file__).parents[1] / "static"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[\w./-]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*?|class|const) (\w+))", re.MULTILINE)
_UNSUPPORTED = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_LEFT_OUT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*.*?\*/[ \t]*)(?:\n|\Z)|^[ \t]+", re.MULTILINE | re.DOTALL)


class CannotBundle(ValueError):
    """Unsupported import or export, an indented line or a comment within a template literal, or a circular import."""


def bundle_path(path: str) -> str | None:
    """Return the path of the bundle for the script at *path*, or None if there is no bundle."""
    bundles: dict[str, str] = getattr(staticfiles_storage, "bundles", {})
    return bundles.get(path)


@cache
def imports_of(path: str) -> tuple[str, ...]:
    """Return the paths below static/ of all modules that the one at *path* needs, without itself, nearest first."""
    paths = [path]
    for script in paths:
        names = [_resolve_import(script, name) for _names, name in _IMPORT.findall((_FILES / script).read_text())]
        paths.extend(name for name in dict.fromkeys(names) if name not in paths)
    return tuple(paths[1:])


def bundle(entry: str, read: Callable[[str], str]) -> str:
    """Return the module *entry*, a path below static/, and all its imports as one text; *read* returns a file."""
    order: list[str] = []
    _collect_modules(entry, read, order, ())
    names = {path: f"module_{number}" for number, path in enumerate(order)}
    return "".join(_wrap_module(path, read(path), names) for path in order)


def _collect_modules(path: str, read: Callable[[str], str], order: list[str], ancestors: tuple[str, ...]) -> None:
    """Append the dependencies of *path* to *order*, then *path* itself."""
    if path in ancestors:
        raise CannotBundle(f"{' → '.join((*ancestors, path))} is a circle.")
    if path in order:
        return
    for _names, imported in _IMPORT.findall(read(path)):
        _collect_modules(_resolve_import(path, imported), read, order, (*ancestors, path))
    order.append(path)


def _resolve_import(path: str, imported: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), imported))


def _wrap_module(path: str, text: str, names: dict[str, str]) -> str:
    def replace_import(match: re.Match[str]) -> str:
        bindings = re.sub(r"\s+as\s+", ": ", match[1])
        return f"const {{{bindings}}} = {names[_resolve_import(path, match[2])]};"

    text = _strip(path, text)
    exports = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(replace_import, text))
    if unsupported := _UNSUPPORTED.search(body):
        raise CannotBundle(f"{path} says: {unsupported[0]}")
    return f"// {path}\nconst {names[path]} = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();\n\n"


def _strip(path: str, text: str) -> str:
    chunks = _LEFT_OUT.split(text)
    backticks = 0
    for chunk in chunks[:-1]:
        backticks += chunk.count("`")
        if backticks % 2:
            raise CannotBundle(f"{path} has an indented line or a comment within backticks.")
    return "".join(chunks)
