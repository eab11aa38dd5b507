import ast
import dataclasses
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from contest import judging, results, rounds, visibility
from contest.archive import format as archived
from contest.archive import reader, verifier, verify
from contest.archive.checks import BadArchive
from contest.infra import clock
from contest.models import Level, Player, Round
from contest.players import acts
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.archive.test_writer import LATER, packed, play, unpacked, void

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[3]


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
    """The files as an archive; a forger writes the hashes of what was forged into the manifest."""
    if is_rehashed:
        hashes = {name: hashlib.sha256(files[name]).hexdigest() for name in archived.HASHED}
        files = files | {"manifest.json": json.dumps(json.loads(files["manifest.json"]) | {"files": hashes}).encode()}
    target = path / "archive.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed_:
        for name, data in files.items():
            packed_.writestr(name, data)
    return target


def differences(path: Path, files: dict[str, bytes], *, is_rehashed: bool = False) -> list[str]:
    return [str(one) for one in verify.verify(pack(path, files, is_rehashed=is_rehashed)).differences]


@pytest.fixture
def cancelled():
    play()
    with clock.set_to(LATER):
        rounds.cancel(Round.objects.get(), Reason(en="A flaw."), at=LATER, by=None)
        yield unpacked(packed())


@pytest.mark.parametrize("state", ["provisional", "final", "cancelled"])
def test_what_the_site_hands_out_verifies(state, request, tmp_path):
    """Rule 24.1."""
    report = verify.verify(pack(tmp_path, request.getfixturevalue(state)))
    assert report.differences == []
    assert (report.state, report.replayed, report.not_published, report.ranked, report.links) == (state, 9, 0, 4, 10)


@pytest.fixture
def bare(tmp_path):
    """A Python that sees no package, in a folder with what the verifier needs and nothing else."""
    for name, data in verifier.sources().items():
        path = tmp_path / "copy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (tmp_path / verifier.NAME).write_bytes(verifier.build())

    def run(*words) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *map(str, words)]
        env = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            command, cwd=tmp_path / "copy", env=env, capture_output=True, text=True, check=False, timeout=60
        )
        assert done.stderr == ""
        return done

    return run


@pytest.mark.parametrize("program", [("-I", "-S", "../verify.pyz"), ("-S", "-m", "contest.verify")])
def test_an_archive_verifies_in_a_python_without_any_package(program, bare, kept, tmp_path):
    """Rule 24.1."""
    done = bare(*program, pack(tmp_path, kept))
    assert (done.returncode, "Everything holds." in done.stdout) == (0, True)
    forged = kept | {"boards.json": kept["boards.json"].replace(b'"rank": 1', b'"rank": 2', 1)}
    done = bare(*program, pack(tmp_path, forged, is_rehashed=True))
    assert (done.returncode, "boards.json: computed anew" in done.stdout) == (1, True)


def test_the_verifier_imports_nothing_but_python_and_itself():
    foreign = set()
    for name, data in verifier.sources().items():
        for node in ast.parse(data).body:  # what is inside a function is looked for where it is there
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            foreign |= {(name, one) for one in names if one.partition(".")[0] not in _AT_HAND}
    assert foreign == set()


_AT_HAND = sys.stdlib_module_names | {"contest", "solvers"}


def test_the_same_sources_make_the_same_bytes_anywhere(bare, tmp_path):
    """In a copy with other times, in another process, of another order of hashes: no time or machine is in it."""
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


def test_before_there_is_an_archive_nobody_is_offered_a_verifier(client):
    with clock.set_to(cast.DURING):
        cast.a_round()
        assert "verify.pyz" not in client.get("/en/rounds/1/").content.decode()


@pytest.mark.parametrize("name", archived.HASHED)
def test_a_file_changed_by_one_byte_is_found_by_its_hash(name, kept, tmp_path):
    """Rule 24.1."""
    changed = {**kept, name: kept[name].replace(b"\n", b" \n", 1) if b"\n" in kept[name] else kept[name] + b" "}
    assert any(found.startswith(f"{name}: its SHA-256 is") for found in differences(tmp_path, changed))


