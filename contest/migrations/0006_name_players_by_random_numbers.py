"""Rules 15.6, 24.1, 24.2: the numbers that archives use, and where the receipt chain waits."""

import secrets

from django.db import migrations, models

import contest.models.player


def number_the_players(apps, _schema_editor):
    for player in apps.get_model("contest", "Player").objects.filter(archive_number=None).only("pk"):
        player.archive_number = secrets.randbelow(2**53 - 1) + 1
        player.save(update_fields=["archive_number"])


class Migration(migrations.Migration):
    dependencies = [("contest", "0005_record_outages")]
    operations = [
        migrations.CreateModel(
            name="ChainGap",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.BigIntegerField()),
                ("horizon", models.BigIntegerField()),
            ],
        ),
        migrations.AddField(model_name="submission", name="original_number", field=models.BigIntegerField(null=True)),
        migrations.AddField(
            model_name="player", name="archive_number", field=models.BigIntegerField(editable=False, null=True)
        ),
        migrations.RunPython(number_the_players, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="player",
            name="archive_number",
            field=models.BigIntegerField(default=contest.models.player.new_archive_number, editable=False, unique=True),
        ),
    ]
