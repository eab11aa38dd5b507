"""`verify.pyz`: the verifier and its modules in one file, for a plain Python (rule 24.1; docs/reference/archive.md).

    python -m contest.archive.verifier [FILE]

The build is reproducible on any machine: sorted names, one fixed time, no compression. So anybody with the sources
can build the file and compare its SHA-256 with the one that the site shows.
"""

import ast
import hashlib
import io
import sys
import zipfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

NAME = "verify.pyz"
_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = frozenset({"contest", "solvers"})
_START = ("contest.archive.verify", "contest.verify", "contest.verify.__main__")
_MAIN = """import sys

if sys.version_info < (3, 11):
    sys.exit("This needs Python 3.11 or newer; this is %d.%d." % sys.version_info[:2])

from contest.archive.verify import main

sys.exit(main(prog="verify.pyz"))
"""


@cache
def build() -> bytes:
    """Return the file: a ZIP that Python runs, after a shebang line for Unix."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted({**sources(), "__main__.py": _MAIN.encode()}.items()):
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # the same bytes on every system
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return b"#!/usr/bin/env python3\n" + packed.getvalue()


@cache
def sha256() -> str:
    return hashlib.sha256(build()).hexdigest()


@cache
def sources() -> dict[str, bytes]:
    """Return the modules that the verifier imports, by path: only this project's, since it needs no other packages."""
    files: dict[str, bytes] = {}
    modules = list(_START)
    while modules:
        path = _path_of(modules.pop())
        if path is None or (name := path.relative_to(_ROOT).as_posix()) in files:
            continue
        files[name] = path.read_bytes()
        modules += _imports_of(files[name])
    return files


def _imports_of(source: bytes) -> Iterator[str]:
    """Yield every module that *source* may import: for `from a.b import c` these are a, a.b and a.b.c."""
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] in _PACKAGES:
                yield from (".".join(parts[:size]) for size in range(1, len(parts) + 1))


def _path_of(module: str) -> Path | None:
    """Return the file of *module*; None if the name is not a module."""
    path = _ROOT.joinpath(*module.split("."))
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


def main(arguments: Sequence[str]) -> int:
    path = Path(arguments[0] if arguments else NAME)
    path.write_bytes(build())
    print(f"{sha256()}  {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
