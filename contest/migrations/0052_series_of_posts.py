"""Series of posts, each with its place in one."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

import contest.models.round


def _words(name: str, length: int, *, blank: bool = False) -> models.CharField:
    return models.CharField(name, blank=blank, max_length=length, validators=[contest.models.round.check_plain])


class Migration(migrations.Migration):
    dependencies = [("contest", "0051_pictures_of_posts")]

    operations = [
        migrations.CreateModel(
            "PostSeries",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.CharField(
                        "address",
                        max_length=60,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                r"^[a-z0-9]+(-[a-z0-9]+)*\Z", "Small letters, digits, and single hyphens between."
                            )
                        ],
                    ),
                ),
                ("title_zh", _words("title in Chinese", 120)),
                ("title_en", _words("title in English", 120)),
                ("about_zh", _words("what it is about, in Chinese", 300, blank=True)),
                ("about_en", _words("what it is about, in English", 300, blank=True)),
            ],
            {"ordering": ["-pk"], "verbose_name": "series of posts", "verbose_name_plural": "series of posts"},
        ),
        migrations.AddField(
            "post",
            "series",
            models.ForeignKey(
                "contest.postseries",
                django.db.models.deletion.SET_NULL,
                null=True,
                blank=True,
                related_name="posts",
                verbose_name="part of the series",
            ),
        ),
        migrations.AddField(
            "post", "series_place", models.PositiveSmallIntegerField("which part", null=True, blank=True)
        ),
    ]
