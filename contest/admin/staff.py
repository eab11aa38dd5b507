"""Staff accounts and their roles. Addresses and second factors may be edited only by their owner."""

from typing import Any, cast

from allauth.account import admin as account_admin
from allauth.mfa import admin as mfa_admin
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest

from contest.organising.filters import ListedFilters
from contest.staff import members

# Editing these would take over an account without its owner's proof and without an audit log entry.
for model, listed in list(admin.site._registry.items()):
    if type(listed).__module__ in (account_admin.__name__, mfa_admin.__name__):
        admin.site.unregister(model)
admin.site.unregister([Group, User])


@admin.register(Group)
class RoleAdmin(ListedFilters, GroupAdmin):
    """The roles (docs/how-to/organising.md). Their members could give themselves every permission by changing them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return super().has_change_permission(request, obj) and request.user.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return super().has_delete_permission(request, obj) and request.user.is_superuser


@admin.register(User)
class StaffAdmin(ListedFilters, UserAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """Accounts. An email address is shown only to its owner (rule 4.7): a player's account may be made a member's."""

    list_display = ["username", "is_staff", "is_active", "date_joined"]
    list_filter = ["is_staff", "is_superuser", "is_active"]
    search_fields = ["username"]

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Protect an account as the desk does: who may change accounts is no superuser, and cannot become one."""
        return super().has_change_permission(request, obj) and _may_manage(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_manage(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        return () if request.user.is_superuser else ("is_superuser", "user_permissions")

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        return [
            (title, {**options, "fields": [name for name in options["fields"] if name != "email"]})
            for title, options in super().get_fieldsets(request, obj)
        ]


def _may_manage(request: HttpRequest, user: User | None) -> bool:
    manager = cast(User, request.user)
    return user is None or manager.is_superuser or members.may_manage(manager, user)
