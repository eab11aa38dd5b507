from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("contest", "0007_intake_reading")]

    operations = [
        migrations.AddField(
            model_name="intake", name="alphabet", field=models.CharField(blank=True, max_length=10)
        ),
    ]
