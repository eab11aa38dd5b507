"""Give rows from before the whole rulebook what it asks for: commitments, settings, whose name was on what."""

import hashlib
import secrets

from django.conf import settings
from django.db import migrations
from django.db.models import F


def fill(apps, _schema_editor):
    Round, LuckyNumber = apps.get_model("contest", "Round"), apps.get_model("contest", "LuckyNumber")
    for round_ in Round.objects.all():
        number, salt = secrets.randbelow(1_000_000_000), secrets.token_hex(16)
        round_.commitment = hashlib.sha256(f"{round_.number}|{number}|{salt}".encode()).hexdigest()
        round_.settings = {**settings.DEFAULT_ROUND_SETTINGS, **round_.settings}
        round_.save()
        LuckyNumber.objects.create(round=round_, number=number, salt=salt)
    apps.get_model("contest", "Submission").objects.update(sent_as=F("player"))
    Best = apps.get_model("contest", "Best")
    Best.objects.filter(player__league="bot").update(league="bot")


class Migration(migrations.Migration):
    dependencies = [("contest", "0002_the_whole_rulebook")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
