"""A filled database of each released version is upgraded to this version without losing rows.

`tests/data/released` has a backup of each, made by its own `demo`, `sweep` and `backup`: a new release adds its own.
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from contest.ops import backup_files, backups
from contest.ops.released import BetweenReleases, in_releases
from tests.sizes import cases
from tooling.site import MIGRATE_AND_DEMO

ROOT = Path(__file__).parents[3]
RELEASED = ROOT / "tests" / "data" / "released"
OLDEST, *LATER = sorted(RELEASED.glob("*.zip"), key=lambda file: [int(part) for part in file.stem.split(".")])
# Submissions, their senders and results: tables that may get columns, and must not lose rows.
PRESERVED_TABLES = (
    "auth_user", "contest_player", "contest_round", "contest_level", "contest_submission", "contest_verification",
    "contest_best", "contest_chainlink", "contest_snapshot", "contest_placing", "contest_rating", "contest_post",
)  # fmt: skip
VERDICTS = ("number", "sha256", "state", "verdict", "moves", "pushes")
UPGRADING = """
import gc, sys
import django
gc.set_threshold(200_000)  # the models of some hundred migrations come and go: fewer looks for those that went
django.setup()
from django.core.management import call_command
from django.test import Client
call_command("restore", *sys.argv[1:])
call_command("migrate", "--check")
call_command("audit", "--replay")
client = Client()
for page in ("/en/", "/en/rounds/", "/en/rounds/1/", "/en/stats/", "/en/hall/", "/en/levels/", "/api/v1/rounds/"):
    assert client.get(page).status_code == 200, page
"""


def test_every_released_version_has_a_filled_database_here():
    released = re.findall(r"^## (\d[\d.]*\d),", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert {f"{version}.zip" for version in released} == {file.name for file in RELEASED.iterdir()}


@pytest.mark.parametrize("file", cases([OLDEST], LATER), ids=lambda file: file.stem)
def test_a_filled_database_of_a_released_version_is_upgraded_completely(file, tmp_path):
    database = tmp_path / "site.sqlite3"
    assert "no difference" in run(database, UPGRADING, file)
    with sqlite3.connect(database) as upgraded:
        for table in PRESERVED_TABLES:
            assert upgraded.execute(f"SELECT count(*) FROM {table}").fetchone() == (len(rows(file, table)),), table
        found = upgraded.execute(f"SELECT {', '.join(VERDICTS)} FROM contest_submission ORDER BY number").fetchall()
    upgraded.close()
    assert found == [tuple(row[name] for name in VERDICTS) for row in rows(file, "contest_submission")]


@pytest.mark.parametrize(("last", "version"), [("0002_the_whole_rulebook", "0.2.0"), ("0054_kinds_of_events", "0.3.0")])
def test_tables_between_two_releases_name_the_version_to_pass_through(last, version):
    """Only that release has the migrations that lead on from there."""
    replaced = [entry for migration in MigrationLoader(None).replacements.values() for entry in migration.replaces]
    with pytest.raises(BetweenReleases, match=f"Install {version}, run `migrate` with it"):
        in_releases(entry for entry in replaced if entry[1] <= last)


@pytest.mark.django_db
def test_migrate_and_backup_refuse_such_tables():
    for name in ("0005_v0_6_0", "0061_letters_of_names"):
        MigrationRecorder(connection).record_unapplied("contest", name)
    with pytest.raises(SystemCheckError, match=r"Install 0\.6\.0"):
        call_command("migrate", verbosity=0, skip_checks=False)
    with pytest.raises(backups.BadBackup, match=r"Install 0\.6\.0"):
        backup_files.known_migrations(backups.recorded_migrations())
    assert "skip_checks=False" in MIGRATE_AND_DEMO  # what `dev.py run` calls: without it Django checks nothing


def rows(file, table):
    with zipfile.ZipFile(file) as archive:
        tables = json.loads(archive.read("manifest.json"))["tables"]
        columns = next(entry["columns"] for entry in tables if entry["name"] == table)
        lines = archive.read(f"tables/{table}.jsonl").splitlines()
    return [dict(zip(columns, json.loads(line), strict=True)) for line in lines]


def run(database, script, *arguments):
    """Run Python on an SQLite database in a file: the tests' own is in memory and private to this process."""
    env = os.environ | {"DATABASE_URL": f"sqlite:///{database}", "DJANGO_SETTINGS_MODULE": "tests.settings"}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
