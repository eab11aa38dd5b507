"""Public bulk data of each night, in pieces."""

import django.db.models.deletion
from django.db import migrations, models

ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))


class Migration(migrations.Migration):
    dependencies = [("contest", "0040_one_open_round_a_track")]

    operations = [
        migrations.CreateModel(
            name="Dump",
            fields=[
                ID,
                ("night", models.DateField(unique=True)),
                ("begun_at", models.DateTimeField()),
                ("made_at", models.DateTimeField(null=True)),
                ("facts", models.JSONField()),
            ],
            options={"ordering": ["-night"]},
        ),
        migrations.CreateModel(
            name="DumpFile",
            fields=[
                ID,
                ("name", models.CharField(max_length=40)),
                ("lines", models.PositiveBigIntegerField(default=0)),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("sha256", models.CharField(default="", max_length=64)),
                (
                    "dump",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="files", to="contest.dump"
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="DumpPiece",
            fields=[
                ID,
                ("place", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pieces", to="contest.dumpfile"
                    ),
                ),
            ],
            options={"ordering": ["place"]},
        ),
        migrations.AddConstraint(
            "dumpfile", models.UniqueConstraint(fields=("dump", "name"), name="dump_file_once")
        ),
        migrations.AddConstraint(
            "dumppiece", models.UniqueConstraint(fields=("file", "place"), name="dump_piece_once")
        ),
    ]
