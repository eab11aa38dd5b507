"""How large the last backup is; and that another is asked for."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("contest", "0044_second_looks")]

    operations = [
        migrations.AddField("heartbeat", "facts", models.JSONField(default=dict)),
        migrations.AlterField(
            "heartbeat",
            "part",
            models.CharField(
                choices=[("web", "web"), ("judge", "judge"), ("backup", "backup"), ("asked", "backup asked for")],
                max_length=8,
                primary_key=True,
                serialize=False,
            ),
        ),
    ]
