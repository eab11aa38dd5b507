"""Staff accounts and their roles. Addresses and second factors may be edited only by their owner."""

from typing import Any, cast

from allauth.account import admin as account_admin
from allauth.mfa import admin as mfa_admin
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from contest.organising.filters import ListedFilters
from contest.staff import account_acts, members

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
    """Accounts. An email address is shown only to its owner (rule 4.7): a player's account may be made a member's.

    Every change is logged and reported to the owner, as on the desk.
    """

    list_display = ["username", "is_staff", "is_active", "date_joined"]
    list_filter = ["is_staff", "is_superuser", "is_active"]
    search_fields = ["username"]

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Protect an account as the desk does: who may change accounts is no superuser, and cannot become one."""
        return super().has_change_permission(request, obj) and _may_manage(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_manage(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Return also the day of joining: on it, the password alone sets up a first factor."""
        return ("date_joined",) if request.user.is_superuser else ("date_joined", "is_superuser", "user_permissions")

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        return [
            (title, {**options, "fields": [name for name in options["fields"] if name != "email"]})
            for title, options in super().get_fieldsets(request, obj)
        ]

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        vars(request)["account_before"] = _facts(obj)
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        before, after = vars(request)["account_before"], _facts(form.instance)
        if before != after:
            was, is_now = (
                {name: facts.get(name) for name in after if before.get(name) != after[name]}
                for facts in (before, after)
            )
            account_acts.log_and_notify(form.instance, "change account", _actor(request), before=was, after=is_now)

    @transaction.atomic
    def user_change_password(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Change a password as Django's page does; the change and its report are stored together."""
        return super().user_change_password(*args, **kwargs)

    def log_change(self, request: HttpRequest, obj: User, message: Any) -> Any:
        if request.resolver_match and request.resolver_match.url_name == "auth_user_password_change":
            account_acts.log_and_notify(obj, "change password", _actor(request))
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        for user in queryset:
            account_acts.log_and_notify(user, "delete account", _actor(request), before=_facts(user))
        return super().log_deletions(request, queryset)


def _facts(user: User) -> dict[str, Any]:
    """Return what is stored of an account and is reported when it changes; {} for a new one."""
    stored = User.objects.filter(pk=user.pk).first()
    if stored is None:
        return {}
    held = stored.user_permissions.values_list("content_type__app_label", "codename")
    return {
        "name": stored.username,
        "is_staff": stored.is_staff,
        "is_active": stored.is_active,
        "is_superuser": stored.is_superuser,
        "roles": sorted(stored.groups.values_list("name", flat=True)),
        "permissions": sorted(f"{app}.{codename}" for app, codename in held),
    }


def _actor(request: HttpRequest) -> User:
    return cast(User, request.user)


def _may_manage(request: HttpRequest, user: User | None) -> bool:
    manager = _actor(request)
    return user is None or manager.is_superuser or members.may_manage(manager, user)
