"""Every refusal of the API is a problem document (RFC 9457): a stable code for programs, words for people."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException, MethodNotAllowed, ParseError, UnsupportedMediaType
from rest_framework.response import Response

from contest.submissions import Refused

CONTENT_TYPE = "application/problem+json"


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one field of the request."""

    field: str
    code: str
    detail: str | Promise


class Invalid(Exception):
    """The request was readable, but some of its fields are not what they must be."""

    def __init__(self, *errors: FieldError) -> None:
        super().__init__(*(error.code for error in errors))
        self.errors = errors


class TooLarge(APIException):
    """The body is longer than any submission may be."""

    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


# The first class that fits names the code and the words.
_WORDS: Sequence[tuple[type[Exception], HTTPStatus, str, str | Promise]] = (
    (
        Http404,
        HTTPStatus.NOT_FOUND,
        "not_found",
        _("There is nothing at this address. Every address of the API ends with a slash."),
    ),
    (
        ParseError,
        HTTPStatus.BAD_REQUEST,
        "malformed_json",
        _("The body is not valid JSON in UTF-8, repeats a name or is nested too deeply."),
    ),
    (
        UnsupportedMediaType,
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "unsupported_media_type",
        _("Send JSON, with the header Content-Type: application/json."),
    ),
    (
        MethodNotAllowed,
        HTTPStatus.METHOD_NOT_ALLOWED,
        "method_not_allowed",
        _("This address does not take this method; the header Allow lists those it takes."),
    ),
    (
        TooLarge,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "too_large",
        _("The request is larger than a submission may be."),
    ),
    (
        RequestDataTooBig,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "too_large",
        _("The request is larger than a submission may be."),
    ),
    (SuspiciousOperation, HTTPStatus.BAD_REQUEST, "bad_request", _("The request is not acceptable.")),
)


def problem(exc: Exception, context: Mapping[str, Any]) -> Response | None:  # noqa: ARG001 - the framework's call
    """Answer *exc* with a problem document; an error of ours is left to Django (None)."""
    if isinstance(exc, Refused):
        errors = [FieldError(exc.field, exc.code, exc.reason)] if exc.field else []
        return answer(HTTPStatus(exc.status), exc.code, exc.reason, errors, exc.retry_after)
    if isinstance(exc, Invalid):
        words = _("Some fields of the request are not what they must be.")
        return answer(HTTPStatus.BAD_REQUEST, "invalid", words, exc.errors)
    for kind, status, code, detail in _WORDS:
        if isinstance(exc, kind):
            return answer(status, code, detail)
    if isinstance(exc, APIException):
        return answer(HTTPStatus(exc.status_code), exc.default_code, str(exc.detail))
    return None


def answer(
    status: HTTPStatus,
    code: str,
    detail: str | Promise,
    errors: Sequence[FieldError] = (),
    retry_after: int | None = None,
) -> Response:
    """Build the problem document and its response."""
    document = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "code": code,
        "detail": str(detail),
        "errors": [{**asdict(error), "detail": str(error.detail)} for error in errors],
    }
    headers = {}
    if retry_after is not None:
        document["retry_after"] = retry_after
        headers["Retry-After"] = str(retry_after)
    return Response(document, status=status.value, headers=headers, content_type=CONTENT_TYPE)
