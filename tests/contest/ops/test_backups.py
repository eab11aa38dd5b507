import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import DEFAULT_DB_ALIAS, connection, connections

from contest import judging
from contest.infra import clock
from contest.models import Heartbeat, Metric, Outage, Part, Submission
from contest.ops import backup_files, backups, health, outages
from tests import cast, migrated
from tests.cast import send
from tests.contest.library.test_packed_files import zipped

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def contested(during_round):
    """A round with boards, a queue, texts in no valid encoding, and rows of Django's own tables."""
    for nickname, moves in (("player", "rR"), ("rival", "rlrR"), ("stranger", "r\x00\ud800"), ("推手", "rDldR")):
        send(nickname, moves, email="someone@example.org", country="SE")
    judging.judge_until_empty()
    send("late", "rR")
    User.objects.create_superuser("organiser")
    return during_round


def boards(client):
    paths = [f"/api/v1/rounds/1/{slot}/standings/?by={by}" for slot in ("main", "extra") for by in Metric]
    return [client.get(path).content for path in paths]


def rows():
    """Return every row of every table, without the record of the last backup."""
    found = backups._models_at(backup_files.known_migrations(backups.recorded_migrations()))
    return {
        model._meta.db_table: list(backups._rows_of(model).values_list())
        for model in found
        if model._meta.model_name != "heartbeat"
    }


def test_boards_and_every_row_come_back_byte_for_byte_and_the_site_goes_on_from_there(contested, client, tmp_path):
    before, all_rows = boards(client), rows()
    newest = Submission.objects.latest("number").number
    call_command("backup", str(tmp_path / "b.zip"))
    send("after", "rR")
    User.objects.all().delete()
    call_command("restore", str(tmp_path / "b.zip"), "--replace")
    assert boards(client) == before
    assert rows() == all_rows
    assert send("new", "rR").submission.number == newest + 1
    assert judging.judge_until_empty() == 2
    call_command("audit")


