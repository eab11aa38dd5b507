"""The reference pages of the library show every public function and class, and all that a package lists."""

import pkgutil
import re
from importlib import import_module
from pathlib import Path

import solvers

FOLDER = Path(__file__).resolve().parents[2] / "docs/reference/library"
DIRECTIVE = re.compile(r"^\.\. auto(\w+):: (\S+)\n(?:   :exclude-members: (.*)\n)?", re.MULTILINE)
INTERNAL = re.findall(r"`(solvers[.\w]*)`", (FOLDER / "index.md").read_text("utf-8").partition("are internal")[2])


def shown():
    """Return the qualified name of each object that a directive of the pages shows."""
    names = set()
    for page in FOLDER.glob("*.md"):
        for kind, name, excluded in DIRECTIVE.findall(page.read_text("utf-8")):
            if kind == "module":
                module = import_module(name)
                members = getattr(module, "__all__", vars(module))
                names |= {qualified_name(module, member) for member in set(members) - {*excluded.split(", ")}}
            else:
                names.add(name)
    return names


def qualified_name(module, member):
    """Return the name of a member under the module that defines it; constants do not know theirs."""
    value = getattr(module, member)
    home = value.__module__ if hasattr(value, "__qualname__") else module.__name__
    return f"{home}.{member}"


def public_modules():
    for found in pkgutil.walk_packages(solvers.__path__, "solvers."):
        if not found.name.endswith("__main__") and not re.match(rf"({'|'.join(INTERNAL)})(\.|$)", found.name):
            yield import_module(found.name)


def test_every_public_function_and_class_is_on_a_page():
    missing = {
        f"{module.__name__}.{name}"
        for module in public_modules()
        for name, value in vars(module).items()
        if not name.startswith("_") and callable(value) and getattr(value, "__module__", "") == module.__name__
        if hasattr(value, "__qualname__")
    }
    assert missing - shown() == set()


def test_all_that_a_package_lists_is_on_a_page():
    packages = [module for module in public_modules() if hasattr(module, "__path__") and hasattr(module, "__all__")]
    listed = {qualified_name(package, name) for package in packages for name in package.__all__}
    assert listed - shown() == set()


def test_internal_modules_exist():
    assert [import_module(name).__name__ for name in INTERNAL] == INTERNAL
