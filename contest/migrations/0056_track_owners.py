"""Who organises some tracks only."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("contest", "0055_told_names"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
    ]
