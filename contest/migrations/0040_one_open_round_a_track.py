"""The database refuses a second open round of a track, no longer of the site; organisers may make tracks."""

from typing import Any

from django.db import migrations

# Rule 2.6, where the database can say it: no two announced rounds of a track are open at the same moment. A range of
# one number stands for the track, since GiST compares no texts without an extension.
_EXCLUDE = """
ALTER TABLE contest_round ADD CONSTRAINT round_one_open_at_a_time
EXCLUDE USING gist ({track}tstzrange(opens_at, closes_at) WITH &&) WHERE (announced_at IS NOT NULL AND cancelled_at IS NULL)
"""
_TRACK = "int8range(hashtextextended(track_id, 0), hashtextextended(track_id, 0), '[]') WITH &&, "
_MAY = (("add_track", "Can add track"), ("change_track", "Can change track"), ("view_track", "Can view track"))



def exclude_of_a_track(_apps: Any, schema_editor: Any) -> None:
    _exclude(schema_editor, _TRACK)


def exclude_of_all(_apps: Any, schema_editor: Any) -> None:
    _exclude(schema_editor, "")


def _exclude(schema_editor: Any, track: str) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE contest_round DROP CONSTRAINT round_one_open_at_a_time")
        schema_editor.execute(_EXCLUDE.format(track=track))


def allow(apps: Any, schema_editor: Any) -> None:
    """Let the organisers of an older site make tracks, as those of a new one may (docs/organising.md)."""
    database = schema_editor.connection.alias
    group = apps.get_model("auth", "Group").objects.using(database).filter(name="organiser").first()
    if group is None:
        return
    # Django makes permissions after all migrations: too late for this.
    kinds = apps.get_model("contenttypes", "ContentType").objects.using(database)
    kind, _is_new = kinds.get_or_create(app_label="contest", model="track")
    permissions = apps.get_model("auth", "Permission").objects.using(database)
    for codename, name in _MAY:
        permission, _is_new = permissions.get_or_create(content_type=kind, codename=codename, defaults={"name": name})
        group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("contest", "0039_tracks"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.RunPython(exclude_of_a_track, exclude_of_all),
        migrations.RunPython(allow, migrations.RunPython.noop),
    ]