_OF_EXTRA = b'"is_hors_concours":false,"is_imported":false,"league":"human","lurd":"rDldR"'
FORGERIES = [
    ("round.json", b'"move_rank_2"', b'"push_rank_2"', "settings is not what the submissions give"),
    ("levels.sok", b"#@ $.#", b"#@$ .#", "the level's SHA-256 is"),
    ("submissions.jsonl", b'"lurd":"rlrR","moves":4', b'"lurd":"rlrR","moves":2', "is said to have 2 moves and 1"),
    ("submissions.jsonl", b'"lurd":"rlrR","moves":4', b'"lurd":"rR","moves":2', "not what the submissions give"),
    ("submissions.jsonl", b'"lurd":"rlrR"', b'"lurd":"rlrr"', "or other capitals"),
    ("submissions.jsonl", b'"lurd":"rlrR","moves":4', b'"lurd":"rlrRl","moves":5', "the replay scores 4 of 5"),
    ("submissions.jsonl", b'"lurd":"rlrR"', b'"lurd":"rlrl"', "the replay says not_solved"),
    ("submissions.jsonl", b'"lurd":"R","moves":1', b'"lurd":"l","moves":1', "is said to be a spectator answer"),
    ("submissions.jsonl", b'"slot":"extra"', b'"slot":"extra3"', "there is no level extra3"),
    ("submissions.jsonl", b'"slot":"extra"', b'"slot":"main"', "is said to solve main"),
    ("submissions.jsonl", b"2026-11-04T12:00:00.000000Z", b"2026-11-04T12:00:00.000001Z", "another time or hash"),
    ("submissions.jsonl", b"2026-11-04T", b"2027-11-04T", "when the round was not open"),
    ("submissions.jsonl", b'"verdict":"spectator"', b'"verdict":"accepted"', "is said to solve extra2"),
    ("submissions.jsonl", b'"lurd":"rlrR"', b'"lurd":""', "has no moves, and was not imported"),
    ("submissions.jsonl", _OF_EXTRA, _OF_EXTRA.replace(b"false", b"true", 1), "boards.json: computed anew"),
    ("submissions.jsonl", b'"league":"human"', b'"league":"bot"', "two leagues"),
    ("boards.json", b'"rank": 1', b'"rank": 2', "boards.json: computed anew it differs"),
    ("results.json", b'"place":1', b'"place":2', "points is not what the submissions give"),
    ("results.json", b'"lurd":"rDldR"', b'"lurd":"rR"', "results.json holds other moves of it"),
    ("results.json", b'"revision":1', b'"revision":2', "another SHA-256 than results.json"),
    ("chain.jsonl", b'"sha256":"', b'"sha256":"0', "chain.jsonl, line 1"),
    ("chain.jsonl", b"2026-11-04T12", b"2026-11-04T13", "does not follow from the one before it"),
    ("players.jsonl", b'"league":"human"', b'"league":"bot"', "another league in the submissions"),
    ("rankings.csv", b"Ada", b"Ida", "rankings.csv: computed anew it differs"),
    ("submissions.csv", b"accepted", b"rejected", "submissions.csv: computed anew it differs"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "before", "after", "found"), FORGERIES)
def test_a_forgery_is_found_though_the_manifest_was_forged_too(name, before, after, found, kept, tmp_path):
    """Rule 24.1."""
    assert before in kept[name]
    forged = {**kept, name: kept[name].replace(before, after, 1)}
    try:
        told = differences(tmp_path, forged, is_rehashed=True)
    except BadArchive as error:
        told = [str(error)]
    assert any(found in one for one in told)


def test_a_removed_submission_is_found_by_the_boards(kept, tmp_path):
    """Rules 24.1, 24.2."""
    others = b"".join(line for line in kept["submissions.jsonl"].splitlines(True) if b"rDldR" not in line)
    told = differences(tmp_path, {**kept, "submissions.jsonl": others}, is_rehashed=True)
    assert any(one.startswith("boards.json") for one in told)


