import base64
import hashlib
import json
import lzma

import pytest

from contest.archive import format as archived
from contest.archive import verify
from contest.archive.checks import BadArchive
from contest.infra import clock
from contest.models import Level, Search
from contest.vetting import certificates, shown
from solvers.sokoban import prove
from solvers.sokoban.solving.certificates import checking
from solvers.sokoban.solving.certificates.writing import certify
from tests.contest.archive.conftest import build_once, faults, pack
from tests.contest.archive.test_writer import LATER, play, written

pytestmark = pytest.mark.django_db


def make() -> dict[str, bytes]:
    play()
    for level in Level.objects.all():
        search = shown._new_study(level, LATER)
        search.save()
        answer = prove(level.board)
        proof = {"number": answer.pushes, "packed": base64.b64encode(certify(level.board, answer)).decode()}
        with clock.set_to(LATER):
            certificates.store(certificates.check_all(search, {"pushes": proof}, lambda: None))
    return written()


@pytest.fixture
def files(db):
    return build_once("certified", make)


def change_proof(row: dict, **fields: object) -> None:
    row["certificate"] |= fields


def repack(row: dict, packed: bytes) -> None:
    change_proof(row, xz=base64.b64encode(packed).decode(), sha256=hashlib.sha256(packed).hexdigest())


def flip(row: dict) -> None:
    text = bytearray(lzma.decompress(base64.b64decode(row["certificate"]["xz"])))
    text[-70] ^= 1
    repack(row, lzma.compress(text))


def exchange(forgery) -> None:
    one, other, _third = forgery.certificates
    one["certificate"], other["certificate"] = other["certificate"], one["certificate"]


def test_an_archive_with_certificates_verifies_and_says_what_they_prove(files, tmp_path):
    rows = [json.loads(line) for line in files[archived.CERTIFICATES].splitlines()]
    assert [(row["slot"], row["kind"], row["certificate"]["number"]) for row in rows] == [
        ("extra", "pushes", 2),
        ("extra2", "pushes", 2),
        ("main", "pushes", 1),
    ]
    report = verify.verify(pack(tmp_path, files))
    assert report.differences == []
    assert "Proved by a certificate: no solution of main has fewer than 1 pushes." in report.remarks


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (lambda forgery: change_proof(forgery.certificates[0], sha256="0" * 64), "its SHA-256 is"),
        (lambda forgery: flip(forgery.certificates[0]), "the file was changed after it was made"),
        (exchange, "it is about another level"),
        (lambda forgery: change_proof(forgery.certificates[0], number=3), "is said to prove 3"),
        (lambda forgery: repack(forgery.certificates[0], lzma.compress(b"x" * (65 << 20))), "truncated, too large"),
        (lambda forgery: forgery.certificates[0].update(slot="extra3"), "there is no level extra3"),
    ],
    ids=["another hash", "a flipped byte", "another level", "a wrong number", "a bomb", "no such level"],
)
def test_a_forged_certificate_is_named(files, tmp_path, forge, message):
    assert message in faults(tmp_path, files, forge)


def test_a_certificate_is_not_checked_for_ever_and_appears_once(files, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(checking, "checker", lambda: b"while True: pass")
        message = checking.check_apart(b"", "", seconds=1)
    assert message == "REFUSED: the check takes more than 1 CPU seconds or 1024 MB"
    with pytest.raises(BadArchive, match="stands twice"):
        faults(tmp_path, files, lambda forgery: forgery.certificates.append(forgery.certificates[1]))


def test_a_certificate_that_is_not_public_is_in_no_archive():
    assert json.loads(make()[archived.CERTIFICATES].splitlines()[0])["slot"] == "extra"
    Search.objects.update(kind="vetting")
    assert written()[archived.CERTIFICATES] == b""
