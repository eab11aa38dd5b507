"""Votes and comments on levels, whom players follow, and up to when they have read what they are told."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0032_plainer_words'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='told_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.CreateModel(
            name='Comment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(blank=True, max_length=1000, verbose_name='comment')),
                ('spoiler', models.TextField(blank=True, max_length=1000, verbose_name='part that gives a solution away')),
                ('written_at', models.DateTimeField()),
                ('deleted_at', models.DateTimeField(null=True)),
                ('hidden_at', models.DateTimeField(null=True)),
                ('hidden_because', models.CharField(blank=True, max_length=500)),
                ('answers', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='answered_by', to='contest.comment')),
                ('collected', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='comments', to='contest.collectedlevel')),
                ('level', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='comments', to='contest.level')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='comments', to='contest.player')),
            ],
            options={
                'verbose_name': 'comment on a level',
                'verbose_name_plural': 'comments on levels',
                'ordering': ['-written_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='CommentReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(blank=True, max_length=500)),
                ('reported_at', models.DateTimeField()),
                ('decided_at', models.DateTimeField(null=True)),
                ('comment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='contest.comment')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'report about a comment',
                'verbose_name_plural': 'reports about comments',
                'ordering': ['reported_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Star',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starred_at', models.DateTimeField()),
                ('collected', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.collectedlevel')),
                ('followed', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.player')),
                ('level', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contest.level')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stars', to='contest.player')),
            ],
            options={
                'ordering': ['-starred_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Vote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('beautiful', models.PositiveSmallIntegerField(null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(5)])),
                ('hard', models.PositiveSmallIntegerField(null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(5)])),
                ('new', models.PositiveSmallIntegerField(null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(5)])),
                ('cast_at', models.DateTimeField()),
                ('collected', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='votes', to='contest.collectedlevel')),
                ('level', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='votes', to='contest.level')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='votes', to='contest.player')),
            ],
            options={
                'verbose_name': 'vote for a level',
                'verbose_name_plural': 'votes for levels',
            },
        ),
        migrations.AddIndex(
            model_name='comment',
            index=models.Index(fields=['-written_at', '-id'], name='comment_latest'),
        ),
        migrations.AddConstraint(
            model_name='comment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('collected__isnull', True), ('level__isnull', False)), models.Q(('collected__isnull', False), ('level__isnull', True)), _connector='OR'), name='comment_on_one'),
        ),
        migrations.AddIndex(
            model_name='commentreport',
            index=models.Index(condition=models.Q(('decided_at', None)), fields=['comment'], name='comment_report_waits'),
        ),
        migrations.AddConstraint(
            model_name='star',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('collected__isnull', True), ('followed__isnull', False), ('level__isnull', True)), models.Q(('collected__isnull', True), ('followed__isnull', True), ('level__isnull', False)), models.Q(('collected__isnull', False), ('followed__isnull', True), ('level__isnull', True)), _connector='OR'), name='star_on_one'),
        ),
        migrations.AddConstraint(
            model_name='star',
            constraint=models.UniqueConstraint(fields=('player', 'followed'), name='star_once_a_player'),
        ),
        migrations.AddConstraint(
            model_name='star',
            constraint=models.UniqueConstraint(fields=('player', 'level'), name='star_once_a_level'),
        ),
        migrations.AddConstraint(
            model_name='star',
            constraint=models.UniqueConstraint(fields=('player', 'collected'), name='star_once_a_collected_level'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('collected__isnull', True), ('level__isnull', False)), models.Q(('collected__isnull', False), ('level__isnull', True)), _connector='OR'), name='vote_on_one'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(('beautiful__range', (1, 5)), ('beautiful', None), _connector='OR'), name='vote_beautiful_within'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(('hard__range', (1, 5)), ('hard', None), _connector='OR'), name='vote_hard_within'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(('new__range', (1, 5)), ('new', None), _connector='OR'), name='vote_new_within'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.UniqueConstraint(fields=('level', 'player'), name='vote_once_a_level'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.UniqueConstraint(fields=('collected', 'player'), name='vote_once_a_collected_level'),
        ),
    ]