def test_a_link_taken_out_of_the_chain_breaks_it(kept, tmp_path):
    """Rule 24.2."""
    links = kept["chain.jsonl"].splitlines(True)
    told = differences(tmp_path, {**kept, "chain.jsonl": b"".join(links[:3] + links[4:])}, is_rehashed=True)
    assert any("does not follow" in one for one in told)
    assert any(one.endswith("is missing") for one in told)


@pytest.mark.parametrize(("number", "salt"), [(1, None), (None, "0" * 32)])
def test_another_lucky_number_or_salt_does_not_fit_the_commitment(number, salt, kept, tmp_path):
    """Rules 11.2, 11.5."""
    about = json.loads(kept["round.json"])
    about["lucky"] |= {"number": number} if number else {"salt": salt}
    told = differences(tmp_path, {**kept, "round.json": json.dumps(about).encode()}, is_rehashed=True)
    assert any("the commitment is" in one for one in told)


def test_a_player_without_a_name_and_a_name_without_a_player_are_found(kept, tmp_path):
    lines = kept["players.jsonl"].splitlines(True)
    stranger = b'{"country":"","league":"human","name":"Stranger","number":5}\n'
    told = differences(tmp_path, {**kept, "players.jsonl": b"".join(lines[1:]) + stranger})
    assert any(one.endswith("is missing") for one in told)
    assert "players.jsonl: player 5 is in no other file" in told


def test_an_archive_verifies_after_everybody_in_it_was_erased(final, tmp_path):
    """Rules 15.6, 24.1."""
    for player in Player.objects.all():
        acts.erase(player, None)
    erased = unpacked(packed())
    assert erased["players.jsonl"] != final["players.jsonl"]
    report = verify.verify(pack(tmp_path, erased))
    assert report.differences == []
    assert report.seal == hashlib.sha256(final["manifest.json"]).hexdigest()


def test_after_a_ruling_the_archive_verifies_and_says_that_a_revision_is_due(final, tmp_path, capsys):
    """Rules 14.4, 24.1."""
    void("=Bo", LATER)
    path = pack(tmp_path, unpacked(packed()))
    assert verify.main([str(path)]) == 0
    assert "no revision has followed yet" in capsys.readouterr().out


def test_moves_that_are_not_published_are_counted_as_not_replayed(tmp_path):
    """Rules 7.3, 24.1."""
    play(solutions_public="never")
    with clock.set_to(LATER):
        report = verify.verify(pack(tmp_path, unpacked(packed())))
    assert (report.differences, report.replayed, report.not_published) == ([], 0, 9)


def test_a_round_nobody_entered_verifies(tmp_path):
    with clock.set_to(cast.DURING):
        cast.a_round()
    with clock.set_to(LATER):
        judging.judge_until_empty()
        assert differences(tmp_path, unpacked(packed())) == []


def test_the_program_says_what_differs_and_where(kept, tmp_path, capsys):
    """Rule 24.1."""
    path = pack(tmp_path, {**kept, "boards.json": kept["boards.json"].replace(b'"rank": 1', b'"rank": 2', 1)})
    assert verify.main([str(path)]) == 1
    out = capsys.readouterr().out
    assert "differences:\n  boards.json: its SHA-256 is" in out


# Hostile archives


def refused(path: Path) -> str:
    with pytest.raises(BadArchive) as caught:
        verify.verify(path)
    return str(caught.value)


def test_what_is_no_zip_is_refused(tmp_path, capsys):
    for data in (b"", b"PK\5\6", b"hello" * 100):
        (tmp_path / "archive.zip").write_bytes(data)
        assert "no ZIP file" in refused(tmp_path / "archive.zip")
    assert verify.main([str(tmp_path / "nowhere.zip")]) == 1
    assert "nowhere.zip: not verified" in capsys.readouterr().err


def test_a_zip_cut_short_or_damaged_inside_is_refused(kept, tmp_path):
    whole = pack(tmp_path, kept).read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:-100])
    assert "no ZIP file, or not whole" in refused(tmp_path / "cut.zip")
    (tmp_path / "damaged.zip").write_bytes(whole[:60] + b"\xff\xff\xff" + whole[63:])
    assert "cannot be unpacked" in refused(tmp_path / "damaged.zip")


