"""`verify.pyz`: the verifier with all it needs in one file, for a bare Python (rule 24.1; docs/archive.md).

    python -m contest.archive.verifier [FILE]

The same sources make the same bytes, on any machine: names in their order, one time for all, nothing compressed. So a
reader who has the sources can make the file and compare its SHA-256 with the one that the site shows.
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
    """The file: a ZIP that Python runs, behind a line for Unix shells."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted({**sources(), "__main__.py": _MAIN.encode()}.items()):
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # the same bytes whatever the system
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return b"#!/usr/bin/env python3\n" + packed.getvalue()


@cache
def sha256() -> str:
    return hashlib.sha256(build()).hexdigest()


def sources() -> dict[str, bytes]:
    """The modules that the verifier imports, by their paths: ours alone, for it needs no others."""
    found: dict[str, bytes] = {}
    waiting = list(_START)
    while waiting:
        path = _path_of(waiting.pop())
        if path is None or (name := path.relative_to(_ROOT).as_posix()) in found:
            continue
        found[name] = path.read_bytes()
        waiting += _imports_of(found[name])
    return found


def _imports_of(source: bytes) -> Iterator[str]:
    """Every module that *source* may name: of `from a.b import c` those are a, a.b and a.b.c."""
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
    """The file of *module*; None where the name is no module's."""
    path = _ROOT.joinpath(*module.split("."))
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


def main(arguments: Sequence[str]) -> int:
    path = Path(arguments[0] if arguments else NAME)
    path.write_bytes(build())
    print(f"{sha256()}  {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
