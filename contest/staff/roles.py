"""The roles of the staff, each with the fewest permissions it needs (docs/how-to/organising.md)."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.db.models import Model, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

ROLES: dict[str, tuple[str, ...]] = {
    "author": ("add_librarylevel",),
    "organiser": (
        "add_round", "change_round", "delete_round", "view_round",
        "add_level", "change_level", "delete_level", "view_level",
        "add_librarylevel", "change_librarylevel", "view_librarylevel",
        "add_series", "change_series", "view_series",
        "add_track", "change_track", "view_track",
        "change_submission", "view_submission",
        "change_player", "view_player",
        "change_question", "view_question",
        "change_namereport", "view_namereport",
        "add_post", "change_post", "view_post",
        "add_banner", "change_banner", "delete_banner", "view_banner",
        "add_season", "change_season", "view_season",
        "view_auditentry", "view_heartbeat",
    ),
    # Only over their own tracks: `track_owners`.
    "track-organiser": ("own_track", "add_librarylevel"),
    "judge": (
        "view_round", "view_level", "add_disqualification", "change_disqualification",
        "change_submission", "view_submission",
        "view_player", "view_question", "view_namereport",
        "view_auditentry", "view_heartbeat",
    ),
    "observer": (
        "view_round", "view_level", "view_series", "view_track", "view_submission",
        "view_player", "view_question", "view_namereport", "view_post",
        "view_auditentry", "view_heartbeat",
    ),
    "operator": ("view_auditentry", "view_heartbeat"),
}  # fmt: skip
# Name and description of each role, for the user who gives it.
ROLE_TEXTS: Mapping[str, tuple[Promise, Promise]] = {
    "author": (pgettext_lazy("role", "author"), _("adds levels to the library, and sees only their own")),
    "organiser": (
        pgettext_lazy("role", "organiser"),
        _("everything about rounds, levels, series, players, questions and the banner"),
    ),
    "track-organiser": (
        pgettext_lazy("role", "organiser of tracks"),
        _("rounds, drafts and series of the tracks you tick below, and their own levels"),
    ),
    "judge": (
        pgettext_lazy("role", "judge"),
        _("makes rulings on submissions, players and levels, but publishes nothing"),
    ),
    "observer": (pgettext_lazy("role", "observer"), _("reads the desk and changes nothing")),
    "operator": (pgettext_lazy("role", "operator"), _("sees the health of the site and the audit log")),
}

_CACHE_ATTRIBUTE = "_held_permissions"


def make_groups(**_signal: Any) -> None:
    """Create missing groups. Existing ones stay unchanged: the operator may have edited them."""
    for name, codenames in ROLES.items():
        group, is_new = Group.objects.get_or_create(name=name)
        if is_new:
            permissions = Permission.objects.filter(Q(content_type__app_label="contest"), codename__in=codenames)
            group.permissions.set(permissions)


class Backend(ModelBackend):
    """Django's backend, but one query instead of two for a user's own permissions and those of their groups."""

    def get_all_permissions(self, user_obj: User | AnonymousUser, obj: Model | None = None) -> set[str]:
        if obj is not None or not user_obj.is_active or user_obj.is_superuser:
            return super().get_all_permissions(user_obj, obj)
        cached: set[str] | None = getattr(user_obj, _CACHE_ATTRIBUTE, None)
        if cached is None:
            by_groups = Permission.objects.filter(group__user=user_obj.pk).values("pk")
            own = Permission.objects.filter(user=user_obj.pk).values("pk")
            held = Permission.objects.filter(Q(pk__in=own) | Q(pk__in=by_groups)).order_by()
            cached = {f"{app}.{name}" for app, name in held.values_list("content_type__app_label", "codename")}
            setattr(user_obj, _CACHE_ATTRIBUTE, cached)
        return cached
