"""Several contests side by side: every round and series belongs to a track; those there are belong to the main one."""

from typing import Any

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

import contest.models.round

def make_main(apps: Any, schema_editor: Any) -> None:
    tracks = apps.get_model("contest", "Track").objects.using(schema_editor.connection.alias)
    tracks.get_or_create(slug="main", defaults={"title_zh": "主赛", "title_en": "Main contest", "order": 0})


def _belongs(related_name: str) -> Any:
    return models.ForeignKey(
        default="main",
        on_delete=django.db.models.deletion.PROTECT,
        related_name=related_name,
        to="contest.track",
        verbose_name="track",
    )


class Migration(migrations.Migration):
    dependencies = [("contest", "0038_webhooks_follow_events")]

    operations = [
        migrations.CreateModel(
            name="Track",
            fields=[
                (
                    "slug",
                    models.CharField(
                        max_length=30,
                        primary_key=True,
                        serialize=False,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z][a-z0-9]*(-[a-z0-9]+)*\\Z", "Small letters, digits, and single hyphens between."
                            )
                        ],
                        verbose_name="name in addresses",
                    ),
                ),
                (
                    "title_zh",
                    models.CharField(
                        max_length=100, validators=[contest.models.round.check_plain], verbose_name="title in Chinese"
                    ),
                ),
                (
                    "title_en",
                    models.CharField(
                        max_length=100, validators=[contest.models.round.check_plain], verbose_name="title in English"
                    ),
                ),
                (
                    "order",
                    models.PositiveSmallIntegerField(
                        default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name="order"
                    ),
                ),
                ("is_rated", models.BooleanField(default=True, verbose_name="counts for ratings")),
            ],
            options={"verbose_name": "track", "verbose_name_plural": "tracks", "ordering": ["order", "slug"]},
        ),
        migrations.RunPython(make_main, migrations.RunPython.noop),
        migrations.AddField("round", "track", _belongs("rounds")),
        migrations.AddField("series", "track", _belongs("series")),
    ]
