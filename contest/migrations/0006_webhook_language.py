"""Webhooks store the language of the pages that they link to; older ones link to Chinese pages, as before."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("contest", "0005_v0_6_0")]
    operations = [
        migrations.AddField(
            model_name="webhook",
            name="language",
            field=models.CharField(default="zh-hans", max_length=10),
        ),
    ]
