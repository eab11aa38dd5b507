"""A scored solution must be a reading of the text that was sent, through any entry point (rule 24.1)."""

import base64
import dataclasses
import hashlib

import pytest

from contest import judging, results, visibility
from contest.archive import reader, verify
from contest.archive.checks import BadArchive
from contest.infra import clock
from contest.models import Door, Submission
from contest.visibility import Viewer
from tests import cast
from tests.contest.archive import forger
from tests.contest.archive.conftest import build_once, pack
from tests.contest.archive.test_writer import LATER, PAIR, bind, packed, unpacked

pytestmark = pytest.mark.django_db
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


def make() -> dict[str, bytes]:
    with clock.set_to(cast.DURING):
        round_ = cast.a_round()
        round_.settings |= {"spectator": True}
        round_.save()
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
def files(db):
    return build_once("texts", make)


def faults(files, tmp_path, nickname="", **forged) -> list[str]:
    """Return the verifier's differences after a forger changed *nickname*'s row and all tables, not the text."""
    forgery = forger.Forgery(files)
    if nickname:
        number = next(entry["number"] for entry in forgery.players if entry["name"] == nickname)
        next(row for row in forgery.rows if row["player"] == number).update(forged)
    report = verify.verify(pack(tmp_path, forgery.files(forger.TABULATED)))
    return [str(entry) for entry in report.differences]


def test_submissions_of_every_door_verify(files, tmp_path, capsys):
    assert faults(files, tmp_path) == []
    assert verify.main([str(pack(tmp_path, files))]) == 0
    assert "what was sent for" not in capsys.readouterr().out


@pytest.mark.parametrize("nickname", TEXTS)
def test_a_better_solution_under_a_receipt_is_detected(nickname, files, tmp_path):
    (found,) = faults(files, tmp_path, nickname, lurd=BEST, moves=5, pushes=2)
    assert "its moves are no reading of the text that was sent, by the reader" in found


@pytest.mark.parametrize("forged", [{"lurd": "dR", "moves": 2}, {"lurd": "duduR", "moves": 5}])
def test_another_spectator_answer_under_a_receipt_is_detected(forged, files, tmp_path):
    (found,) = faults(files, tmp_path, "spectator", **forged)
    assert "its moves are no reading of the text that was sent, by the reader" in found


def test_long_decoded_texts_count_towards_the_cost(files, tmp_path, monkeypatch):
    """A few letters that stand for a million steps cost a reader time (docs/reference/archive.md)."""
    monkeypatch.setattr(reader, "USUAL", dataclasses.replace(reader.USUAL, moves=1000, moves_a_byte=0))
    forgery = forger.Forgery(files)
    text = b"999999(l)"
    forgery.rows[0] |= {"text": base64.b64encode(text).decode(), "sha256": hashlib.sha256(text).hexdigest()}
    with pytest.raises(BadArchive, match="moves are replayed"):
        verify.verify(pack(tmp_path, forgery.files(forger.RELINKED)))
