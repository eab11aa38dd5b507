"""The API for people: the guide to read, and Swagger UI to try it, from our own files alone."""

from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contest.rendering import markdown
from contest.web.pages.reading import DOCS, address_of


@cache
def _guide() -> markdown.Page:
    return markdown.page((DOCS / "api.md").read_text(), address_of)


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    """The guide, docs/api.md: in English, as the names in the API are."""
    return render(request, "contest/reading/reading.html", {"name": "api", "page": _guide()})


@require_safe
def api_try(request: HttpRequest) -> HttpResponse:
    return render(request, "contest/reading/api_try.html")
