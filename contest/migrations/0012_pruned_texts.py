"""Rejected texts are pruned long after the results (rule 15.8): the size that a text had, and the time of the last run."""

from django.db import migrations, models

PARTS = [
    ("web", "web"),
    ("judge", "judge"),
    ("backup", "backup"),
    ("asked", "backup asked for"),
    ("reached", "reached"),
    ("pruning", "pruning"),
]


class Migration(migrations.Migration):
    dependencies = [("contest", "0011_archive_format_4")]

    operations = [
        migrations.AddField(
            "submission", "full_size", models.PositiveIntegerField(null=True, verbose_name="bytes before pruning")
        ),
        migrations.AlterField(
            "heartbeat", "part", models.CharField(choices=PARTS, max_length=8, primary_key=True, serialize=False)
        ),
    ]
