"""Version 0.4.0."""

from django.conf import settings
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
    replaces = [("contest", "0056_track_owners"), ("contest", "0057_number_in_track")]
    dependencies = [("contest", "0002_v0_3_0"), ("auth", "__first__")]
    operations = [
        # track owners
        migrations.AlterModelOptions(
            "Track",
            {
                "ordering": ["order", "slug"],
                "permissions": [("own_track", "Can organise the tracks they own")],
                "verbose_name": "track",
                "verbose_name_plural": "tracks",
            },
        ),
        migrations.AddField(
            "Track",
            "owners",
            models.ManyToManyField(
                blank=True,
                editable=False,
                related_name="owned_tracks",
                to=settings.AUTH_USER_MODEL,
                verbose_name="organisers",
            ),
        ),
        # number in track
        migrations.AddField("Round", "number_in_track", models.PositiveIntegerField(editable=False, null=True)),
        migrations.AddConstraint(
            "Round", models.UniqueConstraint(fields=["track", "number_in_track"], name="round_number_in_track")
        ),
        migrations.RunPython(number_rounds, migrations.RunPython.noop),
    ]
