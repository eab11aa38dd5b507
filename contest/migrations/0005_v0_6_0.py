"""Version 0.6.0."""

import contest.models.round
from django.db import migrations, models

_WANTED = "DROP INDEX player_letters; CREATE INDEX player_letters ON contest_player USING gin ((UPPER(name_key::text)) gin_trgm_ops)"


_BEFORE = (
    "DROP INDEX player_letters; CREATE INDEX player_letters ON contest_player USING gin ((name_key::text) gin_trgm_ops)"
)


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
    replaces = [("contest", "0060_years_that_can_be_meant"), ("contest", "0061_letters_of_names")]
    dependencies = [("contest", "0004_v0_5_0")]
    operations = [
        # years that can be meant
        migrations.AlterField(
            model_name="banner",
            name="shown_from",
            field=models.DateTimeField(validators=[contest.models.round.check_year], verbose_name="shown from"),
        ),
        migrations.AlterField(
            model_name="banner",
            name="shown_until",
            field=models.DateTimeField(
                blank=True, null=True, validators=[contest.models.round.check_year], verbose_name="shown until"
            ),
        ),
        migrations.AlterField(
            model_name="post",
            name="published_at",
            field=models.DateTimeField(
                blank=True,
                null=True,
                validators=[contest.models.round.check_year],
                verbose_name="shown from (Beijing time)",
            ),
        ),
        migrations.AlterField(
            model_name="season",
            name="begins_at",
            field=models.DateTimeField(validators=[contest.models.round.check_year], verbose_name="begins at"),
        ),
        migrations.AlterField(
            model_name="season",
            name="ends_at",
            field=models.DateTimeField(validators=[contest.models.round.check_year], verbose_name="ends at"),
        ),
        # letters of names
        migrations.RunPython(_replace_by(_WANTED), _replace_by(_BEFORE)),
    ]
