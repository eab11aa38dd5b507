"""Rounds whose opening is not bound yet get archives of format 4: leaves bind whole entries, links bind closings."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def use_format_4(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    rounds = apps.get_model("contest", "Round").objects
    rounds.filter(archive_format=2, is_imported=False, opening_link=None).update(archive_format=4)


class Migration(migrations.Migration):
    dependencies = [("contest", "0010_witnessing")]

    operations = [
        migrations.AddField("luckynumber", "beacon_signature", models.CharField(blank=True, max_length=96)),
        migrations.RunPython(use_format_4, migrations.RunPython.noop),
        migrations.RemoveConstraint(
            model_name="chainlink",
            name="chain_link_binds_one_thing",
        ),
        migrations.AddField(
            model_name="chainlink",
            name="closes_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="chainlink",
            name="closing_of",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="closing_links", to="contest.round"
            ),
        ),
        migrations.AlterField(
            model_name="round",
            name="archive_format",
            field=models.PositiveSmallIntegerField(default=4, editable=False),
        ),
        migrations.AddConstraint(
            model_name="chainlink",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("closing_of", None),
                        ("nonce", ""),
                        ("round__isnull", False),
                        ("sealed_answer", None),
                        ("submission", None),
                        models.Q(("document", ""), _negated=True),
                    ),
                    models.Q(
                        ("closing_of", None),
                        ("round", None),
                        ("sealed_answer", None),
                        ("submission__isnull", False),
                        models.Q(("document", ""), models.Q(("nonce", ""), _negated=True), _connector="OR"),
                    ),
                    models.Q(
                        ("closing_of", None),
                        ("document", ""),
                        ("nonce", ""),
                        ("round", None),
                        ("sealed_answer__isnull", False),
                        ("submission", None),
                    ),
                    models.Q(
                        ("closes_at__isnull", False),
                        ("closing_of__isnull", False),
                        ("nonce", ""),
                        ("round", None),
                        ("sealed_answer", None),
                        ("submission", None),
                        models.Q(("document", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="chain_link_binds_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="chainlink",
            constraint=models.UniqueConstraint(fields=("closing_of", "closes_at"), name="chain_link_closing_once"),
        ),
    ]
