"""Sokoban programs on the desk: add, edit, delete."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from contest.desk.access import StaffRequest, staff
from contest.models import Program
from contest.organising.acts import add_errors
from contest.organising.object_forms import ProgramForm
from contest.outreach import programs


@staff("change_post")
@require_http_methods(["GET", "POST"])
def all_programs(request: StaffRequest, pk: int | None = None) -> HttpResponse:
    """List the programs, with a form to add one or to edit the selected one."""
    program = get_object_or_404(Program, pk=pk) if pk else None
    if program and request.POST.get("do") == "delete":
        programs.delete(program, by=request.user)
        messages.success(request, _("Deleted."))
        return redirect("desk-programs")
    form = ProgramForm(request.POST or None, instance=program)
    if form.is_bound and form.is_valid():
        try:
            programs.save(form.instance, by=request.user)
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("desk-programs")
    name = Program.objects.get(pk=pk).name if pk else ""  # the form has changed the instance
    context: dict[str, Any] = {"form": form, "one": name, "listed": () if pk else Program.objects.only("name")}
    return render(request, "contest/desk/writing/programs.html", context, status=422 if form.errors else 200)
