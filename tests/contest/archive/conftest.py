"""Archives of a round: as the site writes them, and repacked by a forger."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contest import results, visibility
from contest.archive import format as archived
from contest.archive import packing, verify
from contest.infra import clock
from contest.rules import canonical
from contest.visibility import Viewer
from tests.contest.archive.forger import REHASHED, Forgery
from tests.contest.archive.test_writer import LATER, packed, play, unpacked

_made: dict[str, dict[str, bytes]] = {}


def build_once(name: str, make: Callable[[], dict[str, bytes]]) -> dict[str, bytes]:
    """Return the files from *make*, called only by the first test that needs *name*: a forger needs no site."""
    if name not in _made:
        _made[name] = make()
    return dict(_made[name])


@pytest.fixture
def played():
    play()
    with clock.set_to(LATER):
        yield


@pytest.fixture
def provisional(played):
    return unpacked(packed())


@pytest.fixture
def final(played):
    results.finalise(visibility.archived_rounds(Viewer(), LATER).get(), at=LATER, by=None)
    return unpacked(packed())


@pytest.fixture
def archive_files(request):
    return build_once("final", lambda: request.getfixturevalue("final"))


def pack(path: Path, files: dict[str, bytes], *, is_rehashed: bool = False) -> Path:
    """Pack the files as the site does. With *is_rehashed* the manifest gets the hashes of the forged files."""
    if is_rehashed:
        manifest = json.loads(files["manifest.json"])
        hashes = {name: hashlib.sha256(files[name]).hexdigest() for name in archived.HASHED[manifest["format"]]}
        files = files | {"manifest.json": canonical.json_page(manifest | {"files": hashes}).encode()}
    target = path / "archive.zip"
    with target.open("wb") as file:
        file.writelines(packing.pack((name, [data]) for name, data in files.items()))
    return target


def faults(path: Path, files: dict[str, bytes], change: Callable[[Forgery], Any], depth: int = REHASHED) -> str:
    """Return what the verifier finds after a forger's *change*, with everything up to *depth* recomputed."""
    forgery = Forgery(files)
    change(forgery)
    return " ".join(differences(path, forgery.files(depth)))


def differences(path: Path, files: dict[str, bytes], *, is_rehashed: bool = False) -> list[str]:
    return [str(difference) for difference in verify.verify(pack(path, files, is_rehashed=is_rehashed)).differences]
