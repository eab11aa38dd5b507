"""Backup of the whole database into one file while the site runs, and restore from such a file.

The file is a ZIP: the rows of each table as JSON lines, ordered by key, and a manifest with the applied
migrations and each table's columns, row count and SHA-256. It is independent of the engine, so data saved from SQLite
can move to PostgreSQL; and of the version: it is loaded into the tables as they were, which are then migrated.
"""

import copy
import hashlib
import json
import logging
import os
import zipfile
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps.registry import Apps
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DataError, IntegrityError, connection, connections, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils.duration import duration_iso_string
from psycopg import IsolationLevel
from tqdm import tqdm

from contest.infra import clock
from contest.models import Dump, DumpFile, DumpPiece, Film, Heartbeat, Track
from contest.ops import health, released
from contest.ops.backup_files import (
    FORMAT,
    MANIFEST,
    UNREADABLE,
    BadBackup,
    Manifest,
    Table,
    check,
    known_migrations,
    member_name,
)
from contest.ops.delivered import exclude_delivered
from contest.ops.released import Migration, recorded_migrations

log = logging.getLogger(__name__)

# A submission may have megabytes: this many of the longest still fit into a small machine's memory.
_ROWS_AT_ONCE = 50
# Exceptions for a row that does not fit its table.
_BAD_ROW = (
    AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError, ValidationError, DataError,
    IntegrityError,
)  # fmt: skip
_REGENERATED_TABLES = {model._meta.db_table for model in (Film, Dump, DumpFile, DumpPiece)}

Model = type[models.Model]


# Saving


def write(path: Path) -> Manifest:
    """Save a consistent snapshot of the database to *path*, which must not exist. Blocks no writer."""
    with _new_file(path) as partial:
        with _snapshot(), zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            manifest = _write_tables(archive)
            archive.writestr(MANIFEST, json.dumps({"format": FORMAT, **asdict(manifest)}, indent=1))
        _sync(partial)
    # The database of an older version, saved before its upgrade, lacks these columns.
    if any(table.name == Heartbeat._meta.db_table and "facts" in table.columns for table in manifest.tables):
        health.note_backup(path, manifest.rows)
    return manifest


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    """Reserve *path* and yield a file beside it that replaces it when complete. Both are private to their owner."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        for new in (path, partial):
            os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError as error:
        if Path(error.filename) == partial:
            path.unlink()
        raise BadBackup(f"{error.filename} is there already; nothing is overwritten.") from None
    except OSError as error:
        raise BadBackup(f"Cannot write {path}: {error.strerror}.") from None
    try:
        yield partial
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        path.unlink()
        raise


@contextmanager
def _snapshot() -> Iterator[None]:
    """Show this thread a snapshot of the database through a separate connection that blocks no writer."""
    default_connection = connections[DEFAULT_DB_ALIAS]
    snapshot = connections.create_connection(DEFAULT_DB_ALIAS)
    snapshot.settings_dict = copy.deepcopy(default_connection.settings_dict)
    if snapshot.vendor == "sqlite":
        snapshot.settings_dict["OPTIONS"]["transaction_mode"] = "DEFERRED"  # the usual IMMEDIATE blocks all writers
    else:
        snapshot.settings_dict["OPTIONS"]["isolation_level"] = IsolationLevel.REPEATABLE_READ
    connections[DEFAULT_DB_ALIAS] = snapshot
    try:
        with transaction.atomic():
            yield
    finally:
        snapshot.close()
        connections[DEFAULT_DB_ALIAS] = default_connection


def _write_tables(archive: zipfile.ZipFile) -> Manifest:
    migrations = known_migrations(recorded_migrations())  # the first read: it fixes the snapshot
    taken_at = clock.now_at_database().isoformat()
    saved_models = _models_at(migrations)
    rows = {model: _rows_to_save(model) for model in saved_models}
    total = sum(model_rows.count() for model_rows in rows.values())
    with tqdm(total=total, unit=" rows", disable=None) as progress:
        tables = [_write_table(archive, model, model_rows, progress) for model, model_rows in rows.items()]
    return Manifest(taken_at, connection.vendor, migrations, tables)


def _write_table(archive: zipfile.ZipFile, model: Model, rows: "models.QuerySet[Any]", progress: Any) -> Table:
    fields = _fields_of(model)
    digest, count = hashlib.sha256(), 0
    with archive.open(member_name(model._meta.db_table), "w", force_zip64=True) as member:
        values = rows.values_list(*[field.attname for field in fields])
        for row in values.iterator(chunk_size=_ROWS_AT_ONCE):
            line = json.dumps(row, default=_encode_value).encode() + b"\n"
            digest.update(line)
            member.write(line)
            count += 1
            progress.update()
    return Table(model._meta.db_table, [field.column for field in fields], count, digest.hexdigest())


def _encode_value(value: Any) -> str:
    """Convert a value that JSON lacks to text that the field parses back exactly."""
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return duration_iso_string(value)
    if isinstance(value, Decimal | UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be saved")


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


# Restoring


def read(path: Path, *, replace: bool = False, as_saved: bool = False) -> Manifest:
    """Fill the database from the backup at *path*: all of it or nothing.

    The file is checked before anything changes. A database with rows is replaced only with *replace*.
    With *as_saved* all tables are replaced by those of the backup's version, for that version to use.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = check(archive)
            if as_saved:
                released.drop_tables()
            _prepare(manifest, replace=replace)
            _load(archive, manifest)
    except OSError as error:
        raise BadBackup(f"Cannot read {path}: {error.strerror or error}.") from None
    except UNREADABLE as error:
        raise BadBackup(f"{path} is no backup, or not a whole one ({error}).") from None
    if not as_saved:
        call_command("migrate", verbosity=0, interactive=False)
    _clear_page_cache()
    return manifest


