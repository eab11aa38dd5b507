"""Version 0.5.0."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("contest", "0058_visitors"), ("contest", "0059_sealed_answers")]
    dependencies = [("contest", "0003_v0_4_0")]
    operations = [
        # visitors
        migrations.CreateModel(
            name="VisitorCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("country", models.CharField(max_length=2)),
                ("visitors", models.PositiveIntegerField()),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("day", "country"), name="visitors_counted_once")]},
        ),
        # sealed answers
        migrations.CreateModel(
            name="SealedAnswer",
            fields=[
                ("number", models.BigAutoField(primary_key=True, serialize=False, verbose_name="number")),
                ("moves", models.PositiveIntegerField()),
                ("pushes", models.PositiveIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                (
                    "door",
                    models.CharField(
                        choices=[
                            ("web", "web form"),
                            ("api", "API"),
                            ("legacy", "older programs"),
                            ("import", "import"),
                        ],
                        max_length=8,
                    ),
                ),
                ("is_hors_concours", models.BooleanField(default=False)),
                ("received_at", models.DateTimeField()),
                ("opened_at", models.DateTimeField(null=True)),
            ],
            options={"verbose_name": "sealed answer", "verbose_name_plural": "sealed answers", "ordering": ["-number"]},
        ),
        migrations.RemoveConstraint(model_name="chainlink", name="chain_link_binds_one_thing"),
        migrations.AlterField(
            model_name="submission",
            name="reader",
            field=models.CharField(
                choices=[
                    ("rle", "LURD with run-length"),
                    ("lenient", "anything pasted"),
                    ("legacy", "what older programs send"),
                    ("sealed", "sealed answer, opened"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="sealedanswer",
            name="level",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="sealed_answers", to="contest.level"
            ),
        ),
        migrations.AddField(
            model_name="sealedanswer",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="sealed_answers", to="contest.player"
            ),
        ),
        migrations.AddField(
            model_name="sealedanswer",
            name="sent_as",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="contest.player"
            ),
        ),
        migrations.AddField(
            model_name="sealedanswer",
            name="submission",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sealed_answer",
                to="contest.submission",
            ),
        ),
        migrations.AddField(
            model_name="chainlink",
            name="sealed_answer",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="chain_link",
                to="contest.sealedanswer",
            ),
        ),
        migrations.AddConstraint(
            model_name="chainlink",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("nonce", ""),
                        ("round__isnull", False),
                        ("sealed_answer", None),
                        ("submission", None),
                        models.Q(("document", ""), _negated=True),
                    ),
                    models.Q(("document", ""), ("round", None), ("sealed_answer", None), ("submission__isnull", False)),
                    models.Q(
                        ("document", ""),
                        ("nonce", ""),
                        ("round", None),
                        ("sealed_answer__isnull", False),
                        ("submission", None),
                    ),
                    _connector="OR",
                ),
                name="chain_link_binds_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="sealedanswer",
            constraint=models.UniqueConstraint(fields=("level", "sha256"), name="sealed_answer_once"),
        ),
        migrations.AddConstraint(
            model_name="sealedanswer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("opened_at", None), ("submission", None)),
                    models.Q(("opened_at__isnull", False), ("submission__isnull", False)),
                    _connector="OR",
                ),
                name="sealed_answer_opened_with_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="sealedanswer",
            constraint=models.CheckConstraint(
                condition=models.Q(("moves__gte", models.F("pushes")), ("pushes__gte", 1)),
                name="sealed_answer_counts_possible",
            ),
        ),
    ]
