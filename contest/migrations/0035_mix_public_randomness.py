from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0034_archive_format_2'),
    ]

    operations = [
        migrations.AddField(
            model_name='luckynumber',
            name='beacon_round',
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='luckynumber',
            name='beacon_value',
            field=models.CharField(blank=True, max_length=64),
        ),
    ]
