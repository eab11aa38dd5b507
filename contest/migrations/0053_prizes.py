"""Prizes, who gives them, and to whom they went (rule 14.8)."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

import contest.models.round


def _words(name: str, length: int, **more: bool) -> models.CharField:
    return models.CharField(name, max_length=length, validators=[contest.models.round.check_plain], **more)


class Migration(migrations.Migration):
    dependencies = [("contest", "0052_series_of_posts")]

    operations = [
        migrations.CreateModel(
            "Sponsor",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", _words("name", 120, unique=True)),
                (
                    "url",
                    models.CharField(
                        "web page",
                        blank=True,
                        max_length=200,
                        validators=[django.core.validators.URLValidator(schemes=["https", "http"])],
                    ),
                ),
            ],
            {"ordering": ["name"], "verbose_name": "sponsor", "verbose_name_plural": "sponsors"},
        ),
        migrations.CreateModel(
            "Prize",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("what_zh", _words("prize in Chinese", 200)),
                ("what_en", _words("prize in English", 200)),
                ("handed_at", models.DateTimeField(editable=False, null=True)),
                ("contact", models.TextField(blank=True, editable=False)),
                ("contact_at", models.DateTimeField(editable=False, null=True)),
                (
                    "player",
                    models.ForeignKey(
                        "contest.player",
                        django.db.models.deletion.SET_NULL,
                        editable=False,
                        null=True,
                        related_name="prizes",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        "contest.round",
                        django.db.models.deletion.CASCADE,
                        related_name="prizes",
                        verbose_name="round",
                    ),
                ),
                (
                    "sponsor",
                    models.ForeignKey(
                        "contest.sponsor",
                        django.db.models.deletion.SET_NULL,
                        blank=True,
                        null=True,
                        related_name="prizes",
                        verbose_name="sponsor",
                    ),
                ),
            ],
            {"ordering": ["round", "pk"], "verbose_name": "prize", "verbose_name_plural": "prizes"},
        ),
    ]
