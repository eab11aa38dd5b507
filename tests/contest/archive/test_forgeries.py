"""Forged archives: the verifier notices each, or names its kind as undetectable, and a saved checkpoint reveals it."""

import base64
import dataclasses
import hashlib
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import pytest

from contest import judging, results, visibility
from contest.archive import collected, reader, verify
from contest.archive import format as archived
from contest.archive.checks import BadArchive
from contest.archive.collected import CollectedPiece, TrustedFacts
from contest.archive.witnesses import checkpoints
from contest.infra import clock
from contest.models import Door, Round, Submission
from contest.rules import signed_notes
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast, sizes
from tests.contest.archive.conftest import build_once, pack
from tests.contest.archive.forger import REHASHED, RELINKED, TABULATED, Forgery
from tests.contest.archive.forgeries import CHANGES, Change
from tests.contest.archive.test_writer import LATER, PAIR, bind, packed, play, unpacked, void

DEPTHS = ("one file alone", "the manifest, too", "tables recomputed", "leaves and links rebuilt")
# Names are not hashed, so that they can be erased (rule 15.6); the report says that no seal reveals changed names.
ERASABLE = "a name changed"


@pytest.fixture
def archive_files(db):
    """Return the files of a round in its second revision, and the checkpoint of that day."""

    def make():
        play()
        with clock.set_to(LATER):
            round_ = visibility.archived_rounds(Viewer(), LATER).get()
            results.finalise(round_, at=LATER, by=None)
            void("=Bo", LATER)
            results.revise(Round.objects.get(), Reason(en="Late ruling."), at=LATER, by=None)
            assert checkpoints.make(LATER)
            return unpacked(packed()) | {"note": checkpoints.newest().note.encode()}

    return build_once("two revisions", make)


def trust(note: str) -> TrustedFacts:
    return TrustedFacts(checkpoints=(CollectedPiece("checkpoint.txt", signed_notes.read(note)),))


def faults(path: Path, trusted: TrustedFacts = collected.NOTHING) -> list[str]:
    try:
        return [str(difference) for difference in verify.verify(path, trusted=trusted).differences]
    except BadArchive as error:
        return [str(error)]


@pytest.mark.one_database
@pytest.mark.parametrize("name", CHANGES)
def test_a_forgery_is_detected_by_the_verifier_or_by_a_checkpoint(name, archive_files, tmp_path, pytestconfig):
    """Rule 24.2. The short run tries the deepest change that the verifier detects, and the next."""
    change, unseen_from = CHANGES[name]
    all_depths = pytestconfig.getoption("exhaustive")
    for depth, how in enumerate(DEPTHS):
        if not all_depths and depth not in (unseen_from - 1, min(unseen_from, len(DEPTHS) - 1)):
            continue
        forged = Forgery(archive_files)
        change(forged)
        files = forged.files(depth)
        if files == {name: archive_files[name] for name in files}:
            continue  # recomputing the tables has undone the change
        path = pack(tmp_path, files)
        found = faults(path)
        assert bool(found) == (depth < unseen_from), (how, found)
        if not found and name != ERASABLE:
            assert faults(path, trust(archive_files["note"].decode())), how


# Archives of formats 1 to 3

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
    return unpacked((ARCHIVES / f"{name}.zip").read_bytes())


def forged(name: str, recipe: str) -> Forgery | None:
    """Return the forgery; None if the archive lacks what the recipe changes."""
    forgery = Forgery(files_of(name))
    try:
        (CHANGES[recipe][0] if recipe in CHANGES else OF_ANSWERS[recipe])(forgery)
    except (StopIteration, KeyError, IndexError, TypeError, AttributeError):
        return None
    return forgery


OLDER = ("format-1-revised", "format-2-revised", "format-3-final")
ALL = [(name, recipe) for name in OLDER for recipe in sorted(RECIPES) if forged(name, recipe)]
SHORT = [pair for at, pair in enumerate(ALL) if not at % 9 or pair[1].startswith(("withheld, leaf", "another text"))]


def trusted(name: str) -> TrustedFacts:
    """Return a checkpoint of that day; a round of format 1 had only the seal."""
    if name.startswith("format-1"):
        return TrustedFacts(seal=hashlib.sha256(files_of(name)[archived.MANIFEST]).hexdigest())
    return trust((ARCHIVES / f"{name}.txt").read_text("utf-8"))


