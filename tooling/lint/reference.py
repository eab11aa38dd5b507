"""The library's reference shows all of its public names; `python -m tooling.lint.reference` lists those left out."""

from __future__ import annotations

import pkgutil
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import solvers
from tooling.folders import ROOT
from tooling.terminal import print_line

FOLDER = ROOT / "docs/reference/library"
DIRECTIVE = re.compile(r"^\.\. auto(\w+):: (\S+)\n(?:   :exclude-members: (.*)\n)?", re.MULTILINE)
INTERNAL = re.findall(r"`(solvers[.\w]*)`", (FOLDER / "index.md").read_text("utf-8").partition("are internal")[2])


def find_breaches() -> Iterator[str]:
    """Yield public functions and classes, and names that a package lists, that no page shows."""
    public, on_pages = {name for module in public_modules() for name in _names(module)}, _shown()
    yield from (f"docs/reference/library: no page shows {name}" for name in sorted(public - on_pages))
    for name in INTERNAL:
        import_module(name)  # an internal module that does not exist is an error


def public_modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(solvers.__path__, "solvers."):
        if not found.name.endswith("__main__") and not re.match(rf"({'|'.join(INTERNAL)})(\.|$)", found.name):
            yield import_module(found.name)


def _names(module: ModuleType) -> Iterator[str]:
    """Yield the qualified names of functions and classes that *module* defines, and of all that a package lists."""
    for name, value in vars(module).items():
        is_own = callable(value) and getattr(value, "__module__", "") == module.__name__
        if is_own and hasattr(value, "__qualname__") and not name.startswith("_"):
            yield f"{module.__name__}.{name}"
    if hasattr(module, "__path__"):
        yield from (_qualified_name(module, name) for name in getattr(module, "__all__", ()))


def _shown() -> set[str]:
    """Return the qualified name of each object that a directive of the pages shows."""
    names: set[str] = set()
    for page in FOLDER.glob("*.md"):
        for kind, name, excluded in DIRECTIVE.findall(page.read_text("utf-8")):
            if kind == "module":
                module = import_module(name)
                members = set(getattr(module, "__all__", vars(module))) - {*excluded.split(", ")}
                names |= {_qualified_name(module, member) for member in members}
            else:
                names.add(name)
    return names


def _qualified_name(module: ModuleType, member: str) -> str:
    """Return the name of a member under the module that defines it; constants do not know theirs."""
    value = getattr(module, member)
    return f"{value.__module__ if hasattr(value, '__qualname__') else module.__name__}.{member}"


if __name__ == "__main__":
    problems = list(find_breaches())
    for line in problems:
        print_line(line)
    sys.exit(1 if problems else 0)
