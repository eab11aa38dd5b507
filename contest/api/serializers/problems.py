"""Refusals (RFC 9457)."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from django.utils.functional import Promise
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.serializers import CharField, IntegerField

from contest.api.serializers.base import AnswerSerializer
from contest.api.serializers.fields import CountField


@dataclass(frozen=True)
class FieldError:
    """An error in one field of the request."""

    field: str
    code: str
    detail: str | Promise
    index: int | None = None  # of the character, from 0


@dataclass(frozen=True)
class Problem:
    """A refusal."""

    http_status: HTTPStatus
    code: str
    detail: str | Promise
    errors: Sequence[FieldError] = ()
    retry_after: int | None = None
    type: str = "about:blank"


class Invalid(ValidationError):
    """A field of the request is invalid."""

    def __init__(self, field: str, code: str, detail: str | Promise) -> None:
        super().__init__({field: [ErrorDetail(str(detail), code)]})


class FieldErrorSerializer(AnswerSerializer):
    """An error in one member."""

    field = CharField()
    code = CharField()
    detail = CharField()
    index = CountField(required=False, help_text="Of the character, from 0.")


class ProblemSerializer(AnswerSerializer):
    """A refusal (RFC 9457)."""

    type = CharField()
    title = CharField(source="http_status.phrase")
    status = IntegerField(source="http_status.value")
    code = CharField(help_text="For programs; never changes.")
    detail = CharField(help_text="In the language of Accept-Language.")
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment] # the member has this name
    retry_after = IntegerField(required=False, help_text="Seconds; also in the header Retry-After.")
