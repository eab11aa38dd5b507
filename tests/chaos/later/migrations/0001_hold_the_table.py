"""Add a column to the submissions and write to each, and hold the table for seconds more; and take it away again."""

import time
from typing import Any

from django.db import migrations

HELD_SECONDS = 2


def hold(_apps: Any, _schema_editor: Any) -> None:
    time.sleep(HELD_SECONDS)


class Migration(migrations.Migration):
    dependencies = [("contest", "0001_initial")]
    operations = [
        migrations.RunSQL(
            "ALTER TABLE contest_submission ADD COLUMN later integer",
            "ALTER TABLE contest_submission DROP COLUMN later",
        ),
        migrations.RunSQL("UPDATE contest_submission SET later = number", migrations.RunSQL.noop),
        migrations.RunPython(hold, hold),
    ]
