"""Sokoban programs: a list for people with filters, and the same as JSON and CSV."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contest.archive import format as archived
from contest.models import Purpose, System
from contest.outreach import programs


@require_safe
def all_programs(request: HttpRequest) -> HttpResponse:
    """List the programs for the chosen purpose and system."""
    purpose, system = (
        request.GET.get(name, "") if request.GET.get(name, "") in choices.values else ""
        for name, choices in (("purpose", Purpose), ("system", System))
    )
    context = {
        "listed": programs.find(purpose, system),
        "purpose": purpose,
        "system": system,
        "purposes": Purpose.choices,
        "systems": System.choices,
    }
    return render(request, "contest/lab/programs.html", context)


@require_safe
def as_json(_request: HttpRequest) -> HttpResponse:
    found = {"programs": [programs.as_document(program) for program in programs.find()]}
    return JsonResponse(found, json_dumps_params={"ensure_ascii": False, "indent": 1})


@require_safe
def as_csv(_request: HttpRequest) -> HttpResponse:
    table = archived.as_csv(programs.FIELDS, programs.as_rows(programs.find()))
    return HttpResponse(table, content_type="text/csv; charset=utf-8")
