"""Refusals (RFC 9457)."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from django.utils.functional import Promise

from contest.api.objects.kinds import COUNT, INTEGER, TEXT, Member, Shape, many


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one field of the request."""

    field: str
    code: str
    detail: str | Promise
    index: int | None = None  # of the character, from 0


class Invalid(Exception):
    """The request was readable, but some of its fields are not what they must be."""

    def __init__(self, *errors: FieldError) -> None:
        super().__init__(*(error.code for error in errors))
        self.errors = errors


@dataclass(frozen=True)
class Problem:
    """A refusal on its way out."""

    status: HTTPStatus
    code: str
    detail: str | Promise
    errors: Sequence[FieldError] = ()
    retry_after: int | None = None


FIELD_ERROR = Shape[FieldError]("FieldError", "What is wrong with one member.", [
    Member("field", TEXT),
    Member("code", TEXT),
    Member("detail", TEXT, lambda error: str(error.detail)),
    Member("index", COUNT, words="Of the character, from 0.", is_optional=True),
])  # fmt: skip
PROBLEM = Shape[Problem]("Problem", "A refusal (RFC 9457).", [
    Member("type", TEXT, lambda _problem: "about:blank"),
    Member("title", TEXT, lambda problem: problem.status.phrase),
    Member("status", INTEGER, lambda problem: problem.status.value),
    Member("code", TEXT, words="For programs; never changes."),
    Member("detail", TEXT, lambda problem: str(problem.detail), "In the language of Accept-Language."),
    Member("errors", many(FIELD_ERROR)),
    Member("retry_after", INTEGER, words="Seconds; also in the header Retry-After.", is_optional=True),
])  # fmt: skip