@pytest.mark.parametrize("name", ["../evil.json", "/etc/passwd", "boards.json/", "extra.txt", "C:\\evil"])
def test_paths_that_lead_elsewhere_are_refused(name, kept, tmp_path):
    assert "which no archive has" in refused(pack(tmp_path, {**kept, name: b"x"}))


def test_a_file_twice_or_missing_is_refused(kept, tmp_path):
    without = {name: data for name, data in kept.items() if name != "boards.json"}
    assert "holds no boards.json" in refused(pack(tmp_path, without))
    path = pack(tmp_path, kept)
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(path, "a") as doubled:
        doubled.writestr("boards.json", b"{}")
    assert "more than once" in refused(path)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(kept, tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "USUAL", dataclasses.replace(reader.USUAL, other=100_000))
    path = pack(tmp_path, {**kept, "boards.json": b" " * 100_001})
    assert path.stat().st_size < 100_000
    assert "at most 100,000 are read" in refused(path)


_LONG = b'"lurd":"' + b"rl" * 999_999 + b'","moves":1999998'


def _many_long(kept: bytes) -> bytes:
    row = kept.splitlines(True)[0].replace(b'"lurd":"rlrR","moves":4', _LONG)
    number = re.search(rb'"number":[0-9]+', row).group(0)
    return b"".join(row.replace(number, b'"number":%d' % at) for at in range(1, 20))


