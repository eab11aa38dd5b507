"""The roles of the site's staff, each with no more than it needs (docs/organising.md)."""

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db.models import Q

ROLES: dict[str, tuple[str, ...]] = {
    "author": ("add_librarylevel",),
    "organiser": (
        "add_round", "change_round", "delete_round", "view_round",
        "add_level", "change_level", "delete_level", "view_level",
        "add_librarylevel", "change_librarylevel", "view_librarylevel",
        "add_series", "change_series", "view_series",
        "change_submission", "view_submission",
        "change_player", "view_player",
        "change_question", "view_question",
        "change_namereport", "view_namereport",
        "add_post", "change_post", "view_post",
        "add_banner", "change_banner", "delete_banner", "view_banner",
        "add_season", "change_season", "view_season",
        "view_auditentry", "view_heartbeat",
    ),
    "operator": ("view_auditentry", "view_heartbeat"),
}  # fmt: skip


def make_groups(**_signal: Any) -> None:
    """Make the groups that are missing. One that stands is left as it is: whoever runs the site may have changed it."""
    for name, codenames in ROLES.items():
        group, is_new = Group.objects.get_or_create(name=name)
        if is_new:
            ours = Permission.objects.filter(Q(content_type__app_label="contest"), codename__in=codenames)
            group.permissions.set(ours)
