"""Pictures that posts show."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import contest.models.round


def _words(name: str) -> models.CharField:
    return models.CharField(name, max_length=300, validators=[contest.models.round.check_plain])


class Migration(migrations.Migration):
    dependencies = [("contest", "0050_desk_tokens"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            "Picture",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("content", models.BinaryField()),
                ("width", models.PositiveIntegerField()),
                ("height", models.PositiveIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                ("alt_zh", _words("what it shows, in Chinese")),
                ("alt_en", _words("what it shows, in English")),
                ("brought_at", models.DateTimeField()),
                (
                    "brought_by",
                    models.ForeignKey(
                        settings.AUTH_USER_MODEL, django.db.models.deletion.SET_NULL, null=True, related_name="+"
                    ),
                ),
            ],
            {"ordering": ["-pk"], "verbose_name": "picture", "verbose_name_plural": "pictures"},
        ),
        migrations.AddField(
            "post", "pictures", models.ManyToManyField("contest.picture", related_name="posts", editable=False)
        ),
    ]
