"""Who tries a round before it opens."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("contest", "0048_means_of_votes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Tester",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("named_at", models.DateTimeField()),
                ("agreed_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("seen", models.JSONField(default=list)),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("names", models.ManyToManyField(related_name="tests", to="contest.player")),
                (
                    "round",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="testers",
                        to="contest.round",
                    ),
                ),
            ],
            options={
                "ordering": ["named_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="TestEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slot",
                    models.CharField(
                        choices=[("main", "Main"), ("extra", "Extra"), ("extra2", "Extra 2"), ("extra3", "Extra 3")],
                        max_length=8,
                    ),
                ),
                ("sha256", models.CharField(max_length=64)),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("accepted", "accepted"),
                            ("spectator", "spectator answer"),
                            ("not_solved", "not solved"),
                            ("illegal", "illegal move"),
                            ("malformed", "unreadable"),
                            ("empty", "empty"),
                            ("too_long", "too long"),
                        ],
                        max_length=12,
                        verbose_name="verdict",
                    ),
                ),
                ("moves", models.PositiveIntegerField(null=True)),
                ("pushes", models.PositiveIntegerField(null=True)),
                ("sent_at", models.DateTimeField()),
                (
                    "tester",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="contest.tester"
                    ),
                ),
            ],
            options={
                "ordering": ["-sent_at", "-pk"],
            },
        ),
        migrations.AddConstraint(
            model_name="tester",
            constraint=models.UniqueConstraint(fields=("round", "account"), name="tester_once_a_round"),
        ),
    ]
