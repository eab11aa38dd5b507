"""An index of the accepted submissions of all rounds, newest first: the feed of them read the whole table."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0041_offer_dumps'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(condition=models.Q(('verdict', 'accepted')), fields=['-received_at', '-number'], name='submission_newest'),
        ),
    ]
