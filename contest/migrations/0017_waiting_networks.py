"""Store a keyed hash of the network with films and reports that wait, and the cost of comparing a solver question."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0016_runs'),
    ]

    operations = [
        migrations.AddField(
            model_name='commentreport',
            name='network',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=32),
        ),
        migrations.AddField(
            model_name='film',
            name='network',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=32),
        ),
        migrations.AddField(
            model_name='namereport',
            name='network',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=32),
        ),
        migrations.AddField(
            model_name='search',
            name='compare_seconds',
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name='subscriber',
            name='network',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=32),
        ),
    ]
