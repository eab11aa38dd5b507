"""Votes count the networks they come from, names of erased players rest, and unclaimed names have quotas by network."""

import re

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from contest.rules.confusables import look

_COPTIC = re.compile("[\u2c80-\u2cff]")


def hide_means(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Hide the means of collected levels: the networks of earlier votes are unknown."""
    apps.get_model("contest", "CollectedLevel").objects.update(beautiful=None, hard=None, new=None)


def update_looks(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Store the present look of names with Coptic letters."""
    players = apps.get_model("contest", "Player").objects
    for pk, nickname in players.exclude(look_key="").values_list("pk", "nickname").iterator():
        if _COPTIC.search(nickname):
            players.filter(pk=pk).update(look_key=look(nickname)[:512])


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0013_hors_concours'),
    ]

    operations = [
        migrations.CreateModel(
            name='RestingName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name_digest', models.CharField(max_length=64, unique=True)),
                ('look_digest', models.CharField(db_index=True, max_length=64)),
                ('erased_at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'resting nickname',
                'verbose_name_plural': 'resting nicknames',
            },
        ),
        migrations.AddField(
            model_name='submission',
            name='open_network',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=32),
        ),
        migrations.AddField(
            model_name='vote',
            name='network',
            field=models.CharField(blank=True, default='', editable=False, max_length=32),
        ),
        migrations.AddField(
            model_name='vote',
            name='network_number',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.RunPython(hide_means, migrations.RunPython.noop),
        migrations.RunPython(update_looks, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(condition=models.Q(('open_network', ''), _negated=True), fields=['received_at'], name='submission_with_network'),
        ),
    ]
