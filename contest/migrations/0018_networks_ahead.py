"""Index what waits by network, so that a claim reads only the rows of the same network."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0017_waiting_networks'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='film',
            index=models.Index(condition=models.Q(('state__in', ['queued', 'running'])), fields=['network', 'id'], name='film_of_network'),
        ),
        migrations.AddIndex(
            model_name='search',
            index=models.Index(condition=models.Q(('network', ''), _negated=True), fields=['network', 'id'], name='search_of_network'),
        ),
    ]
