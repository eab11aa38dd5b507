"""Migrations by released version: one for each, which replaces those that led to it (`replaces`)."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

Migration = tuple[str, str]


class BetweenReleases(Exception):
    """Tables of a checkout between two releases: no migration leads from them to this version."""


def in_releases(applied: Iterable[Migration]) -> list[Migration]:
    """Return *applied*, sorted, with the migration of each release in place of those it replaces.

    Raise BetweenReleases if only some of those are applied.
    """
    migrations = set(applied)
    for key, migration in MigrationLoader(None).replacements.items():
        replaced = set(migration.replaces)
        if key[0] != "contest":  # other apps keep what they replaced
            continue
        if replaced <= migrations:
            migrations = migrations - replaced | {key}
        elif replaced & migrations:
            version = key[1].partition("_v")[2].replace("_", ".")
            raise BetweenReleases(
                f"These tables lie between two releases: only some migrations of {version} are applied. "
                f"Install {version}, run `migrate` with it, and come back."
            )
    return sorted(migrations)


def newest_of_each_app(loader: MigrationLoader, migrations: Sequence[Migration]) -> list[Migration]:
    """Return the last of *migrations* of each app."""
    superseded = {
        parent.key for key in migrations for parent in loader.graph.node_map[key].parents if parent.key[0] == key[0]
    }
    return [key for key in migrations if key not in superseded]


def drop_tables() -> None:
    """Delete all tables, so that those of an older version can be created."""
    suffix = " CASCADE" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor, connection.constraint_checks_disabled():
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(name)}{suffix}")


def recorded_migrations(alias: str = DEFAULT_DB_ALIAS) -> list[Migration]:
    """Return the migrations that a database records as applied, replaced ones included."""
    return list(MigrationRecorder(connections[alias]).applied_migrations())


def check_releases(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Refuse `migrate` on tables that lie between two releases."""
    try:
        for alias in databases or ():
            in_releases(recorded_migrations(alias))
    except BetweenReleases as error:
        return [Error(str(error), id="contest.E001")]
    return []
