import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from contest import judging
from contest.archive import format as archived
from contest.archive import verifier, verify
from contest.archive.checks import BadArchive
from contest.infra import clock
from contest.models import Level, Player, Round
from contest.results import rulings
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.archive import kinds
from tests.contest.archive.conftest import differences, pack
from tests.contest.archive.test_writer import LATER, packed, play, unpacked, void, written

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("state", ["provisional", "final", "cancelled"])
def test_the_downloaded_archive_verifies(state, request, tmp_path):
    files = kinds.cancelled() if state == "cancelled" else request.getfixturevalue(state)
    report = verify.verify(pack(tmp_path, files))
    assert report.differences == []
    assert (report.state, report.replayed, report.not_published, report.ranked, report.links) == (state, 9, 0, 4, 12)


@pytest.fixture
def bare(tmp_path):
    """A Python without installed packages, in a folder with only the files that the verifier needs."""
    for name, data in verifier.sources().items():
        path = tmp_path / "copy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (tmp_path / verifier.NAME).write_bytes(verifier.build())

    def run(*arguments) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *map(str, arguments)]
        env = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd=tmp_path / "copy", env=env, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done

    return run


@pytest.mark.one_database
def test_an_archive_verifies_in_a_python_without_any_package(bare, archive_files, tmp_path):
    done = bare("-I", "-S", "../verify.pyz", pack(tmp_path, archive_files))
    assert (done.returncode, "consistent with itself" in done.stdout) == (0, True)
    forged = archive_files | {"boards.json": archive_files["boards.json"].replace(b'"rank": 1', b'"rank": 2', 1)}
    done = bare("-S", "-m", "contest.verify", pack(tmp_path, forged, is_rehashed=True))
    assert (done.returncode, "boards.json: the computed file" in done.stdout) == (1, True)


