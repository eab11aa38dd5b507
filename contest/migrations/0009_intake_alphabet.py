from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("contest", "0008_pasted_reader")]

    operations = [
        migrations.AddField(
            model_name="intake", name="alphabet", field=models.CharField(blank=True, max_length=10)
        ),
    ]
