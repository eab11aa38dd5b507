"""The index of nicknames' letters in threes is one of capitals: it serves who looks for a part of a name, and nobody else.

PostgreSQL took the one of before for whole names, too. There it reads the lists of all threes: where thousands are
called alike it looked for 15 milliseconds, and everybody who sends is looked for.
"""

from django.db import migrations

_WANTED = "DROP INDEX player_letters; CREATE INDEX player_letters ON contest_player USING gin ((UPPER(name_key::text)) gin_trgm_ops)"
_BEFORE = "DROP INDEX player_letters; CREATE INDEX player_letters ON contest_player USING gin ((name_key::text) gin_trgm_ops)"


def _replace_by(statements):
    def replace(_apps, schema_editor):
        if schema_editor.connection.vendor != "postgresql":
            return
        with schema_editor.connection.cursor() as cursor:
            cursor.execute("SELECT to_regclass('player_letters')")
            is_there = cursor.fetchone()[0] is not None  # not where pg_trgm may not be added
        if is_there:
            schema_editor.execute(statements)

    return replace


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0060_years_that_can_be_meant'),
    ]

    operations = [
        migrations.RunPython(_replace_by(_WANTED), _replace_by(_BEFORE)),
    ]
