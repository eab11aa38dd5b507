from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contest', '0007_intake_reading'),
    ]

    operations = [
        migrations.AlterField(
            model_name='submission',
            name='reader',
            field=models.CharField(
                choices=[
                    ('rle', 'LURD with run-length'),
                    ('lenient', 'pasted lines of moves'),
                    ('legacy', 'what older programs send'),
                    ('pasted', 'anything pasted'),
                    ('sealed', 'sealed answer, opened'),
                ],
                max_length=8,
            ),
        ),
    ]
