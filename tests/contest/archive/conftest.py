"""Archives of a round, as the site hands them out and as somebody else packs them."""

import hashlib
import json
from pathlib import Path

import pytest

from contest import results, visibility
from contest.archive import format as archived
from contest.archive import packing, verify
from contest.infra import clock
from contest.rules import canonical
from contest.visibility import Viewer
from tests.contest.archive.test_writer import LATER, packed, play, unpacked


@pytest.fixture
def provisional():
    play()
    with clock.set_to(LATER):
        yield unpacked(packed())


@pytest.fixture
def final():
    play()
    with clock.set_to(LATER):
        results.finalise(visibility.archived_rounds(Viewer(), LATER).get(), at=LATER, by=None)
        yield unpacked(packed())


_kept: dict[str, bytes] = {}


@pytest.fixture
def kept(request):
    """The files of one final round, made once: what is forged needs no site."""
    if not _kept:
        _kept.update(request.getfixturevalue("final"))
    return dict(_kept)


def pack(path: Path, files: dict[str, bytes], *, is_rehashed: bool = False) -> Path:
    """The files as an archive, packed as the site packs; a forger writes the hashes of what was forged, too."""
    if is_rehashed:
        told = json.loads(files["manifest.json"])
        hashes = {name: hashlib.sha256(files[name]).hexdigest() for name in archived.HASHED[told["format"]]}
        files = files | {"manifest.json": canonical.json_page(told | {"files": hashes}).encode()}
    target = path / "archive.zip"
    with target.open("wb") as file:
        file.writelines(packing.pack((name, [data]) for name, data in files.items()))
    return target


def differences(path: Path, files: dict[str, bytes], *, is_rehashed: bool = False) -> list[str]:
    return [str(one) for one in verify.verify(pack(path, files, is_rehashed=is_rehashed)).differences]
