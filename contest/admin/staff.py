"""Who is on the staff, and with which role. Addresses and second factors are nobody's to edit but their owner's."""

from typing import Any

from allauth.account import admin as account_admin
from allauth.mfa import admin as mfa_admin
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest

from contest.organising.filters import ListedFilters

# Whoever edited these would own an account without its owner's proof, and nothing would be in the record.
for model, listed in list(admin.site._registry.items()):
    if type(listed).__module__ in (account_admin.__name__, mfa_admin.__name__):
        admin.site.unregister(model)
admin.site.unregister([Group, User])


@admin.register(Group)
class RoleAdmin(ListedFilters, GroupAdmin):
    """The roles (docs/organising.md)."""


@admin.register(User)
class StaffAdmin(ListedFilters, UserAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """Accounts. The address of a player's is shown to nobody but its owner (rule 4.7)."""

    list_display = ["username", "is_staff", "is_active", "date_joined"]
    list_filter = ["is_staff", "is_superuser", "is_active"]
    search_fields = ["username"]

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        sets = super().get_fieldsets(request, obj)
        if obj is None or obj.is_staff:
            return sets
        return [
            (title, {**words, "fields": [name for name in words["fields"] if name != "email"]}) for title, words in sets
        ]