def test_the_same_sources_make_the_same_bytes_anywhere(bare, tmp_path):
    """The copy has other file times and runs in a process with another hash seed: no time or machine is included."""
    for path in (tmp_path / "copy").rglob("*.py"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    shutil.copy(verifier.__file__, tmp_path / "copy/contest/archive/verifier.py")
    done = bare("-S", "-m", "contest.archive.verifier", "other.pyz")
    assert done.stdout == f"{verifier.sha256()}  other.pyz\n"
    assert (tmp_path / "copy/other.pyz").read_bytes() == verifier.build()
    assert hashlib.sha256(verifier.build()).hexdigest() == verifier.sha256()


def test_the_verifier_is_offered_beside_the_archive_with_its_hash(final, client):
    page = client.get("/en/rounds/1/").content.decode()
    assert 'href="/verify.pyz"' in page
    assert verifier.sha256() in page
    answer = client.get("/verify.pyz")
    assert hashlib.sha256(answer.content).hexdigest() == verifier.sha256()
    assert client.get("/verify.pyz", headers={"If-None-Match": answer["ETag"]}).status_code == 304


# Forgeries with a forged manifest (rule 24.1), and the messages about them.
FORGERIES = [
    ("levels.sok", b"#@ $.#", b"#@$ .#", "the level's SHA-256 is"),
    ("submissions.jsonl", b'"lurd":"rlrR","moves":4', b'"lurd":"rlrR","moves":2', "is said to have 2 moves and 1"),
    ("submissions.jsonl", b'"lurd":"rlrR"', b'"lurd":"rlrr"', "or other capitals"),
    ("submissions.jsonl", b'"lurd":"rlrR","moves":4', b'"lurd":"rlrRl","moves":5', "the replay scores 4 of 5"),
    ("submissions.jsonl", b'"lurd":"R","moves":1', b'"lurd":"l","moves":1', "is said to be a spectator answer"),
    ("submissions.jsonl", b'"slot":"extra"', b'"slot":"extra3"', "there is no level extra3"),
    ("submissions.jsonl", b'"slot":"extra"', b'"slot":"main"', "is said to solve main"),
    ("submissions.jsonl", b"2026-11-04T", b"2027-11-04T", "when the round was not open"),
    ("submissions.jsonl", b'"lurd":"rlrR"', b'"lurd":"rlrl"', "the replay gives not_solved"),
    ("submissions.jsonl", b'"verdict":"spectator"', b'"verdict":"accepted"', "is said to solve extra2"),
    ("submissions.jsonl", b'"lurd":"rlrR"', b'"lurd":""', "has no moves, and was not imported"),
    ("submissions.jsonl", b'"league":"human"', b'"league":"bot"', "two leagues"),
    ("results.json", b'"lurd":"rDldR"', b'"lurd":"rR"', "results.json holds other moves of it"),
    ("results.json", b'"revision":1', b'"revision":2', "another SHA-256 than results.json"),
    ("submissions.csv", b"accepted", b"rejected", "submissions.csv: the computed file differs"),
]  # fmt: skip


@pytest.mark.one_database
@pytest.mark.parametrize(("name", "before", "after", "found"), FORGERIES)
def test_a_forgery_is_detected_even_with_a_forged_manifest(name, before, after, found, archive_files, tmp_path):
    assert before in archive_files[name]
    forged = {**archive_files, name: archive_files[name].replace(before, after, 1)}
    try:
        reported = differences(tmp_path, forged, is_rehashed=True)
    except BadArchive as error:
        reported = [str(error)]
    assert any(found in difference for difference in reported)


def test_after_a_ruling_the_archive_verifies_and_states_that_a_revision_is_due(final, tmp_path, capsys):
    """Rules 14.4, 24.1."""
    void("=Bo", LATER)
    path = pack(tmp_path, unpacked(packed()))
    assert verify.main([str(path)]) == 0
    assert "said to be final and to await a revision" in capsys.readouterr().out


def test_a_round_nobody_entered_verifies(tmp_path):
    with clock.set_to(cast.DURING):
        cast.a_round()
    with clock.set_to(LATER):
        judging.judge_until_empty()
        assert differences(tmp_path, unpacked(packed())) == []


# Archives of older formats


@pytest.mark.parametrize("path", sorted((ROOT / "tests/data/archives").glob("*.zip")), ids=lambda path: path.stem)
def test_an_older_archive_verifies_by_the_rules_of_its_format(path):
    """Rule 24.2: archives by the versions that wrote formats 1 to 3, with everything that one can contain."""
    report = verify.verify(path)
    assert (report.differences, report.format) == ([], int(path.name.split("-")[1]))


def test_a_cancelled_round_has_no_results(tmp_path):
    """Rule 7.10."""
    cancelled = kinds.cancelled()
    about = json.loads(cancelled["round.json"]) | {"results": "provisional"}
    with pytest.raises(BadArchive, match="when and why"):
        verify.verify(pack(tmp_path, cancelled | {"round.json": json.dumps(about).encode()}, is_rehashed=True))


def test_provisional_results_belong_to_no_revision(provisional, tmp_path):
    """Rules 14.1, 24.1."""
    forged = provisional[archived.RESULTS].replace(b'"revision":0', b'"revision":1')
    found = differences(tmp_path, provisional | {archived.RESULTS: forged}, is_rehashed=True)
    assert found == ["results.json: revision 1 cannot be provisional"]


def test_a_round_with_a_level_without_known_solution_verifies(tmp_path):
    """Rule 2.7: its settings say so, and the reason stays in the record."""
    play(not_known_solvable=["extra"])
    Level.objects.filter(slot="extra").update(solution="", unsolved_reason="Nobody knew")
    files = written()
    assert json.loads(files["round.json"])["settings"]["not_known_solvable"] == ["extra"]
    assert b"Nobody knew" not in b"".join(files.values())
    assert differences(tmp_path, files) == []


def test_a_player_disqualified_under_two_names_is_listed_once(tmp_path):
    """Rules 4.13, 24.1."""
    play()
    eve, dee = (Player.objects.get(nickname=name) for name in ("Eve", "Dee"))
    rulings.disqualify(Round.objects.get(), eve, Reason(en="Copied, too."), at=cast.DURING, by=None)
    cast.merge(dee, eve, None, reason="same person")
    files = written()
    assert [difference["player"] for difference in json.loads(files[archived.ROUND])["disqualified"]] == [
        eve.archive_number
    ]
    assert differences(tmp_path, files) == []
