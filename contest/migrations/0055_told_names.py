"""The names that testers told and that nothing proves."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("contest", "0054_kinds_of_events")]

    operations = [
        migrations.AddField("Tester", "told", models.ManyToManyField(related_name="+", to="contest.player")),
    ]
