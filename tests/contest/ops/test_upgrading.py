"""A filled database of each released version becomes one of this version, and nothing is lost on the way.

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

ROOT = Path(__file__).parents[3]
RELEASED = ROOT / "tests" / "data" / "released"
# What was sent, who sent it, and what came of it; some of these may get columns, none may lose rows.
KEPT = (
    "auth_user", "contest_player", "contest_round", "contest_level", "contest_submission", "contest_verification",
    "contest_best", "contest_chainlink", "contest_snapshot", "contest_placing", "contest_rating", "contest_post",
)  # fmt: skip
VERDICTS = ("number", "sha256", "state", "verdict", "moves", "pushes")
READING = """
import django
django.setup()
from django.core.management import call_command
from django.test import Client
call_command("migrate", "--check")
call_command("audit", "--replay")
for page in ("/en/", "/en/rounds/", "/en/rounds/1/", "/en/stats/", "/en/hall/", "/en/levels/", "/api/v1/rounds/"):
    assert Client().get(page).status_code == 200, page
"""


def test_every_released_version_has_a_filled_database_here():
    released = re.findall(r"^## (\d[\d.]*\d),", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert {f"{version}.zip" for version in released} == {file.name for file in RELEASED.iterdir()}


@pytest.mark.parametrize("file", sorted(RELEASED.glob("*.zip")), ids=lambda file: file.stem)
def test_a_filled_database_of_a_released_version_is_upgraded_whole(file, tmp_path):
    database = tmp_path / "upgraded.sqlite3"
    run(database, "manage.py", "restore", str(file))
    with sqlite3.connect(database) as upgraded:
        for table in KEPT:
            assert upgraded.execute(f"SELECT count(*) FROM {table}").fetchone() == (len(rows(file, table)),), table
        found = upgraded.execute(f"SELECT {', '.join(VERDICTS)} FROM contest_submission ORDER BY number").fetchall()
    upgraded.close()
    assert found == [tuple(row[name] for name in VERDICTS) for row in rows(file, "contest_submission")]
    assert "no difference" in run(database, "-c", READING)


def rows(file, table):
    """The rows of *table* in the backup, by column."""
    with zipfile.ZipFile(file) as archive:
        tables = json.loads(archive.read("manifest.json"))["tables"]
        columns = next(one["columns"] for one in tables if one["name"] == table)
        lines = archive.read(f"tables/{table}.jsonl").splitlines()
    return [dict(zip(columns, json.loads(line), strict=True)) for line in lines]


def run(database, *words):
    """Run Python on an SQLite database in a file: the tests' own lies in one process's memory."""
    env = os.environ | {"DATABASE_URL": f"sqlite:///{database}", "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run([sys.executable, *words], env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