BOMBS = {
    "values": ("results.json", lambda _kept: b"[" + b"[]," * 3_000_000 + b"0]", "more than 3,000,000 values"),
    "boards": ("levels.sok", lambda _kept: b"######\n#@ $.#\n######\n\n" * 60_000, "at most 1,048,576 are read"),
    "moves": ("submissions.jsonl", _many_long, "moves are replayed"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_small_archive_cannot_cost_much(bomb, kept, tmp_path):
    """What unpacks to a thousand times its size is refused by what is counted, before it costs memory or minutes."""
    name, of, why = BOMBS[bomb]
    path = pack(tmp_path, {**kept, name: of(kept[name])}, is_rehashed=True)
    assert path.stat().st_size < 400_000
    assert why in refused(path)


def test_a_large_archive_is_read_on_request(kept, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(reader, "USUAL", dataclasses.replace(reader.USUAL, rows=3))
    path = str(pack(tmp_path, kept))
    assert verify.main([path]) == 1
    assert "has more than 3 lines; more is read with --large" in capsys.readouterr().err
    assert verify.main([path, "--large"]) == 0


@pytest.mark.parametrize("name", ["round.json", "players.jsonl", "results.json"])
def test_half_a_letter_is_refused(name, kept, tmp_path):
    """JSON can name a surrogate alone, which no file can be written with."""
    forged = re.sub(rb'"(title_en|name|formula)": ?"', rb"\g<0>\\ud800", kept[name])
    if forged == kept[name]:
        forged = forged.replace(b"{", b'{"\\ud800":"\\udfff",', 1)
    assert "surrogates not allowed" in refused(pack(tmp_path, {**kept, name: forged}))


def test_what_an_archive_says_moves_no_terminal(kept, tmp_path, capsys):
    about = json.loads(kept["round.json"])
    about["settings"]["\x1b[2J"] = 1
    path = pack(tmp_path, {**kept, "round.json": json.dumps(about).encode()})
    assert verify.main([str(path)]) == 1
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert "\\x1b[2J" in said


def test_an_endless_line_is_refused(kept, tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "LONGEST_LINE", 70_000)
    assert "has more than 70,000 bytes" in refused(pack(tmp_path, {**kept, "submissions.jsonl": b"x" * 200_000}))


def test_a_directory_of_countless_files_is_refused_unread(tmp_path):
    end = b"PK\5\6" + b"\0" * 4 + b"\xff\xff" * 2 + (2**31).to_bytes(4, "little") + b"\0" * 6
    (tmp_path / "archive.zip").write_bytes(b"x" * 100 + end)
    assert "far more files" in refused(tmp_path / "archive.zip")


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("manifest.json", b"{}", "this program knows format 1"),
        ("manifest.json", b'{"format": 2}', "this is format 2"),
        ("manifest.json", b'{"format": 1}', "lacks engine"),
        ("round.json", b"[]", "is no JSON object"),
        ("round.json", b"[" * 100_000, "is nested too deeply"),
        ("round.json", b'{"number": NaN}', "NaN is no number"),
        ("round.json", b'{"number": ' + b"9" * 10_000 + b"}", "is no JSON"),
        ("round.json", b"\xff\xfe", "is no JSON in UTF-8"),
        ("submissions.jsonl", b'{"a": 1, "a": 2}\n', "stands twice"),
        ("submissions.jsonl", b"{}\n", "submissions.jsonl, line 1: lacks"),
        ("submissions.jsonl", b"{}", "does not end with a line end"),
        ("results.json", b"[]", "holds no results of a round"),
        ("results.json", b'{"submissions": 7}', "holds no results of a round"),
        ("levels.sok", b"", "holds 0 levels"),
        ("levels.sok", b"PK\3\4", "cannot be read"),
        ("players.jsonl", b"null\n", "players.jsonl, line 1: is no JSON object"),
    ],
)
def test_wrong_json_ends_in_words_that_name_the_place(name, data, why, kept, tmp_path):
    found = refused(pack(tmp_path, {**kept, name: data}))
    assert found.startswith(name)
    assert why in found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"moves":4', b'"moves":true'),
        (b'"moves":4', b'"moves":-4'),
        (b'"moves":4', b'"moves":4e99'),
        (b'"player":', b'"player":0.'),
        (b'"lurd":"rlrR"', b'"lurd":"rlxR"'),
        (b'"verdict":"accepted"', b'"verdict":"perfect"'),
        (b"2026-11-04T12:00:00.000000Z", b"2026-13-04T12:00:00.000000Z"),
        (b'"void":null', b'"void":null,"evil":1'),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_its_line(before, after, kept, tmp_path):
    forged = {**kept, "submissions.jsonl": kept["submissions.jsonl"].replace(before, after, 1)}
    assert refused(pack(tmp_path, forged)).startswith("submissions.jsonl, line 1:")


def test_an_encrypted_file_is_refused(kept, tmp_path):
    data = bytearray(pack(tmp_path, kept).read_bytes())
    for at in (data.find(b"PK\3\4") + 6, data.find(b"PK\1\2") + 8):
        data[at] |= 1
    (tmp_path / "locked.zip").write_bytes(data)
    assert "is encrypted" in refused(tmp_path / "locked.zip")


def test_the_order_of_the_files_does_not_matter(kept, tmp_path):
    backwards = dict(reversed(kept.items()))
    assert verify.verify(pack(tmp_path, backwards)).differences == []


def test_a_cancelled_round_crowns_nobody(provisional, tmp_path):
    """Rule 7.10."""
    rounds.cancel(Round.objects.get(), Reason(en="A flaw."), at=clock.now(), by=None)
    forged = unpacked(packed()) | {archived.RESULTS: provisional[archived.RESULTS]}
    found = differences(tmp_path, forged, is_rehashed=True)
    assert "results.json: champions is not what the submissions give" in found


@pytest.mark.parametrize("results_are", ["provisional", "final"])
def test_a_cancelled_round_has_no_results(cancelled, tmp_path, results_are):
    """Rule 7.10."""
    about = json.loads(cancelled["round.json"]) | {"results": results_are}
    with pytest.raises(BadArchive, match="when and why"):
        verify.verify(pack(tmp_path, cancelled | {"round.json": json.dumps(about).encode()}, is_rehashed=True))


def test_a_round_with_a_level_that_nobody_knew_to_be_solvable_is_accepted(tmp_path):
    """Rule 2.7: its settings say so, and the reason stays in the record."""
    play()
    Level.objects.filter(slot="extra").update(solution="", unsolved_reason="Nobody knew")
    round_ = Round.objects.get()
    Round.objects.update(settings={**round_.settings, "not_known_solvable": ["extra"]})
    with clock.set_to(LATER):
        files = unpacked(packed())
    assert json.loads(files["round.json"])["settings"]["not_known_solvable"] == ["extra"]
    assert b"Nobody knew" not in b"".join(files.values())
    assert differences(tmp_path, files) == []
