"""Vendored files are unchanged since their publication."""

import hashlib
import re
from pathlib import Path, PurePosixPath

import pytest
from django.contrib.staticfiles.finders import get_finders

from contest.web.pages import reading

VENDOR = Path(__file__).parent.parent / "contest/static/contest/vendor"
FOLDERS = sorted(path for path in VENDOR.iterdir() if path.is_dir())


def sum_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_file_is_as_it_was_published(folder):
    published = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    files = {path.name: sum_of(path) for path in folder.iterdir() if path.name != "SHA256SUMS"}
    assert files == published
    assert any(name.startswith("LICENSE") for name in files)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_folder_is_accounted_for(folder):
    line = next(line for line in (VENDOR / "VENDOR.md").read_text().splitlines() if f"`{folder.name}`" in line)
    assert sum_of(folder / "SHA256SUMS") in line


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_page_of_licences_names_every_folder_of_other_peoples_files(language):
    """A folder with its own licence is named itself; any other by a parent folder."""
    named = set(re.findall(r"`([^`]+)`", reading.file_of("licences", language).read_text()))
    files = {
        PurePosixPath(getattr(storage, "prefix", None) or "", path)
        for finder in get_finders()
        for path, storage in finder.list([])
    }
    foreign = {path for path in files if path.parts[0] != "contest" or "vendor" in path.parts}
    licensed = {str(path.parent) for path in foreign if path.name.startswith("LICENSE")}
    assert {f"contest/vendor/{folder.name}" for folder in FOLDERS} <= licensed <= named
    loose = foreign - {PurePosixPath("contest/vendor/VENDOR.md")}
    assert [path for path in loose if not {str(folder) for folder in path.parents} & named] == []
