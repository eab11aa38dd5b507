"""`Authorization: Bearer leitai_...`: whose token a request carries, and whether it may do what is asked."""

from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException, AuthenticationFailed
from rest_framework.request import Request

from contest.infra import clock
from contest.models import Scope, Token
from contest.players import api_tokens

CHALLENGE = 'Bearer realm="leitai"'


class Unauthenticated(AuthenticationFailed):
    """The request carries a token that proves nothing, or none where one is needed."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason, code)
        self.default_code = code


class Forbidden(APIException):
    """The token is good, but not for this."""

    status_code = HTTPStatus.FORBIDDEN
    default_code = "missing_scope"


class Bearer(BaseAuthentication):
    """Set request.auth to the Token; a request without the header is anybody's."""

    def authenticate(self, request: Request) -> tuple[None, Token] | None:
        given = request.headers.get("Authorization")
        if given is None:
            return None
        return None, token_in(given)

    def authenticate_header(self, _request: Request) -> str:
        return CHALLENGE


def token_in(given: str) -> Token:
    """The token in a header Authorization. Raise Unauthenticated."""
    kind, _blank, text = given.strip().partition(" ")
    if kind.lower() != "bearer":
        raise Unauthenticated("bad_token", _("Authorize with: Bearer leitai_..."))
    try:
        return api_tokens.of_text(text.strip(), clock.now())
    except api_tokens.BadToken as bad:
        raise Unauthenticated(bad.code, str(bad)) from None


def token_given(request: Request) -> Token | None:
    """The request's token, if it has one."""
    token: Any = request.auth  # the framework's stubs know only its own kind
    given: Token | None = token
    return given


def token_of(request: Request, scope: Scope) -> Token | None:
    """The request's token, if it has one. Raise Forbidden where it lacks *scope*."""
    token = token_given(request)
    if token is not None and scope not in token.scopes:
        raise Forbidden(_("This token lacks the scope “%(scope)s”.") % {"scope": scope.value})
    return token


def needed_token(request: Request, scope: Scope) -> Token:
    """The request's token. Raise Unauthenticated without one, Forbidden where it lacks *scope*."""
    token = token_of(request, scope)
    if token is None:
        raise Unauthenticated("no_token", _("This is read with a token: Authorization: Bearer leitai_..."))
    return token
