"""Webhooks are told what the feed of events tells, from the newest event on, under its names."""

from django.db import migrations, models
from django.db.models import Max

NAMES = {"round_opened": ["opened"], "round_closed": ["revealed"], "results": ["final", "revised"], "new_best": ["best"]}


def rename(apps, schema_editor):
    last = apps.get_model("contest", "Event").objects.aggregate(last=Max("number"))["last"] or 0
    for hook in apps.get_model("contest", "Webhook").objects.all():
        hook.events = [kind for name in hook.events for kind in NAMES.get(name, [name])]
        hook.told = last
        hook.save(update_fields=["events", "told"])


class Migration(migrations.Migration):
    dependencies = [("contest", "0037_letters_in_threes")]

    operations = [
        migrations.AddField("webhook", "told", models.BigIntegerField(default=0)),
        migrations.RunPython(rename, migrations.RunPython.noop, elidable=True),
    ]
