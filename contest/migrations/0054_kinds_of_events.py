"""What is postponed, void or judged otherwise is told as such. Nothing changes in the database."""

from django.db import migrations, models

KINDS = (
    "announced", "opened", "closed", "revealed", "final", "revised", "cancelled",
    "postponed", "void", "rejudged", "note", "accepted", "best", "post",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("contest", "0053_prizes")]

    operations = [
        migrations.AlterField(
            "event", "kind", models.CharField(max_length=9, choices=[(kind, kind.capitalize()) for kind in KINDS])
        ),
    ]
