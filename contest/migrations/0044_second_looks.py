"""What waits for a second organiser."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("contest", "0043_series_complete"),
    ]

    operations = [
        migrations.CreateModel(
            name="SecondLook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("act", models.CharField(max_length=40)),
                ("given", models.JSONField()),
                ("asked_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="second_looks", to="contest.round"
                    ),
                ),
            ],
            options={
                "ordering": ["asked_at", "pk"],
                "indexes": [
                    models.Index(condition=models.Q(("ended_at", None)), fields=["round"], name="second_look_waiting")
                ],
            },
        ),
    ]
