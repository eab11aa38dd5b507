"""Store when a prize was given to its winner, who is told."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0019_second_looks'),
    ]

    operations = [
        migrations.AddField(
            model_name='prize',
            name='awarded_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
