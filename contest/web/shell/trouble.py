"""Responses to our own failures, with Retry-After if a retry may help."""

import sys
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import server_error

from contest.front import answers
from contest.infra.database.passing_trouble import is_temporary


def render_sign_in_unavailable(request: HttpRequest) -> HttpResponse:
    """Refuse sign-in with 503 while attempts cannot be counted."""
    response = render(request, "account/resting.html", status=HTTPStatus.SERVICE_UNAVAILABLE)
    response.headers["Retry-After"] = str(answers.RETRY_SECONDS)
    return response


def our_fault(request: HttpRequest) -> HttpResponse:
    """Handle a server error: ask to retry if the database failed temporarily, else show Django's 500 page."""
    if not is_temporary(sys.exc_info()[1]):
        return server_error(request)
    return as_response(answers.refuse_overload(request.path, request.headers.get("Accept-Language", "")))


def as_response(refusal: answers.Answer) -> HttpResponse:
    """Return *refusal* as a response of Django."""
    headers = {name.decode(): value.decode() for name, value in refusal.headers if name != b"Connection"}
    with refusal.body as body:
        return HttpResponse(body.read(), status=refusal.status, headers=headers)
