"""Runs through the levels that come with the site."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0015_coach'),
    ]

    operations = [
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('receipt_id', models.CharField(editable=False, max_length=32, unique=True)),
                ('nonce', models.CharField(editable=False, max_length=32, unique=True)),
                ('mode', models.CharField(choices=[('three-minutes', 'Three minutes'), ('no-mistake', 'No mistake'), ('twenty-levels', 'Twenty levels')], max_length=16)),
                ('started_at', models.DateTimeField()),
                ('received_at', models.DateTimeField()),
                ('day', models.DateField()),
                ('solved', models.PositiveSmallIntegerField()),
                ('milliseconds', models.PositiveIntegerField()),
                ('moves', models.PositiveIntegerField()),
                ('pushes', models.PositiveIntegerField()),
                ('solutions', models.TextField()),
                ('sha256', models.CharField(max_length=64)),
                ('is_ranked', models.BooleanField()),
                ('is_best', models.BooleanField(default=False)),
                ('is_best_of_day', models.BooleanField(default=False)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='contest.player')),
                ('sent_as', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='contest.player')),
            ],
            options={
                'ordering': ['-received_at', '-pk'],
                'indexes': [models.Index(condition=models.Q(('is_best', True)), fields=['mode', '-solved', 'milliseconds', 'moves', 'received_at', 'id'], name='run_board'), models.Index(condition=models.Q(('is_best_of_day', True)), fields=['mode', 'day', '-solved', 'milliseconds', 'moves', 'received_at', 'id'], name='run_board_of_day')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_best', True)), fields=('mode', 'player'), name='run_best'), models.UniqueConstraint(condition=models.Q(('is_best_of_day', True)), fields=('mode', 'day', 'player'), name='run_best_of_day'), models.CheckConstraint(condition=models.Q(('is_ranked', True), models.Q(('is_best', False), ('is_best_of_day', False)), _connector='OR'), name='run_best_is_ranked')],
            },
        ),
    ]
