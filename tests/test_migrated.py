"""Tables made once are those of the next run, as long as the code that makes them is the same."""

import sqlite3
from contextlib import closing

import pytest
from django.db import connection

from tests import migrated

MAKE = "CREATE TABLE levels (title); INSERT INTO levels VALUES ('Corridor')"


@pytest.fixture
def rows(tmp_path):
    """The rows that a run begins with in the database *name*, after which it runs *script*, if it gets so far."""

    def rows(name, script="", *, ends=True):
        address = f"file:{tmp_path.name}-{name}?mode=memory&cache=shared"
        with closing(sqlite3.connect(address, uri=True)) as ours, migrated.begin(tmp_path, address) as end:
            tables = ours.execute("SELECT name FROM sqlite_master").fetchall()
            found = [row for (table,) in tables for row in ours.execute(f"SELECT * FROM {table}")]
            ours.executescript(script)
            if ends:
                end()
        return found

    return rows


def test_the_next_run_begins_with_what_the_first_one_made(rows):
    assert rows("first", MAKE) == []
    assert rows("second", "DELETE FROM levels") == [("Corridor",)]
    assert rows("third") == [("Corridor",)]


def test_a_run_that_stopped_on_its_way_leaves_nothing(rows):
    rows("first", MAKE, ends=False)
    assert rows("second") == []


def test_other_code_makes_tables_of_its_own(rows, monkeypatch):
    rows("first", MAKE)
    monkeypatch.setattr(migrated, "key", lambda folders: "other")
    assert rows("second") == []


@pytest.mark.postgres
@pytest.mark.skipif(connection.vendor != "postgresql", reason="this is about its server")
def test_on_postgresql_it_is_a_copy_of_the_first_one(db, tmp_path):
    other = connection.copy()
    asked = other.settings_dict["TEST"] = other.settings_dict["TEST"] | {"NAME": connection.settings_dict["NAME"]}
    for was_there in (False, True):
        with migrated.begin_on_postgres(tmp_path, other) as end:
            assert bool(asked.get("TEMPLATE")) is was_there
            if was_there:
                other.settings_dict["NAME"] = asked["TEMPLATE"]
                with other.cursor() as cursor, connection.cursor() as ours:
                    assert other.introspection.table_names(cursor) == connection.introspection.table_names(ours)
                    for asking in (cursor, ours):
                        asking.execute("SELECT * FROM django_migrations ORDER BY id")
                    assert cursor.fetchall() == ours.fetchall() != []
                other.close()
            end()
    assert "TEMPLATE" not in asked


@pytest.mark.parametrize("name", ["migrations/0002_more.py", "models/level.py", "apps.py"])
@pytest.mark.parametrize("before", [None, "a = 1"])
def test_code_is_known_by_its_content(tmp_path, name, before):
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    if before:
        file.write_text(before)
    as_before = migrated.key({"contest": tmp_path})
    assert migrated.key({"contest": tmp_path}) == as_before
    file.write_text("a = 2")
    assert migrated.key({"contest": tmp_path}) != as_before
