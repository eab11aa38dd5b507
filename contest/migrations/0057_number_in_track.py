"""The number of a round within its track (rule 2.1)."""

from django.db import migrations, models


def number_rounds(apps, schema_editor):
    """Rounds announced before are numbered in their order; those of the main track have their number for it."""
    Round = apps.get_model("contest", "Round")
    last = {}
    rounds = Round.objects.using(schema_editor.connection.alias).exclude(track="main").exclude(announced_at=None)
    for pk, track in rounds.order_by("number").values_list("pk", "track"):
        last[track] = last.get(track, 0) + 1
        rounds.filter(pk=pk).update(number_in_track=last[track])


class Migration(migrations.Migration):
    dependencies = [("contest", "0056_track_owners")]

    operations = [
        migrations.AddField("Round", "number_in_track", models.PositiveIntegerField(editable=False, null=True)),
        migrations.AddConstraint(
            "Round", models.UniqueConstraint(fields=["track", "number_in_track"], name="round_number_in_track")
        ),
        migrations.RunPython(number_rounds, migrations.RunPython.noop),
    ]
