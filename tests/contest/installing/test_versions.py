import json
import os
import subprocess
import sys
import zipfile

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from contest.installing import versions
from contest.installing.versions import Record
from tests.contest.ops.test_upgrading import rows
from tooling.folders import ROOT

RELEASED = sorted((ROOT / "tests" / "data" / "released").glob("*.zip"))
RESTORE_AS_SAVED = """
import sys
import django
django.setup()
from pathlib import Path
from contest.ops import backups
backups.read(Path(sys.argv[1]), as_saved=True)
"""


@pytest.fixture
def data(settings, tmp_path):
    settings.DATA_DIR, settings.BACKUP_FOLDER = tmp_path, ""
    return tmp_path


@pytest.mark.django_db
def test_data_of_a_newer_version_are_refused_by_its_number_and_its_migrations(data):
    versions.write_record(Record("99.0.0"))
    with pytest.raises(CommandError, match=r"version 99\.0\.0; this is .*nothing was changed.*rollback"):
        call_command("upgrade")
    MigrationRecorder(connection).record_applied("contest", "9999_v99_0_0")
    with pytest.raises(CommandError, match="9999_v99_0_0 is not known here"):
        call_command("upgrade")


@pytest.mark.django_db
def test_a_site_without_a_record_is_of_the_last_release_of_its_tables(data):
    assert versions._version_of_tables() == max((file.stem for file in RELEASED), key=versions._as_numbers)


def test_without_an_upgrade_there_is_no_way_back(data):
    with pytest.raises(CommandError, match="No upgrade is on record"):
        call_command("rollback", "--yes")
    versions.write_record(Record("0.7.0", "0.6.0", str(data / "gone.zip")))
    with pytest.raises(CommandError, match=r"not there any more: .*gone\.zip"):
        call_command("rollback", "--yes")


def test_a_rollback_that_is_not_confirmed_changes_nothing(data, monkeypatch):
    (data / "backup.zip").touch()
    versions.write_record(Record("0.7.0", "0.6.0", str(data / "backup.zip")))
    monkeypatch.setattr("builtins.input", lambda _prompt: "yes")
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command("rollback")


@pytest.fixture
def database(db):
    """The URL of an empty database of this suite's engine; empty for a file in the folder of the data."""
    if connection.vendor == "sqlite":
        yield ""
        return
    server, name = connection.get_connection_params(), f"upgraded_{os.getpid()}"
    place = {part: server.get(part, "") for part in ("user", "password", "host", "port")}
    with psycopg.connect(**place, dbname="postgres", autocommit=True) as outside:
        outside.execute(f'CREATE DATABASE "{name}"')
        yield f"postgres://{place['user']}:{place['password']}@/{name}?host={place['host']}&port={place['port']}"
        outside.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def run(folder, database, *arguments):
    env = {"DATABASE_URL": database} if database else {}
    env |= {
        "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "SECRET_KEY": "x" * 50,
        "DATA_DIR": str(folder), "EMBEDDED": "1", "OWN_LEVELS": "0",
        "REDIS_URL": "redis://127.0.0.1:1", "DJANGO_SETTINGS_MODULE": "contest.settings",
    }  # fmt: skip
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tables_of(backup):
    with zipfile.ZipFile(backup) as archive:
        return {table["name"] for table in json.loads(archive.read("manifest.json"))["tables"]}


@pytest.mark.exhaustive
@pytest.mark.parametrize("released", RELEASED, ids=lambda file: file.stem)
def test_an_upgrade_and_a_rollback_restore_what_was_there(released, tmp_path, database):
    run(tmp_path, database, "-c", RESTORE_AS_SAVED, str(released))
    record = {"version": released.stem}
    (tmp_path / "installed.json").write_text(json.dumps(record))
    assert f"Upgraded from {released.stem} to {versions.VERSION}" in run(tmp_path, database, "-m", "contest", "upgrade")
    run(tmp_path, database, "-m", "contest", "migrate", "--check")
    run(tmp_path, database, "-m", "contest", "audit", "--replay")
    assert f"leitai-server[solving]=={released.stem}" in run(tmp_path, database, "-m", "contest", "rollback", "--yes")
    again = tmp_path / "again.zip"
    run(tmp_path, database, "-m", "contest", "backup", str(again))
    for table in tables_of(released) - {"contest_heartbeat"}:  # it has the age of the last backup
        assert rows(again, table) == rows(released, table), table
    (replaced,) = (tmp_path / "backups").glob("before-rollback-*.zip")
    assert zipfile.ZipFile(replaced).testzip() is None
    assert json.loads((tmp_path / "installed.json").read_text())["version"] == released.stem
