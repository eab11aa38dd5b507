"""Store the imports of old rounds that workers check and carry out."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0020_prize_awarded_at'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='RoundImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('claim_token', models.UUIDField(null=True)),
                ('lease_until', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('data', models.BinaryField(default=b'')),
                ('language', models.CharField(max_length=10)),
                ('state', models.CharField(choices=[('checking', 'Checking'), ('checked', 'Checked'), ('storing', 'Storing'), ('rating', 'Rating'), ('done', 'Done'), ('failed', 'Failed')], default='checking', max_length=8)),
                ('rounds', models.JSONField(default=list)),
                ('faults', models.JSONField(default=list)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('asked_at', models.DateTimeField()),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['checking', 'storing', 'rating'])), fields=['id'], name='round_import_queue')],
            },
        ),
    ]
