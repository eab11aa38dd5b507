"""Since when the site can be reached from elsewhere stands among its signs of life."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("contest", "0045_facts_of_a_backup")]

    operations = [
        migrations.AlterField(
            model_name="heartbeat",
            name="part",
            field=models.CharField(
                choices=[
                    ("web", "web"),
                    ("judge", "judge"),
                    ("backup", "backup"),
                    ("asked", "backup asked for"),
                    ("reached", "reached"),
                ],
                max_length=8,
                primary_key=True,
                serialize=False,
            ),
        ),
    ]
