"""Searches of the coach store the stretches where a solution loses moves or pushes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0014_votes_and_names'),
    ]

    operations = [
        migrations.AddField(
            model_name='search',
            name='stretches',
            field=models.JSONField(default=dict),
        ),
        migrations.AlterField(
            model_name='search',
            name='kind',
            field=models.CharField(choices=[('vetting', 'vetting'), ('study', 'after the reveal'), ('asked', 'asked by somebody'), ('hint', 'hint'), ('coach', 'coach')], max_length=8),
        ),
    ]