def _prepare(manifest: Manifest, *, replace: bool) -> None:
    """Migrate an empty database to the backup's migrations; refuse if versions differ or rows would be lost."""
    nodes = MigrationLoader(None).graph.nodes
    if unknown := [migration for migration in manifest.migrations if migration not in nodes]:
        raise BadBackup(f"The backup was made by a newer version: {'.'.join(unknown[0])} is not known here.")
    applied = known_migrations(recorded_migrations())
    if not applied:
        executor = MigrationExecutor(connection)
        executor.migrate(released.newest_of_each_app(executor.loader, manifest.migrations))
    elif applied != manifest.migrations:
        message = "The tables here are of another version than those of the backup. Use an empty database: "
        raise BadBackup(message + "it gets the tables of the backup, and is migrated after that.")
    elif not replace and (nonempty := _nonempty_tables(manifest)):
        raise BadBackup(f"The database is not empty: there are rows in {nonempty[0]}. To lose them all, say --replace.")


def _nonempty_tables(manifest: Manifest) -> list[str]:
    """Return tables with users' rows: every migrated database has Django's, a track and `delivered` ones."""
    user_models = [model for model in _models_at(manifest.migrations) if _has_user_rows(model)]
    return [model._meta.db_table for model in user_models if exclude_delivered(_rows_of(model)).exists()]


def _has_user_rows(model: Model) -> bool:
    if model._meta.app_label == "contest":
        return model._meta.model_name not in (Heartbeat._meta.model_name, Track._meta.model_name)
    return model._meta.label_lower == "auth.user"


def _load(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    try:
        _fill_tables(archive, manifest)
    except IntegrityError as error:  # foreign keys are checked at the end
        raise BadBackup(f"The backup is damaged: a row refers to one that is missing ({error}).") from None


@transaction.atomic
def _fill_tables(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    models_by_table = {model._meta.db_table: model for model in _models_at(manifest.migrations)}
    if unknown := [table.name for table in manifest.tables if table.name not in models_by_table]:
        raise BadBackup(f"The backup is damaged: its version has no table {unknown[0]}.")
    with connection.cursor() as cursor:
        for statement in connection.ops.sql_flush(no_style(), list(models_by_table), reset_sequences=True):
            cursor.execute(statement)
        with tqdm(total=manifest.rows, unit=" rows", desc="Loading", disable=None) as progress:
            for table in manifest.tables:
                _load_table(archive, models_by_table[table.name], table, cursor, progress)
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models_by_table.values())):
            cursor.execute(statement)


def _load_table(archive: zipfile.ZipFile, model: Model, table: Table, cursor: Any, progress: Any) -> None:
    field_of = {field.column: field for field in _fields_of(model)}
    if unknown := [column for column in table.columns if column not in field_of]:
        raise BadBackup(f"The backup is damaged: {table.name} has no column {unknown[0]}.")
    fields = [field_of[column] for column in table.columns]
    quote = connection.ops.quote_name
    columns, placeholders = ", ".join(map(quote, table.columns)), ", ".join(["%s"] * len(fields))
    insert = f"INSERT INTO {quote(table.name)} ({columns}) VALUES ({placeholders})"  # noqa: S608 - names are the models'
    with archive.open(member_name(table.name)) as member:
        for number, lines in enumerate(_batches(_ROWS_AT_ONCE, member)):
            try:
                cursor.executemany(insert, [_read_row(fields, line) for line in lines])
            except _BAD_ROW as error:
                first = number * _ROWS_AT_ONCE + 1
                where = f"one of the rows {first} to {first + len(lines) - 1} of {table.name}"
                raise BadBackup(f"The backup is damaged: {where} does not fit the table ({error}).") from None
            progress.update(len(lines))


def _read_row(fields: list[Any], line: bytes) -> list[Any]:
    return [_store_value(field, value) for field, value in zip(fields, json.loads(line), strict=True)]


def _store_value(field: "models.Field[Any, Any]", value: Any) -> Any:
    parsed = value if value is None or isinstance(field, models.JSONField) else field.to_python(value)
    return field.get_db_prep_save(parsed, connection)


def _clear_page_cache() -> None:
    """Clear cached pages: their keys have board versions, which restored boards may reach again with other content."""
    try:
        cache.clear()
    except Exception as error:  # any exception of the cache client; a stopped Redis has lost its pages already
        log.warning("The cache could not be emptied (%s). If its Redis keeps running, empty it before the site.", error)


# Contents of a database


def _models_at(migrations: list[Migration]) -> list[Model]:
    """Return a model for every table as it was after *migrations*, independent of the current code."""
    loader = MigrationLoader(None)
    apps: Apps = loader.project_state([key for key in migrations if key in loader.graph.nodes]).apps
    managed = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    return sorted((model for model in managed if not model._meta.proxy), key=lambda model: model._meta.db_table)


def _rows_of(model: Model) -> "models.QuerySet[Any]":
    return models.QuerySet(model).order_by("pk")


def _rows_to_save(model: Model) -> "models.QuerySet[Any]":
    """Return all rows, but none of tables that can be regenerated: films and dumps."""
    rows = _rows_of(model)
    return rows.none() if model._meta.db_table in _REGENERATED_TABLES else rows


def _fields_of(model: Model) -> list[Any]:
    return [field for field in model._meta.concrete_fields if not field.generated]


def _batches(count: int, items: Iterable[Any]) -> Iterator[list[Any]]:
    items = iter(items)
    while batch := list(islice(items, count)):
        yield batch
