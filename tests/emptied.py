"""Tables emptied after a test that commits, with what every new database holds."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, transaction
from django.test import TransactionTestCase

# Where rows were deleted PostgreSQL still looks: a database larger than this is made small again. New it takes 14 MB.
MOST_BYTES = 24_000_000
_new: dict[str, list[tuple[Any, ...]]] = {}


def rows() -> dict[str, list[tuple[Any, ...]]]:
    """Return what each table holds, without those that hold nothing."""
    with connection.cursor() as cursor:
        return {table: _rows_of(table, cursor) for table in _filled(_tables(), cursor)}


def _tables() -> list[str]:
    return connection.introspection.django_table_names(only_existing=True, include_views=False)


def _filled(tables: list[str], cursor: Any) -> list[str]:
    """Return those of *tables* that hold something."""
    asked = (f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {_quoted(table)})" for table in tables)
    cursor.execute(" UNION ALL ".join(asked))
    return [table for (table,) in cursor.fetchall()]


def _rows_of(table: str, cursor: Any) -> list[tuple[Any, ...]]:
    cursor.execute(f"SELECT * FROM {_quoted(table)} ORDER BY 1")
    found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _quoted(table: str) -> str:
    return str(connection.ops.quote_name(table))


def empty() -> None:
    """Leave what Django's flush leaves: nothing but permissions, roles and whatever else is made after migrating.

    Django does it the first time alone, and where a test left very much. From then on what is too much is deleted and
    what is missing put back: to make each of 120 tables anew takes PostgreSQL ten times as long.
    """
    if not _new:
        _flush(inhibit_post_migrate=False)
        _new.update(rows())
        return
    if _bytes() > MOST_BYTES:
        _flush(inhibit_post_migrate=True)
    with transaction.atomic(), connection.cursor() as cursor:  # what refers to what is looked at in the end
        tables = _tables()
        if connection.vendor == "postgresql":  # whoever is still writing is waited for
            cursor.execute(f"LOCK TABLE {', '.join(map(_quoted, tables))} IN EXCLUSIVE MODE")
        filled = _filled(tables, cursor)
        for table in {*filled, *_new}:
            wanted = _new.get(table, [])
            if wanted and _rows_of(table, cursor) == wanted:
                continue
            cursor.execute(f"DELETE FROM {_quoted(table)}")
            if wanted:
                places = ", ".join(["%s"] * len(wanted[0]))
                cursor.executemany(f"INSERT INTO {_quoted(table)} VALUES ({places})", wanted)
        models = [model for model in apps.get_models(include_auto_created=True) if model._meta.db_table in _new]
        for counted in connection.ops.sequence_reset_sql(no_style(), models):  # a test may have set them back
            cursor.execute(counted)
    ContentType.objects.clear_cache()


def _flush(*, inhibit_post_migrate: bool) -> None:
    words = {"verbosity": 0, "interactive": False, "reset_sequences": False}
    call_command("flush", **words, inhibit_post_migrate=inhibit_post_migrate)


def _bytes() -> int:
    """Return how much room the database takes; 0 where that changes nothing."""
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


@contextmanager
def remember() -> Iterator[None]:
    """Let whatever test commits end so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _case: empty())
        yield
