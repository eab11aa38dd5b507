"""Vendored files are unchanged since their publication, and named on the page of licences; `dev.py lint` lists others.

Django must be set up before this module is imported.
"""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from django.contrib.staticfiles.finders import get_finders

from contest.web.pages import reading
from tooling.folders import ROOT
from tooling.terminal import print_line

VENDOR = ROOT / "contest/static/contest/vendor"
FOLDERS = sorted(path for path in VENDOR.iterdir() if path.is_dir())


def find_breaches() -> Iterator[str]:
    yield from check_sums()
    for language in ("en", "zh-hans"):
        yield from check_licences(language)


def check_sums() -> Iterator[str]:
    """Check that every file is as it was published, and that VENDOR.md has the sum of each folder."""
    lines = (VENDOR / "VENDOR.md").read_text("utf-8").splitlines()
    for folder in FOLDERS:
        sums = (folder / "SHA256SUMS").read_text("utf-8").splitlines()
        published = {name: sha256 for sha256, name in (line.split("  ") for line in sums)}
        files = {path.name: _sum_of(path) for path in folder.iterdir() if path.name != "SHA256SUMS"}
        if files != published:
            yield f"{folder.name}: the files are not those that were published"
        if not any(name.startswith("LICENSE") for name in files):
            yield f"{folder.name}: lacks its licence"
        if not any(f"`{folder.name}`" in line and _sum_of(folder / "SHA256SUMS") in line for line in lines):
            yield f"VENDOR.md: lacks {folder.name} with the sum of its SHA256SUMS"


def check_licences(language: str) -> Iterator[str]:
    """Check that the page of licences names every folder of other people's files.

    A folder with its own licence is named itself; any other by a parent folder.
    """
    named = set(re.findall(r"`([^`]+)`", reading.file_of("licences", language).read_text("utf-8")))
    files = {
        PurePosixPath(getattr(storage, "prefix", None) or "", path)
        for finder in get_finders()
        for path, storage in finder.list([])
    }
    foreign = {path for path in files if path.parts[0] != "contest" or "vendor" in path.parts}
    licensed = {str(path.parent) for path in foreign if path.name.startswith("LICENSE")}
    licensed |= {f"contest/vendor/{folder.name}" for folder in FOLDERS}
    yield from (f"licences ({language}): lacks {folder}" for folder in sorted(licensed - named))
    loose = foreign - {PurePosixPath("contest/vendor/VENDOR.md")}
    for path in sorted(path for path in loose if not {str(folder) for folder in path.parents} & named):
        yield f"licences ({language}): names no folder of {path}"


def _sum_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> int:
    problems = list(find_breaches())
    for line in problems:
        print_line(line)
    return 1 if problems else 0
