"""The organisers' group of a site that is older than posts may write them, as that of a new site (docs/organising.md)."""

from typing import Any

from django.db import migrations

_MAY = (("add_post", "Can add post"), ("change_post", "Can change post"), ("view_post", "Can view post"))


def allow(apps: Any, schema_editor: Any) -> None:
    """Give them what is missing. A new site has no group yet: `contest.roles` makes it after migrating."""
    database = schema_editor.connection.alias
    group = apps.get_model("auth", "Group").objects.using(database).filter(name="organiser").first()
    if group is None:
        return
    # Django makes permissions after all migrations: too late where one run brings posts and this.
    kinds = apps.get_model("contenttypes", "ContentType").objects.using(database)
    kind, _is_new = kinds.get_or_create(app_label="contest", model="post")
    permissions = apps.get_model("auth", "Permission").objects.using(database)
    for codename, name in _MAY:
        permission, _is_new = permissions.get_or_create(content_type=kind, codename=codename, defaults={"name": name})
        group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("contest", "0019_letters_to_subscribers"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(allow, migrations.RunPython.noop)]
