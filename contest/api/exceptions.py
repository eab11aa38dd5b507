"""Refusals of the API as problem documents (RFC 9457): a stable code for programs, a message for people."""

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import (
    APIException,
    MethodNotAllowed,
    NotAuthenticated,
    ParseError,
    Throttled,
    UnsupportedMediaType,
    ValidationError,
)
from rest_framework.response import Response

from contest.api.serializers.problems import FieldError, Problem, ProblemSerializer
from contest.infra.database.passing_trouble import is_temporary
from contest.submissions import Refused
from contest.vetting import asking

log = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
_DATABASE_IS_BACK_SECONDS = 5


class BadEncoding(UnsupportedMediaType):
    """The body is compressed, or in another character set than UTF-8."""

    def __init__(self) -> None:
        super().__init__("")


class TooLarge(APIException):
    """The body is longer than any submission may be."""

    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


# The first matching class gives the status, the code and the message.
_PROBLEMS: Sequence[tuple[Any, int, str, str | Promise]] = (
    (Http404, 404, "not_found", _("There is nothing at this URL. Every URL of the API ends with a slash.")),
    (ParseError, 400, "malformed_json",
     _("The body is not valid JSON in UTF-8, repeats a name or is nested too deeply.")),
    (BadEncoding, 415, "unsupported_encoding",
     _("Send the body as it is, in UTF-8: neither compressed nor in another character set.")),
    (UnsupportedMediaType, 415, "unsupported_media_type",
     _("Send JSON, with the header Content-Type: application/json.")),
    (NotAuthenticated, 401, "no_token", _("This needs a token. Send the header Authorization: Bearer leitai_...")),
    (MethodNotAllowed, 405, "method_not_allowed",
     _("This URL does not support this method. The Allow header lists the supported ones.")),
    ((TooLarge, RequestDataTooBig), 413, "too_large", _("The request is larger than a submission may be.")),
    (SuspiciousOperation, 400, "bad_request", _("The request is not acceptable.")),
)  # fmt: skip


def problem(exc: Exception, context: Mapping[str, Any]) -> Response | None:  # noqa: ARG001 - the framework's call
    """Return a problem document for *exc*; None for an internal error, which is left to Django."""
    refusal = problem_of(exc)
    if refusal is None:
        return None
    headers = {} if refusal.retry_after is None else {"Retry-After": str(refusal.retry_after)}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = f'{challenge}, error="{_BEARER_ERRORS.get(refusal.code, "invalid_token")}"'
    return Response(
        ProblemSerializer(refusal).data,
        status=refusal.http_status.value,
        headers=headers,
        content_type=CONTENT_TYPE,
    )


# RFC 6750, section 3.1.
_BEARER_ERRORS = {"no_token": "invalid_request"}


def problem_of(exc: Exception) -> Problem | None:
    """Return the problem that *exc* means for the client; None for an internal error."""
    if isinstance(exc, Refused):
        errors = [FieldError(exc.field, exc.code, exc.reason)] if exc.field else []
        return Problem(HTTPStatus(exc.status), exc.code, exc.reason, errors, exc.retry_after)
    if isinstance(exc, ValidationError) and isinstance(exc.detail, dict):
        message = _("Some fields of the request are not valid.")
        details: dict[str, Any] = exc.detail
        errors = [
            FieldError(field, error.code, error) for field, field_errors in details.items() for error in field_errors
        ]
        return Problem(HTTPStatus.BAD_REQUEST, "invalid", message, errors)
    if is_temporary(exc):
        log.error("The database could not be asked", exc_info=exc)
        message = _(
            "The site cannot handle this request right now. Try again in a few seconds. For a submission, use the "
            "same idempotency key."
        )
        return Problem(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", message, retry_after=_DATABASE_IS_BACK_SECONDS)
    if isinstance(exc, asking.Refused):
        errors = [FieldError(exc.field, exc.reason, exc.message)] if exc.field else []
        return Problem(HTTPStatus(exc.status), exc.reason, exc.message, errors, 60 if exc.status == 429 else None)
    if isinstance(exc, Throttled):
        message = _("Too many requests. Try again in a minute.")
        return Problem(HTTPStatus.TOO_MANY_REQUESTS, "quota", message, retry_after=exc.wait)  # type: ignore[attr-defined] # DRF sets it
    for kind, status, code, detail in _PROBLEMS:
        if isinstance(exc, kind):
            return Problem(HTTPStatus(status), code, detail)
    if isinstance(exc, APIException):
        return Problem(HTTPStatus(exc.status_code), str(exc.get_codes()), str(exc.detail))
    return None
