"""Sokoban programs: users who may write posts edit the list."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from contest.models import Program
from contest.organising.filters import ListedFilters
from contest.organising.object_forms import ProgramForm
from contest.outreach import programs


@admin.register(Program)
class ProgramAdmin(ListedFilters, admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """The same form as on the desk; changes are in the audit log."""

    form = ProgramForm
    list_display = ["name", "name_zh", "author", "first_year", "last_year", "state"]
    search_fields = ["name", "name_zh", "author"]
    actions = None

    def save_model(self, request: HttpRequest, obj: Program, _form: Any, _change: Any) -> None:
        programs.save(obj, by=request.user)

    def delete_model(self, request: HttpRequest, obj: Program) -> None:
        programs.delete(obj, by=request.user)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Program | None = None) -> bool:
        return request.user.has_perm("contest.change_post")

    has_add_permission = has_change_permission = has_delete_permission = has_view_permission
