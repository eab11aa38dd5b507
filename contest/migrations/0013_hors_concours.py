"""Drafts and series get the setting of rule 4.15; rounds that were announced without it stay as they were announced."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def add_setting(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    drafts = apps.get_model("contest", "Round").objects.filter(announced_at=None, is_imported=False)
    for row in [*drafts, *apps.get_model("contest", "Series").objects.all()]:
        if isinstance(row.settings, dict):
            row.settings.setdefault("hors_concours", "authors")
            row.save(update_fields=["settings"])


class Migration(migrations.Migration):
    dependencies = [("contest", "0012_pruned_texts")]

    operations = [migrations.RunPython(add_setting, migrations.RunPython.noop)]
