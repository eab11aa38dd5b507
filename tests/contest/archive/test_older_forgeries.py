"""Forged archives of formats 1 to 3: the verifier notices each, or a saved checkpoint or seal shows it (rule 24.2)."""

import hashlib
import io
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from contest.archive import format as archived
from contest.archive import verify
from contest.archive.checks import BadArchive
from contest.archive.collected import CollectedPiece, TrustedFacts
from contest.rules import signed_notes
from tests import sizes
from tests.contest.archive.conftest import pack
from tests.contest.archive.forger import REHASHED, RELINKED, TABULATED, Forgery
from tests.contest.archive.forgeries import CHANGES, Change
from tests.contest.archive.test_forgeries import ERASABLE

ARCHIVES = Path(__file__).parents[3] / "tests/data/archives"
OF_ANSWERS: dict[str, Change] = {
    "an opened answer listed as unopened": lambda f: f.answers[0].update(opened_at=None, submission=None),
    "an opened answer left out with its submission": lambda f: (f.answers.pop(0), f.rows.pop()),
    "an unopened answer left out": lambda f: f.answers.pop(),
    "an answer twice": lambda f: f.answers.append(dict(f.answers[-1])),
    "an answer's moves": lambda f: f.answers[0].update(moves=1),
    "an answer of another player": lambda f: f.answers[0].update(player=5),
    "an answer opened later": lambda f: f.answers[0].update(opened_at="2026-11-22T20:00:00.000000Z"),
}
RECIPES = CHANGES.keys() | OF_ANSWERS.keys()


@cache
def files_of(name: str) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO((ARCHIVES / f"{name}.zip").read_bytes())) as packed:
        return {entry: packed.read(entry) for entry in packed.namelist()}


def forged(name: str, recipe: str) -> Forgery | None:
    """Return the forgery; None if the archive lacks what the recipe changes."""
    forgery = Forgery(files_of(name))
    try:
        (CHANGES[recipe][0] if recipe in CHANGES else OF_ANSWERS[recipe])(forgery)
    except (StopIteration, KeyError, IndexError, TypeError, AttributeError):
        return None
    return forgery


def recipes() -> Iterator[tuple[str, str]]:
    for name in ("format-1-revised", "format-2-revised", "format-3-final"):
        yield from ((name, recipe) for recipe in sorted(RECIPES) if forged(name, recipe))


ALL = list(recipes())


def trusted(name: str) -> TrustedFacts:
    """Return a checkpoint of that day; a round of format 1 had only the seal."""
    if name.startswith("format-1"):
        return TrustedFacts(seal=hashlib.sha256(files_of(name)[archived.MANIFEST]).hexdigest())
    note = signed_notes.read((ARCHIVES / f"{name}.txt").read_text("utf-8"))
    return TrustedFacts(checkpoints=(CollectedPiece("checkpoint.txt", note),))


def is_noticed(path: Path, given: TrustedFacts) -> bool:
    try:
        return bool(verify.verify(path, trusted=given).differences)
    except BadArchive:
        return True


@pytest.mark.parametrize(("name", "recipe"), sizes.cases(ALL[::12], ALL))
def test_a_forgery_of_an_older_format_is_noticed_or_revealed_by_a_checkpoint(name, recipe, tmp_path):
    """Rule 24.2: whatever the forger computes again."""
    original = files_of(name)
    for depth in (REHASHED, TABULATED, RELINKED)[: 2 if name.startswith("format-1") else 3]:
        forgery = forged(name, recipe)
        try:
            files = forgery.files(depth)
        except (KeyError, TypeError, IndexError, ValueError):
            continue  # the forger's own functions refuse it
        if all(files[entry] == original[entry] for entry in files) or recipe == ERASABLE:
            continue
        assert is_noticed(pack(tmp_path, files), trusted(name)), depth
