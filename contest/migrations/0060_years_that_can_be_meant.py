"""Times that organisers write have years that somebody can have meant; nothing changes in the database."""

import contest.models.round
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0059_sealed_answers'),
    ]

    operations = [
        migrations.AlterField(
            model_name='banner',
            name='shown_from',
            field=models.DateTimeField(validators=[contest.models.round.check_year], verbose_name='shown from'),
        ),
        migrations.AlterField(
            model_name='banner',
            name='shown_until',
            field=models.DateTimeField(blank=True, null=True, validators=[contest.models.round.check_year], verbose_name='shown until'),
        ),
        migrations.AlterField(
            model_name='post',
            name='published_at',
            field=models.DateTimeField(blank=True, null=True, validators=[contest.models.round.check_year], verbose_name='shown from (Beijing time)'),
        ),
        migrations.AlterField(
            model_name='season',
            name='begins_at',
            field=models.DateTimeField(validators=[contest.models.round.check_year], verbose_name='begins at'),
        ),
        migrations.AlterField(
            model_name='season',
            name='ends_at',
            field=models.DateTimeField(validators=[contest.models.round.check_year], verbose_name='ends at'),
        ),
    ]
