"""The names of states in lists, as a copy editor would have them; no row changes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0031_show_ratings_beside_names'),
    ]

    operations = [
        migrations.AlterField(
            model_name='intake',
            name='state',
            field=models.CharField(choices=[('reading', 'being read'), ('read', 'read'), ('keeping', 'going into the library'), ('stopped', 'stopped'), ('failed', 'unreadable')], default='reading', max_length=8),
        ),
        migrations.AlterField(
            model_name='intakelevel',
            name='standing',
            field=models.CharField(choices=[('ready', 'ready'), ('warned', 'with warnings'), ('unsolved', 'without a solution'), ('faulty', 'faulty'), ('unread', 'unreadable')], max_length=8),
        ),
        migrations.AlterField(
            model_name='librarylevel',
            name='state',
            field=models.CharField(choices=[('draft', 'needs work'), ('ready', 'ready'), ('used', 'used'), ('retired', 'archived')], default='draft', max_length=8, verbose_name='state'),
        ),
        migrations.AlterField(
            model_name='namereport',
            name='kind',
            field=models.CharField(choices=[('claim', 'says the name is theirs'), ('offensive', 'offensive name'), ('lookalike', 'looks like another name'), ('squatted', 'name reserved but never used')], max_length=12),
        ),
        migrations.AlterField(
            model_name='submission',
            name='state',
            field=models.CharField(choices=[('queued', 'waiting'), ('running', 'being judged'), ('judged', 'judged'), ('quarantined', 'waiting for an organiser')], default='queued', max_length=12),
        ),
        migrations.AlterField(
            model_name='submission',
            name='verdict',
            field=models.CharField(blank=True, choices=[('accepted', 'accepted'), ('spectator', 'spectator answer'), ('not_solved', 'not solved'), ('illegal', 'illegal move'), ('malformed', 'unreadable'), ('empty', 'empty'), ('too_long', 'too long')], max_length=12),
        ),
    ]