@pytest.mark.parametrize(("name", "recipe"), sizes.cases(SHORT, ALL))
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
        assert faults(pack(tmp_path, files), trusted(name)), depth


def test_only_an_archive_of_an_older_format_may_lack_the_facts_bound_at_the_opening(archive_files, tmp_path):
    refused = pytest.raises(BadArchive, match="binds nothing")
    for files, outcome in ((files_of("format-3-final"), nullcontext()), (archive_files, refused)):
        forgery = Forgery(files)
        forgery.opening = None
        with outcome, reader.Archive(pack(tmp_path, forgery.files(REHASHED))) as archive:
            assert reader.opening_of(archive) is None


# A scored solution must be a reading of the text that was sent, through any entry point (rule 24.1)

LONG, BEST = "rlrDldR", "rDldR"
TEXTS = {
    "plain": (Door.API, "rl rd\nldr"),
    "run-length": (Door.API, "1(rl)rDldR"),
    "headed": (Door.WEB, "Solution 7/2: rlrDldR\nthanks!"),
    "beside its counts": (Door.WEB, "Moves: 7 Pushes: 9 rlrDldR"),
    "wrapped": (Door.WEB, "rlr-\nDldR"),
    "arrows": (Door.IMPORT, "→←→↓←↓→"),
    "what older programs send": (Door.LEGACY, "rl<b>rDldR"),
}


def make_texts() -> dict[str, bytes]:
    with clock.set_to(cast.DURING):
        round_ = cast.with_settings(cast.a_round(), spectator=True)
        cast.a_level(round_, "extra2", PAIR, "RldR")
        for nickname, (door, text) in TEXTS.items():
            cast.send(nickname, text, door=door, slot="extra")
        cast.send("spectator", "Moves: 3 Pushes: 9 duR", door=Door.WEB, slot="extra2")
        judging.judge_until_empty()
        bind()
    with clock.set_to(LATER):
        results.finalise(visibility.archived_rounds(Viewer(), LATER).get(), at=LATER, by=None)
        sent = Submission.objects.filter(verdict="accepted")
        assert {bytes(row.text).decode() for row in sent} == {text for _door, text in TEXTS.values()}
        assert {row.lurd for row in sent} == {LONG}
        return unpacked(packed())


@pytest.fixture
def texts(db):
    return build_once("texts", make_texts)


def reported(files, tmp_path, nickname="", **forged) -> list[str]:
    """Return the verifier's differences after a forger changed *nickname*'s row and all tables, not the text."""
    forgery = Forgery(files)
    if nickname:
        number = next(entry["number"] for entry in forgery.players if entry["name"] == nickname)
        next(row for row in forgery.rows if row["player"] == number).update(forged)
    return faults(pack(tmp_path, forgery.files(TABULATED)))


def test_submissions_of_every_door_verify(texts, tmp_path, capsys):
    assert reported(texts, tmp_path) == []
    assert verify.main([str(pack(tmp_path, texts))]) == 0
    assert "what was sent for" not in capsys.readouterr().out


@pytest.mark.parametrize("nickname", TEXTS)
def test_a_better_solution_under_a_receipt_is_detected(nickname, texts, tmp_path):
    (found,) = reported(texts, tmp_path, nickname, lurd=BEST, moves=5, pushes=2)
    assert "its moves are no reading of the text that was sent, by the reader" in found


@pytest.mark.parametrize("forged", [{"lurd": "dR", "moves": 2}, {"lurd": "duduR", "moves": 5}])
def test_another_spectator_answer_under_a_receipt_is_detected(forged, texts, tmp_path):
    (found,) = reported(texts, tmp_path, "spectator", **forged)
    assert "its moves are no reading of the text that was sent, by the reader" in found


def test_long_decoded_texts_count_towards_the_cost(texts, tmp_path, monkeypatch):
    """A few letters that stand for a million steps cost a reader time (docs/reference/archive.md)."""
    monkeypatch.setattr(reader, "USUAL", dataclasses.replace(reader.USUAL, moves=1000, moves_a_byte=0))
    forgery = Forgery(texts)
    text = b"999999(l)"
    forgery.rows[0] |= {"text": base64.b64encode(text).decode(), "sha256": hashlib.sha256(text).hexdigest()}
    with pytest.raises(BadArchive, match="moves are replayed"):
        verify.verify(pack(tmp_path, forgery.files(RELINKED)))
