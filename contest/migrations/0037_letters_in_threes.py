"""On PostgreSQL an index of the letters of levels and nicknames in threes, so that a part of a word finds them.

Where pg_trgm is not installed, or may not be added, everything is found as well, only slower (docs/operations.md).
"""

from django.db import migrations

_MAY_ADD = """
SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm')
    OR (EXISTS (SELECT 1 FROM pg_available_extension_versions WHERE name = 'pg_trgm' AND trusted)
        AND has_database_privilege(current_database(), 'CREATE'))
"""
_INDEXES = {
    "collected_letters": ("contest_collectedlevel", "words"),
    "player_letters": ("contest_player", "name_key"),
}


def _add(_apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(_MAY_ADD)
        if not cursor.fetchone()[0]:
            return
    schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    for name, (table, column) in _INDEXES.items():
        schema_editor.execute(f"CREATE INDEX {name} ON {table} USING gin (({column}::text) gin_trgm_ops)")


def _remove(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in _INDEXES:
            schema_editor.execute(f"DROP INDEX IF EXISTS {name}")


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0036_search_levels'),
    ]

    operations = [
        migrations.RunPython(_add, _remove),
    ]
