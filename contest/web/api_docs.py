"""The API for people to read and try: Swagger UI, from our own files alone."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    return render(request, "contest/api_docs.html")
