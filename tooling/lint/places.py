"""Names in code style exist: the places of the list of sources, and the parts that keep guarantees."""

import re
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pkgutil import resolve_name

from django.conf import settings
from django.urls import Resolver404, resolve
from django.utils.translation import override

from contest.models import OWN_POST_SLUGS
from solvers.sokoban.__main__ import COMMANDS
from tooling.folders import ROOT
from tooling.terminal import print_line

SOURCES, GUARANTEES = "docs/reference/sources.md", "docs/explanation/security.md"


def find_breaches() -> Iterator[str]:
    for row in re.findall(r"^\| [^-].*", (ROOT / SOURCES).read_text("utf-8"), re.MULTILINE):
        for place in re.findall("`([^`]+)`", row.split("|")[3]):
            if not _is_place(place):
                yield f"{SOURCES}: {place} does not exist"
    page = (ROOT / GUARANTEES).read_text("utf-8")
    tables = re.findall(r"^\| guarantee \|.*\n\|[-|]+\n((?:\|.+\n)+)", page, re.MULTILINE)
    for row in "".join(tables).splitlines():
        for name in re.findall(r"`([^`]+)`", row.split("|")[2]):
            if not _is_defined(name):
                yield f"{GUARANTEES}: {name} does not exist"


def _is_place(place: str) -> bool:
    """Return whether a page, a command or a module of this name exists; options of commands are not checked."""
    if place.startswith("/"):
        return _is_page(place)
    if place.startswith("python -m "):
        module, *command = place.removeprefix("python -m ").split()
        return _is_module(f"{module}.__main__") and (module != "solvers.sokoban" or command[0] in COMMANDS)
    return place.startswith("--") or _is_module(place)


def _is_module(name: str) -> bool:
    with suppress(ModuleNotFoundError):  # its package does not exist
        return find_spec(name) is not None
    return False


def _is_page(path: str) -> bool:
    for prefix in ("", "/en"):
        with suppress(Resolver404), override("en"):
            resolve(prefix + path)
            return not re.match("/posts/.", path) or path.split("/")[2] in OWN_POST_SLUGS
    return False


def _is_defined(name: str) -> bool:
    """Return whether a module, a part of one, a file or a setting has the *name*, which may leave out `contest.`."""
    setting = re.fullmatch(r"([A-Z_]+)(?:\[\"([\w-]+)\"\])?", name)
    if setting:
        return hasattr(settings, setting[1]) and (not setting[2] or setting[2] in getattr(settings, setting[1]))
    if "/" in name:
        return (ROOT / name).exists() or (ROOT / "contest" / name).exists()
    with suppress(ImportError, AttributeError, ValueError):
        resolve_name(name if name.startswith(("contest.", "solvers.")) else f"contest.{name}")
        return True
    return " " in name  # a command


def main() -> int:
    breaches = list(find_breaches())
    for line in breaches:
        print_line(line)
    return 1 if breaches else 0
