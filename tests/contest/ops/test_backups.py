import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import zipfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from contest import judging
from contest.infra import clock
from contest.models import Best, Board, Heartbeat, Metric, Outage, Part, State, Submission, Verification
from contest.ops import backups, health, outages
from tests import cast, migrated
from tests.cast import send

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def contested(during_round):
    """A round with boards, a queue, texts that no encoding takes, and rows of Django's own."""
    for nickname, moves in (("player", "rR"), ("rival", "rlrR"), ("stranger", "r\x00\ud800"), ("推手", "rDldR")):
        send(nickname, moves, email="someone@example.org", country="SE")
    judging.judge_until_empty()
    send("late", "rR")
    User.objects.create_superuser("organiser")
    return during_round


def boards(client):
    """Both boards of both levels, as their readers get them."""
    paths = [f"/api/v1/rounds/1/{slot}/standings/?by={by}" for slot in ("main", "extra") for by in Metric]
    return [client.get(path).content for path in paths]


def rows():
    """Every row of every table, but for the sign that a backup was made."""
    found = backups._models_at(backups._applied_migrations())
    return {
        model._meta.db_table: list(backups._rows_of(model).values_list())
        for model in found
        if model._meta.model_name != "heartbeat"
    }


def is_consistent():
    """Judged once each, and the best rows are those that a recount gives."""
    judged = Submission.objects.filter(state=State.JUDGED)
    assert judged.count() == Verification.objects.count()
    accepted = judged.accepted().values_list("player", "moves", "pushes", "received_at", "number")
    best = {}
    for player, *key in accepted:
        best[player] = min(best.get(player, key), key)
    kept = Best.objects.filter(metric=Metric.MOVES, board=Board.CONTEST)
    assert {row.player_id: [row.first, row.second, row.received_at, row.submission_id] for row in kept} == best
    return True


def test_boards_and_every_row_come_back_byte_for_byte(contested, client, tmp_path):
    before, all_rows = boards(client), rows()
    call_command("backup", str(tmp_path / "b.zip"))
    send("after", "rR")
    User.objects.all().delete()
    call_command("restore", str(tmp_path / "b.zip"), "--replace")
    assert boards(client) == before
    assert rows() == all_rows


def test_the_site_goes_on_where_the_backup_left_off(contested, tmp_path):
    newest = Submission.objects.order_by("-number").first().number
    backups.write(tmp_path / "b.zip")
    backups.read(tmp_path / "b.zip", replace=True)
    assert send("new", "rR").submission.number == newest + 1
    assert judging.judge_until_empty() == 2
    assert is_consistent()


def test_nothing_is_overwritten(contested, tmp_path):
    there = tmp_path / "b.zip"
    there.write_text("mine")
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", str(there))
    assert there.read_text() == "mine"


