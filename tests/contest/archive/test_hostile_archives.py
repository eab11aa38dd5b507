import dataclasses
import json
import zipfile
from functools import reduce
from operator import getitem
from pathlib import Path
from random import Random

import pytest

from contest.archive import format as archived
from contest.archive import reader, verify
from contest.archive.checks import BadArchive
from tests import sizes
from tests.contest.archive.conftest import pack
from tests.contest.archive.proofs.test_provenance import members

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def refusal_of(path: Path) -> str:
    with pytest.raises(BadArchive) as caught:
        verify.verify(path)
    return str(caught.value)


NOTE = {"kind": "cancelled", "text_zh": "", "text_en": "", "values": {}, "written_at": "2026-11-23T12:00:00.000000Z"}
FAR = "9999-12-31T23:59:59+00:00"


def test_a_file_that_is_not_a_zip_or_has_too_many_files_is_refused_unread(tmp_path, capsys):
    for data in (b"", b"PK\5\6", b"hello" * 100):
        (tmp_path / "archive.zip").write_bytes(data)
        assert "no ZIP file" in refusal_of(tmp_path / "archive.zip")
    assert verify.main([str(tmp_path / "nowhere.zip")]) == 1
    assert "nowhere.zip: not verified" in capsys.readouterr().err
    end = b"PK\5\6" + b"\0" * 4 + b"\xff\xff" * 2 + (2**31).to_bytes(4, "little") + b"\0" * 6
    (tmp_path / "archive.zip").write_bytes(b"x" * 100 + end)
    assert "far more files" in refusal_of(tmp_path / "archive.zip")


def test_a_truncated_damaged_or_reordered_zip_is_refused(archive_files, tmp_path):
    """Rule 24.1: the same contents are the same bytes."""
    whole = pack(tmp_path, archive_files).read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:-100])
    assert "no ZIP file, or not whole" in refusal_of(tmp_path / "cut.zip")
    for at, data in ((60, b"\xff\xff\xff"), (-14, b"\0"), (-14, b"\xff")):  # at -14 stands the number of files
        (tmp_path / "damaged.zip").write_bytes(whole[:at] + data + whole[at + len(data) :])
        assert "bytes before, between or behind" in refusal_of(tmp_path / "damaged.zip")
    assert "another order" in refusal_of(pack(tmp_path, dict(reversed(archive_files.items()))))


@pytest.mark.parametrize("name", ["../evil.json", "/etc/passwd", "boards.json/", "extra.txt", "C:\\evil"])
def test_paths_outside_the_archive_are_refused(name, archive_files, tmp_path):
    assert "which no archive has" in refusal_of(pack(tmp_path, {**archive_files, name: b"x"}))


def test_a_duplicate_or_missing_file_is_refused(archive_files, tmp_path):
    without = {name: data for name, data in archive_files.items() if name != "boards.json"}
    assert "holds no boards.json" in refusal_of(pack(tmp_path, without))
    path = pack(tmp_path, archive_files)
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(path, "a") as doubled:
        doubled.writestr("boards.json", b"{}")
    assert "more than once" in refusal_of(path)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(archive_files, tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "USUAL", dataclasses.replace(reader.USUAL, other=100_000))
    path = pack(tmp_path, {**archive_files, "boards.json": b" " * 100_001})
    assert path.stat().st_size < 100_000
    assert "at most 100,000 are read" in refusal_of(path)


