"""Add drafts of guided imports, and the undo of an import; reports that are kept lose the names of players."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def forget_names(apps, _schema_editor):
    for job in apps.get_model("contest", "RoundImport").objects.filter(state="done"):
        names = ("new_players", "known_players")
        job.rounds = [{**row, **{name: len(row[name]) for name in names}} for row in job.rounds]
        job.save(update_fields=["rounds"])


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0024_site_identity'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ImportDraft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('data', models.BinaryField(default=b'')),
                ('choices', models.JSONField(default=dict)),
                ('changed_at', models.DateTimeField()),
                ('owner', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='import_draft', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RemoveIndex(model_name='roundimport', name='round_import_queue'),
        migrations.AlterField(
            model_name='roundimport',
            name='state',
            field=models.CharField(choices=[('checking', 'Checking'), ('checked', 'Checked'), ('storing', 'Storing'), ('rating', 'Rating'), ('done', 'Done'), ('failed', 'Failed'), ('undoing', 'Undoing'), ('undone', 'Undone')], default='checking', max_length=8),
        ),
        migrations.AddIndex(
            model_name='roundimport',
            index=models.Index(condition=models.Q(('state__in', ['checking', 'storing', 'rating', 'undoing'])), fields=['id'], name='round_import_queue'),
        ),
        migrations.RunPython(forget_names, migrations.RunPython.noop),
    ]
