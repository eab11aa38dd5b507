"""Let the database refuse what the rulebook forbids, now that every row keeps to it."""

import django.db.models.deletion
from django.db import migrations, models

# Rule 2.6, where the database can say it: no two announced rounds are open at the same moment.
EXCLUDE = """
ALTER TABLE contest_round ADD CONSTRAINT round_one_open_at_a_time
EXCLUDE USING gist (tstzrange(opens_at, closes_at) WITH &&) WHERE (announced_at IS NOT NULL AND cancelled_at IS NULL)
"""


def exclude_overlaps(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(EXCLUDE)


def allow_overlaps(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE contest_round DROP CONSTRAINT round_one_open_at_a_time")


class Migration(migrations.Migration):
    dependencies = [("contest", "0003_fill_in_the_rulebook")]
    operations = [
        migrations.AlterField(
            model_name="submission",
            name="sent_as",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="contest.player"),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("announced_at", None), models.Q(("commitment", ""), _negated=True), _connector="OR"
                ),
                name="round_announced_with_commitment",
            ),
        ),
        migrations.RunPython(exclude_overlaps, allow_overlaps),
    ]