def test_a_backup_that_fails_leaves_no_file(contested, tmp_path, monkeypatch):
    monkeypatch.setattr(backups, "_spell", lambda _value: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        backups.write(tmp_path / "b.zip")
    assert list(tmp_path.iterdir()) == []


def test_only_its_owner_can_read_a_backup(contested, tmp_path):
    backups.write(tmp_path / "b.zip")
    assert stat.S_IMODE((tmp_path / "b.zip").stat().st_mode) == 0o600


def test_a_database_with_something_in_it_is_refused(contested, tmp_path):
    backups.write(tmp_path / "b.zip")
    before = rows()
    with pytest.raises(CommandError, match="not empty"):
        call_command("restore", str(tmp_path / "b.zip"))
    assert rows() == before


@pytest.mark.parametrize("spoil", ["cut", "row", "manifest", "format", "text"])
def test_a_damaged_file_is_refused_before_anything_is_touched(contested, tmp_path, spoil):
    whole, spoilt = tmp_path / "b.zip", tmp_path / "spoilt.zip"
    backups.write(whole)
    if spoil == "cut":
        spoilt.write_bytes(whole.read_bytes()[:-100])
    elif spoil == "text":
        spoilt.write_text("no archive")
    else:
        copied(whole, spoilt, spoil)
    before = rows()
    with pytest.raises(CommandError):
        call_command("restore", str(spoilt), "--replace")
    assert rows() == before


def copied(whole, spoilt, spoil):
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(spoilt, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if spoil == "row" and name.endswith("contest_player.jsonl"):
                content = content.replace(b"rival", b"RIVAL")
            if name == "manifest.json":
                if spoil == "manifest":
                    continue
                content = content.replace(b'"format": 1', b'"format": 2') if spoil == "format" else content
            new.writestr(name, content)


def test_a_backup_of_a_newer_version_is_refused(contested, tmp_path):
    backups.write(tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as old, zipfile.ZipFile(tmp_path / "new.zip", "w") as new:
        for name in old.namelist():
            told = old.read(name)
            if name == "manifest.json":
                manifest = json.loads(told)
                manifest["migrations"].append(["contest", "9999_of_tomorrow"])
                told = json.dumps(manifest).encode()
            new.writestr(name, told)
    with pytest.raises(CommandError, match="newer version"):
        call_command("restore", str(tmp_path / "new.zip"), "--replace")


def test_the_site_knows_when_the_last_backup_was_made(contested, tmp_path):
    assert health.backup_seconds() is None
    backups.write(tmp_path / "b.zip")
    assert health.backup_seconds() == 0


def test_the_time_between_a_backup_and_the_start_after_its_restoring_is_an_outage(contested, tmp_path):
    """Rule 3.10: what was sent in between is lost."""
    Heartbeat.objects.create(part=Part.WEB, beat_at=cast.DURING)
    backups.write(tmp_path / "b.zip")
    backups.read(tmp_path / "b.zip", replace=True)
    with clock.set_to(cast.DURING + timedelta(hours=2)):
        outages.beat()
    assert Outage.objects.get().began_at == cast.DURING


@pytest.mark.postgres
def test_submissions_that_arrive_meanwhile_are_in_it_whole_or_not_at_all_on_postgresql(during_round, tmp_path):
    if connection.vendor != "postgresql":
        pytest.skip("an SQLite database of the tests lies in one process's memory")
    done, counts = Event(), []

    def keep_sending():
        number = 0
        while not done.is_set():
            send(f"player {number}", "rR" + "l" * (number % 7))
            judging.judge_until_empty()
            number += 1
        counts.append(number)
        connection.close()

    sender = Thread(target=keep_sending)
    with clock.set_to(cast.DURING):
        sender.start()
        manifests = [backups.write(tmp_path / f"{number}.zip") for number in range(5)]
        done.set()
        sender.join()
    backups.read(tmp_path / "4.zip", replace=True)
    in_it = next(table.rows for table in manifests[-1].tables if table.name == "contest_submission")
    assert Submission.objects.count() == in_it
    assert 0 < in_it < counts[0]
    assert is_consistent()


SENDING = """
import sys, pathlib, django
django.setup()
from contest import judging
from contest.infra import clock
from tests import cast
with clock.set_to(cast.DURING):
    cast.a_round()
    number = 0
    while not pathlib.Path(sys.argv[1]).exists():
        cast.send(f"player {number}", "rR" + "l" * (number % 7))
        judging.judge_until_empty()
        number += 1
        if number == 20:
            print("sending", flush=True)
print(number, flush=True)
"""

CHECKING = """
import django
django.setup()
from contest.models import Submission
from tests.contest.ops.test_backups import is_consistent
assert is_consistent()
print(Submission.objects.count())
"""


@pytest.fixture
def run(tmp_path):
    """Run Python on an SQLite database in a file: the tests' own lies in one process's memory."""

    def start(database, *words):
        env = os.environ | {
            "DATABASE_URL": f"sqlite:///{tmp_path / database}",
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "PYTHONPATH": str(Path.cwd()),
        }
        return subprocess.Popen([sys.executable, *words], env=env, stdout=subprocess.PIPE, text=True)

    return start


def said(process):
    told, _ = process.communicate(timeout=600)
    assert process.returncode == 0
    return told.strip()


@pytest.mark.one_database
@pytest.mark.exhaustive
def test_submissions_that_arrive_meanwhile_are_in_it_whole_or_not_at_all_on_sqlite(run, tmp_path):
    for name in ("a.sqlite3", "b.sqlite3"):
        with closing(sqlite3.connect(tmp_path / name)) as file:
            connection.connection.backup(file)  # the tests' own tables: to migrate anew takes seconds
    sender = run("a.sqlite3", "-c", SENDING, str(tmp_path / "stop"))
    assert sender.stdout.readline() == "sending\n"
    said(run("a.sqlite3", "manage.py", "backup", str(tmp_path / "b.zip")))
    (tmp_path / "stop").touch()
    sent = int(said(sender))
    assert "Restored" in said(run("b.sqlite3", "manage.py", "restore", "--replace", str(tmp_path / "b.zip")))
    assert 20 <= int(said(run("b.sqlite3", "-c", CHECKING))) < sent


@pytest.mark.one_database
@pytest.mark.exhaustive
def test_a_database_that_is_not_migrated_yet_can_be_saved(run, tmp_path):
    """As before an upgrade, by the new code."""
    said(run("old.sqlite3", "manage.py", "migrate", "-v", "0", "contest", "0005"))
    said(run("old.sqlite3", "manage.py", "backup", str(tmp_path / "b.zip")))
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert ["contest", "0007_find_held_submissions"] not in json.loads(archive.read("manifest.json"))["migrations"]


@pytest.mark.postgres
def test_what_was_saved_on_sqlite_fills_postgresql(run, tmp_path, client, request):
    if connection.vendor != "postgresql":
        pytest.skip("this is about another engine")
    tables = migrated.kept_in(request.config.cache.mkdir("migrated"))
    if tables.exists():  # by the tests on SQLite
        shutil.copy(tables, tmp_path / "a.sqlite3")
    said(run("a.sqlite3", "manage.py", "migrate", "-v", "0"))
    (tmp_path / "stop").touch()
    said(run("a.sqlite3", "-c", SENDING.replace("while not", "while number < 20 or not"), str(tmp_path / "stop")))
    said(run("a.sqlite3", "manage.py", "backup", str(tmp_path / "b.zip")))
    call_command("restore", str(tmp_path / "b.zip"), "--replace")
    assert Submission.objects.count() == 20
    assert is_consistent()
    with clock.set_to(cast.DURING):
        assert json.loads(boards(client)[0])["count"] == 20
        assert send("new", "rR").is_new
