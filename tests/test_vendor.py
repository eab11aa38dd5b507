"""Files of others lie here as they were published."""

import hashlib
from pathlib import Path

import pytest

VENDOR = Path(__file__).parent.parent / "contest/static/contest/vendor"
FOLDERS = sorted(path for path in VENDOR.iterdir() if path.is_dir())


def sum_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_file_is_as_it_was_published(folder):
    told = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    files = {path.name: sum_of(path) for path in folder.iterdir() if path.name != "SHA256SUMS"}
    assert files == told
    assert any(name.startswith("LICENSE") for name in files)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_folder_is_accounted_for(folder):
    line = next(line for line in (VENDOR / "VENDOR.md").read_text().splitlines() if f"`{folder.name}`" in line)
    assert sum_of(folder / "SHA256SUMS") in line
