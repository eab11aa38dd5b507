"""Leaves, openings and the tree (rule 24.2). What is bound stays bound as it is: old links keep their values.

A round that has opened keeps the first format; the first opening after this one begins the second.
"""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

COPY = """
INSERT INTO contest_chainentry (position, submission_id, round_id, nonce, leaf, link, document)
SELECT row_number() OVER (ORDER BY submission_id) - 1, submission_id, NULL, '', link, link, '' FROM contest_chainlink
"""


def keep_the_first_format(apps, schema_editor):
    rounds = apps.get_model("contest", "Round").objects
    rounds.filter(models.Q(opens_at__lte=Now()) | models.Q(is_imported=True)).update(archive_format=1)


def grow(apps, schema_editor):
    """Hash the whole subtrees of the links that are there, 256 at a time."""
    from contest.rules import merkle

    links, nodes = apps.get_model("contest", "ChainEntry").objects, apps.get_model("contest", "TreeNode").objects
    count, level = links.count(), 1
    while whole := count // merkle.WIDTH:
        for index in range(whole):
            span = (index * merkle.WIDTH, (index + 1) * merkle.WIDTH - 1)
            if level == 1:
                leaves = links.filter(position__range=span).order_by("position").values_list("leaf", flat=True)
                hashes = [merkle.leaf_hash(bytes.fromhex(leaf)) for leaf in leaves]
            else:
                below = nodes.filter(level=level - 1, index__range=span).order_by("index")
                hashes = [bytes.fromhex(sha256) for sha256 in below.values_list("sha256", flat=True)]
            nodes.create(level=level, index=index, sha256=merkle.root(hashes).hex())
        count, level = whole, level + 1


class Migration(migrations.Migration):
    dependencies = [("contest", "0033_community")]

    operations = [
        migrations.AddField("round", "archive_format", models.PositiveSmallIntegerField(default=2, editable=False)),
        migrations.RunPython(keep_the_first_format, migrations.RunPython.noop),
        migrations.CreateModel(
            name="ChainEntry",
            fields=[
                ("position", models.BigIntegerField(primary_key=True, serialize=False)),
                (
                    "submission",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="contest.submission",
                    ),
                ),
                (
                    "round",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="opening_link",
                        to="contest.round",
                    ),
                ),
                ("nonce", models.CharField(blank=True, max_length=32)),
                ("leaf", models.CharField(max_length=64)),
                ("link", models.CharField(max_length=64)),
                ("document", models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name="TreeNode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("level", models.PositiveSmallIntegerField()),
                ("index", models.BigIntegerField()),
                ("sha256", models.CharField(max_length=64)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("level", "index"), name="tree_node_once")],
            },
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("origin", models.CharField(max_length=255)),
                ("size", models.BigIntegerField()),
                ("root", models.CharField(max_length=64)),
                ("note", models.TextField()),
                ("made_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["origin", "size"], name="checkpoint_of_origin")],
            },
        ),
        migrations.RunSQL(COPY, migrations.RunSQL.noop),
        migrations.RunPython(grow, migrations.RunPython.noop),
        migrations.DeleteModel("ChainLink"),
        migrations.RenameModel("ChainEntry", "ChainLink"),
        migrations.AlterField(
            "chainlink",
            "submission",
            models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="chain_link",
                to="contest.submission",
            ),
        ),
        migrations.AddConstraint(
            "chainlink",
            models.CheckConstraint(
                condition=models.Q(
                    ("nonce", ""),
                    ("round__isnull", False),
                    ("submission", None),
                    models.Q(("document", ""), _negated=True),
                )
                | models.Q(("document", ""), ("round", None), ("submission__isnull", False)),
                name="chain_link_binds_one_thing",
            ),
        ),
    ]