def test_a_backup_that_fails_leaves_no_file_and_nothing_is_overwritten(contested, tmp_path, monkeypatch):
    there = tmp_path / "b.zip"
    there.write_text("mine")
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", str(there))
    assert there.read_text() == "mine"
    there.unlink()
    monkeypatch.setattr(backups, "_encode_value", lambda _value: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        backups.write(there)
    assert list(tmp_path.iterdir()) == []


PLAYERS = "tables/contest_player.jsonl"
NESTED = b"[" * 100_000
DAMAGES = [
    (PLAYERS, rb"\[", b"{", r"rows 1 to \d+ of contest_player"),
    (PLAYERS, rb"^.*\n", rb"\g<0>\g<0>", "of contest_player does not fit"),
    (PLAYERS, rb"^\[\d+", b"[" + b"9" * 40, "of contest_player"),
    (PLAYERS, rb'"20[^"]*"', b'"yesterday"', "of contest_player"),
    (PLAYERS, rb".*", NESTED, "of contest_player"),
    (PLAYERS, rb".*\n", b"", "refers to one that is missing|does not fit"),
    ("manifest.json", b'"name_key"', b'"name"', "contest_player has no column name"),
    ("manifest.json", b'"contest_player"', b'"contest_member"', "manifest|no table contest_member"),
    ("manifest.json", rb".*", NESTED, "manifest"),
    ("manifest.json", b'"columns": ', b'"columns": 1, "other": ', "manifest"),
    ("manifest.json", rb'"tables": \[', b'"tables": [7, ', "manifest"),
    ("manifest.json", b'"format": 1', b'"format": 2', "format"),
    ("manifest.json", b"^{", b"", "manifest"),
    ("manifest.json", b'"0001_initial"', b'"9999_of_tomorrow"', "newer version"),
]


def damaged(sound: dict[str, bytes], member: str, old: bytes, new: bytes) -> bytes:
    content = sound | {member: re.sub(old, new, sound[member], count=1, flags=re.MULTILINE)}
    if member == PLAYERS:
        old_digest, digest = (hashlib.sha256(files[PLAYERS]).hexdigest().encode() for files in (sound, content))
        content["manifest.json"] = content["manifest.json"].replace(old_digest, digest)
    return zipped(content)


def marked(whole: bytes, at: int, value: int) -> bytes:
    """Return the backup with another value at this place of both headers of a member."""
    data = bytearray(whole)
    head, entry = data.index(PLAYERS.encode()) - 30, data.rindex(PLAYERS.encode()) - 46
    data[head + at] = data[entry + at + 2] = value
    return bytes(data)


def test_a_damaged_or_newer_file_is_refused_before_anything_is_touched(contested, tmp_path):
    whole, spoilt = tmp_path / "b.zip", tmp_path / "spoilt.zip"
    backups.write(whole)
    before, data = rows(), whole.read_bytes()
    with zipfile.ZipFile(whole) as archive:
        sound = {name: archive.read(name) for name in archive.namelist()}
    unpackable = ((6, 1), (8, 99), (8, 12), (8, 14))  # encrypted, packed by unknown means, bzip2, lzma
    for content, message in (
        (data[:-100], "not a whole one"),
        (b"no archive", "is no backup"),
        (zipped(sound | {PLAYERS: sound[PLAYERS].replace(b"rival", b"RIVAL")}), "contest_player are not those"),
        *((damaged(sound, *damage), message) for *damage, message in DAMAGES),
        *((marked(data, *place), r"no backup, or not a whole one|Cannot read") for place in unpackable),
    ):
        spoilt.write_bytes(content)
        with pytest.raises(CommandError, match=message):
            call_command("restore", str(spoilt), "--replace")
    with pytest.raises(CommandError, match="not empty"):
        call_command("restore", str(whole))
    assert rows() == before


def test_the_time_between_a_backup_and_the_start_after_its_restoring_is_an_outage(contested, tmp_path):
    """Rule 3.10: submissions sent in between are lost."""
    Heartbeat.objects.create(part=Part.WEB, beat_at=cast.DURING)
    assert health.backup_seconds() is None
    backups.write(tmp_path / "b.zip")
    assert health.backup_seconds() == 0
    backups.read(tmp_path / "b.zip", replace=True)
    with clock.set_to(cast.DURING + timedelta(hours=2)):
        outages.beat()
    assert Outage.objects.get().began_at == cast.DURING


@contextmanager
def database_in(file: Path):
    """Use an SQLite database in *file* in this thread: the tests' own is in memory and private to this process."""
    usual, other = connections[DEFAULT_DB_ALIAS], connections.create_connection(DEFAULT_DB_ALIAS)
    other.settings_dict = usual.settings_dict | {"NAME": str(file)}
    connections[DEFAULT_DB_ALIAS] = other
    try:
        yield
    finally:
        other.close()
        connections[DEFAULT_DB_ALIAS] = usual


ENGINES = [
    pytest.param("sqlite", marks=pytest.mark.one_database),
    pytest.param("postgresql", marks=pytest.mark.postgres),
]


@pytest.mark.parametrize("engine", ENGINES)
def test_submissions_that_arrive_meanwhile_are_saved_completely_or_not_at_all(
    during_round, tmp_path, monkeypatch, engine
):
    if connection.vendor != engine:
        pytest.skip("this is about another engine")
    send("before", "rR")
    judging.judge_until_empty()
    if engine == "sqlite":
        with sqlite3.connect(tmp_path / "site.sqlite3") as file:
            connection.connection.backup(file)
        file.close()

    def site():
        return database_in(tmp_path / "site.sqlite3") if engine == "sqlite" else nullcontext()

    def keep_sending():
        with site():
            send("meanwhile", "rR")
            judging.judge_until_empty()
        connections.close_all()

    def write_table(*given):
        sender = Thread(target=keep_sending)
        sender.start()
        sender.join()
        monkeypatch.undo()
        return backups._write_table(*given)

    monkeypatch.setattr(backups, "_write_table", write_table)
    with site():
        backups.write(tmp_path / "b.zip")
        assert Submission.objects.count() == 2
        backups.read(tmp_path / "b.zip", replace=True)
        assert Submission.objects.get().player.nickname == "before"
        call_command("audit")


@pytest.mark.one_database
@pytest.mark.exhaustive
def test_a_database_that_is_not_migrated_yet_can_be_saved(tmp_path):
    """As before an upgrade, with the new code."""
    with database_in(tmp_path / "old.sqlite3"):
        call_command("migrate", "contest", "0003", verbosity=0)
        backups.write(tmp_path / "b.zip")
    ContentType.objects.clear_cache()
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        migrations = json.loads(archive.read("manifest.json"))["migrations"]
    assert [name for app, name in migrations if app == "contest"] == ["0001_v0_2_0", "0002_v0_3_0", "0003_v0_4_0"]


FILLING = """
import sys, django
django.setup()
from django.core.management import call_command
from contest import judging
from contest.infra import clock
from tests import cast
call_command("migrate", verbosity=0)
with clock.set_to(cast.DURING):
    cast.a_round()
    for number in range(20):
        cast.send(f"player {number}", "rR" + "l" * (number % 7))
    judging.judge_until_empty()
call_command("backup", sys.argv[1])
"""


@pytest.mark.postgres
def test_a_backup_from_sqlite_restores_into_postgresql(tmp_path, client, request):
    tables = migrated.kept_in(request.config.cache.mkdir("migrated"))
    if tables.exists():  # other tests on SQLite may have created them
        shutil.copy(tables, tmp_path / "a.sqlite3")
    env = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path / 'a.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PYTHONPATH": str(Path.cwd()),
    }
    subprocess.run([sys.executable, "-c", FILLING, str(tmp_path / "b.zip")], env=env, check=True, capture_output=True)
    call_command("restore", str(tmp_path / "b.zip"), "--replace")
    assert Submission.objects.count() == 20
    call_command("audit")
    with clock.set_to(cast.DURING):
        assert json.loads(boards(client)[0])["count"] == 20
        assert send("new", "rR").is_new
