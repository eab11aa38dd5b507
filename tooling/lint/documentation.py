"""`dev.py docs`: build the documentation site, without a network."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tooling.environment import DEV, PYTHON, plain_environment, prepare
from tooling.folders import ROOT
from tooling.terminal import print_line

FOLDER = ROOT / "builds" / "docs"
# What a browser fetches for a page by itself, from another host.
_FETCHED = re.compile(
    r"""(?:<(?:script|img|iframe|source|link(?! rel="canonical"))\b[^>]*?(?:src|href)="|url\(["']?)"""
    r"""((?:https?:)?//[^"')]+)"""
)


def build() -> int:
    """Write the site to builds/docs; every warning, and every file from another host, is an error."""
    prepare(DEV)
    command = [str(PYTHON), "-m", "sphinx", "--quiet", "--fail-on-warning", "--fresh-env", "--builder", "html"]
    command += ["--doctree-dir", str(FOLDER.with_name("doctrees")), str(ROOT / "docs"), str(FOLDER)]
    if code := subprocess.run(command, cwd=ROOT, env=plain_environment(), check=False).returncode:
        return code
    fetched = list(find_foreign_files(FOLDER))
    for line in fetched:
        print_line(line)
    print_line(f"The documentation: {FOLDER / 'index.html'}")
    return 1 if fetched else 0


def find_foreign_files(folder: Path) -> Iterator[str]:
    """Yield the files from other hosts that the pages and style sheets in *folder* load."""
    for file in sorted((*folder.rglob("*.html"), *folder.rglob("*.css"))):
        for match in _FETCHED.finditer(file.read_text("utf-8")):
            yield f"{file.relative_to(folder)}: loads {match[1]} from another host"
