"""For any damage to an archive, the verifier ends with a message and an exit code, never with a traceback."""

import contextlib
import hashlib
import json
import random

import pytest

from contest.archive import format as archived
from contest.archive import packing, verify
from tests import sizes

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

VALUES = [
    None, True, False, 0, -1, 1, 2**31, 2**53, 2**63 - 1, 2**64, 1e300, -0.0, "", "x", "é", "\ud800", "\0", "9" * 30,
    [], {}, [[]], [None], {"a": 1}, [1, 2], {"number": 1, "lurd": None}, "2026-11-04T12:00:00.000000Z", "0" * 64,
    "main", "extra9",
]  # fmt: skip


def _paths(value, path=()):
    yield path
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from _paths(value[key], (*path, key))


def _at(value, path):
    for key in path:
        value = value[key]
    return value


def _mutated_value(value, rng):
    *path, key = rng.choice(list(_paths(value))) or (None,)
    if key is None:
        return rng.choice(VALUES)
    holder, act = _at(value, path), rng.randrange(4)
    if act == 0:
        del holder[key]
    elif act == 1 and isinstance(holder, list):
        holder.insert(key, rng.choice([*VALUES, holder[key]]))
    elif act == 2:
        holder[key] = json.loads(json.dumps(_at(value, rng.choice(list(_paths(value))))))
    else:
        holder[key] = rng.choice(VALUES)
    return value


def _mutated_bytes(data, rng):
    changed = bytearray(data or b"x")
    at, act = rng.randrange(len(changed)), rng.randrange(3)
    if act == 0:
        changed[at] = rng.randrange(256)
    elif act == 1:
        del changed[at : at + rng.choice([1, 3, 100])]
    else:
        changed[at:at] = changed[rng.randrange(len(changed)) :][:50]
    return bytes(changed)


def _mutated_file(name, data, rng):
    if rng.random() < 0.25 or not name.endswith((".json", ".jsonl")) or not data:
        return _mutated_bytes(data, rng)
    lines = data.splitlines() if name.endswith("l") else [data]
    place = rng.randrange(len(lines))
    try:
        lines[place] = json.dumps(_mutated_value(json.loads(lines[place]), rng)).encode()
    except ValueError:
        return _mutated_bytes(data, rng)
    return b"".join(line + b"\n" for line in lines)


def _mutated_archive(files, rng):
    files = dict(files)
    for _ in range(rng.choice([1, 1, 2, 3])):
        name = rng.choice(list(files))
        files[name] = _mutated_file(name, files[name], rng)
    if rng.random() < 0.9:
        hashes = {name: hashlib.sha256(files[name]).hexdigest() for name in archived.HASHED[4] if name in files}
        with contextlib.suppress(ValueError, TypeError):
            files["manifest.json"] = json.dumps({**json.loads(files["manifest.json"]), "files": hashes}).encode()
    packed = b"".join(packing.pack((name, [data]) for name, data in files.items()))
    return packed if rng.random() < 0.9 else _mutated_bytes(packed, rng)


@pytest.mark.parametrize("seed", sizes.cases([0, 1], range(8)))
def test_a_mutated_archive_is_verified_or_refused_with_a_message(seed, archive_files, tmp_path, capsys):
    path = tmp_path / "archive.zip"
    for at in range(40):
        path.write_bytes(_mutated_archive(archive_files, random.Random(100 * seed + at)))
        code = verify.main([str(path)])
        printed = capsys.readouterr()
        assert code in (0, 1)
        assert printed.out or printed.err
