"""For any damage to an archive, the verifier ends with a message and an exit code, never with a traceback."""

import json
from functools import reduce
from operator import getitem
from random import Random

import pytest

from contest.archive import format as archived
from contest.archive import verify
from tests import sizes
from tests.contest.archive.conftest import pack
from tests.contest.archive.proofs.test_provenance import members

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

VALUES = [
    None, True, 0, -1, 2**31, 2**64, 1e300, -0.0, "", "é", "\ud800", "\0", "9" * 30, [], {}, [[]], [None], {"a": 1},
    {"number": 1, "lurd": None}, "2026-11-04T12:00:00.000000Z", "0" * 64, "main", "extra9",
]  # fmt: skip


def damaged_member(line: bytes, rng: Random) -> bytes:
    """Return the JSON *line* with one member deleted or replaced, or another value."""
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