_LONG = b'"lurd":"' + b"rl" * 500 + b'","moves":1000'
BOMBS = {
    "values": ("results.json", lambda _data: b"[" + b"[]," * 3_000 + b"0]", "more than 3,000 values"),
    "boards": ("levels.sok", lambda _data: b"######\n#@ $.#\n######\n\n" * 60_000, "at most 1,048,576 are read"),
    "moves": ("submissions.jsonl", lambda data: data.replace(b'"lurd":"rlrR","moves":4', _LONG), "at most 900 moves"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_small_archive_has_a_limited_cost(bomb, archive_files, tmp_path, monkeypatch):
    """Limits on counts refuse content that expands a thousandfold, before it costs memory or minutes."""
    monkeypatch.setattr(reader, "USUAL", dataclasses.replace(reader.USUAL, values=3_000, moves=900, moves_a_byte=0))
    name, of, why = BOMBS[bomb]
    path = pack(tmp_path, {**archive_files, name: of(archive_files[name])}, is_rehashed=True)
    assert why in refusal_of(path)


def test_a_large_archive_is_read_on_request(archive_files, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(reader, "USUAL", dataclasses.replace(reader.USUAL, rows=3))
    path = str(pack(tmp_path, archive_files))
    assert verify.main([path]) == 1
    assert "has more than 3 lines; more is read with --large" in capsys.readouterr().err
    assert verify.main([path, "--large"]) == 0


def test_control_characters_of_an_archive_are_not_printed(archive_files, tmp_path, capsys):
    about = json.loads(archive_files["round.json"])
    about["settings"]["\x1b[2J"] = 1
    path = pack(tmp_path, {**archive_files, "round.json": json.dumps(about).encode()})
    assert verify.main([str(path)]) == 1
    printed = capsys.readouterr().err
    assert "\x1b" not in printed
    assert "\\x1b[2J" in printed


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("manifest.json", b"{}", "this is format None; this program knows formats 1, 2, 3 and 4"),
        ("round.json", b"[" * 100_000, "is nested too deeply"),
        ("round.json", b'{"number": ' + b"9" * 10_000 + b"}", "is no JSON"),
        ("submissions.jsonl", b'{"a": 1, "a": 2}\n', "stands twice"),
        ("submissions.jsonl", b"{}\n", "submissions.jsonl, line 1: lacks"),
        ("results.json", b"[]", "holds no results of a round"),
        ("levels.sok", b"", "holds 0 levels"),
    ],
)
def test_invalid_json_is_reported_with_its_place(name, data, why, archive_files, tmp_path):
    found = refusal_of(pack(tmp_path, {**archive_files, name: data}))
    assert found.startswith(name)
    assert why in found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"moves":4', b'"moves":true'),
        (b'"player":', b'"player":0.'),
        (b'"lurd":"rlrR"', b'"lurd":"rlxR"'),
        (b'"verdict":"accepted"', b'"verdict":"perfect"'),
        (b"2026-11-04T12:00:00.000000Z", b"2026-13-04T12:00:00.000000Z"),
        (b'"void":null', b'"void":null,"evil":1'),
    ],
)
def test_an_impossible_value_is_refused_with_its_line(before, after, archive_files, tmp_path):
    forged = {**archive_files, "submissions.jsonl": archive_files["submissions.jsonl"].replace(before, after, 1)}
    assert refusal_of(pack(tmp_path, forged)).startswith("submissions.jsonl, line 1:")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("notes", [NOTE | {"kind": "evil"}]),
        ("notes", [NOTE | {"kind": "extended"}]),
        ("notes", [NOTE | {"kind": "extended", "values": {"before": "2026-11-22T20:00:00", "after": 1}}]),
        ("notes", [NOTE | {"kind": "make_up", "values": {"opens_at": FAR, "closes_at": FAR}}]),
        ("notes", [NOTE | {"kind": "slot_void", "values": {"slot": "evil"}}]),
        ("title_en", "a\0b"),
    ],
)
def test_what_no_page_can_show_is_refused(name, value, archive_files, tmp_path):
    """Imported with a round, it made each page of the round an error of the server."""
    about = json.loads(archive_files["round.json"]) | {name: value}
    found = refusal_of(pack(tmp_path, {**archive_files, "round.json": json.dumps(about).encode()}))
    assert found.startswith(f"round.json: {name} cannot be")


VALUES = [
    None, True, 0, -1, 2**31, 2**64, 1e300, -0.0, "", "é", "\ud800", "\0", "9" * 30, [], {}, [[]], [None], {"a": 1},
    {"number": 1, "lurd": None}, "2026-11-04T12:00:00.000000Z", "0" * 64, "main", "extra9",
]  # fmt: skip


def damaged_member(line: bytes, rng: Random) -> bytes:
    document = json.loads(line)
    *path, key = rng.choice([path for path, _value in members(document)]) or (None,)
    if key is None:
        return json.dumps(rng.choice(VALUES)).encode()
    holder = reduce(getitem, path, document)
    if rng.random() < 0.25:
        del holder[key]
    else:
        holder[key] = rng.choice([*VALUES, json.loads(line)])
    return json.dumps(document).encode()


def damaged_bytes(data: bytes, rng: Random) -> bytes:
    at, size = rng.randrange(len(data) or 1), rng.choice([0, 1, 100])
    return data[:at] + rng.choice([b"", rng.randbytes(1), data[:50]]) + data[at + size :]


def damaged(name: str, data: bytes, rng: Random) -> bytes:
    if rng.random() < 0.25 or not name.endswith((".json", ".jsonl")) or not data:
        return damaged_bytes(data, rng)
    lines = data.splitlines() if name.endswith("l") else [data]
    place = rng.randrange(len(lines))
    lines[place] = damaged_member(lines[place], rng)
    return b"".join(line + b"\n" for line in lines)


@pytest.mark.parametrize("seed", sizes.cases([0, 1], range(8)))
def test_a_damaged_archive_is_verified_or_refused_with_a_message(seed, archive_files, tmp_path, capsys):
    for number in range(40):
        rng = Random(100 * seed + number)
        names = rng.sample(list(archive_files), rng.choice([1, 1, 2, 3]))
        files = archive_files | {name: damaged(name, archive_files[name], rng) for name in names}
        path = pack(tmp_path, files, is_rehashed=archived.MANIFEST not in names and rng.random() < 0.9)
        if rng.random() < 0.1:
            path.write_bytes(damaged_bytes(path.read_bytes(), rng))
        assert verify.main([str(path)]) in (0, 1)
        printed = capsys.readouterr()
        assert printed.out or printed.err
