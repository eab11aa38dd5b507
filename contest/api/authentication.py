"""`Authorization: Bearer leitai_...`: whose token a request carries, and whether it may do what is asked."""

from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from contest import clock, tokens
from contest.models import Scope, Token


class Unauthenticated(APIException):
    """The request carries a token that proves nothing."""

    status_code = HTTPStatus.UNAUTHORIZED

    def __init__(self, bad: tokens.BadToken) -> None:
        super().__init__(str(bad), bad.code)
        self.default_code = bad.code


class Forbidden(APIException):
    """The token is good, but not for this."""

    status_code = HTTPStatus.FORBIDDEN
    default_code = "missing_scope"


class Bearer(BaseAuthentication):
    """Set request.auth to the Token; a request without the header is anybody's."""

    def authenticate(self, request: Request) -> tuple[None, Token] | None:
        kind, _blank, text = request.headers.get("Authorization", "").partition(" ")
        if not kind:
            return None
        if kind.lower() != "bearer":
            raise Unauthenticated(tokens.BadToken("bad_token", _("Authorize with: Bearer leitai_...")))
        try:
            return None, tokens.of_text(text.strip(), clock.now())
        except tokens.BadToken as bad:
            raise Unauthenticated(bad) from None

    def authenticate_header(self, _request: Request) -> str:
        return 'Bearer realm="leitai"'


def token_of(request: Request, scope: Scope) -> Token | None:
    """The request's token, if it has one. Raise Forbidden where it lacks *scope*."""
    token: Any = request.auth
    if token is not None and scope not in token.scopes:
        raise Forbidden(_("This token lacks the scope “%(scope)s”.") % {"scope": scope.value})
    found: Token | None = token
    return found
