"""`Authorization: Bearer leitai_...`: whose token a request carries, and whether it may do what is asked."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from contest.infra import clock
from contest.models import Token
from contest.organising import desk_tokens
from contest.players import api_tokens
from contest.visibility import Viewer

CHALLENGE = 'Bearer realm="leitai"'


class Unauthenticated(AuthenticationFailed):
    """The request carries a token that proves nothing, or none where one is needed."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason, code)


class Bearer(BaseAuthentication):
    """Set request.auth to the Token; a request without the header is anybody's."""

    def authenticate(self, request: Request) -> tuple[None, Token] | None:
        given = request.headers.get("Authorization")
        if given is None:
            return None
        return None, token_in(given)

    def authenticate_header(self, _request: Request) -> str:
        return CHALLENGE


class DeskBearer(Bearer):
    """Set request.auth to the DeskToken; a player's token opens nothing here, and this one nothing elsewhere."""

    def authenticate(self, request: Request) -> Any:
        kind, _blank, text = request.headers.get("Authorization", "").strip().partition(" ")
        if kind.lower() != "bearer":
            raise Unauthenticated("no_token", _("This is read with a token: Authorization: Bearer desk_..."))
        try:
            return None, desk_tokens.of_text(text.strip(), clock.now())
        except api_tokens.BadToken as bad:
            raise Unauthenticated(bad.code, str(bad)) from None


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


def needed_token(request: Request) -> Token:
    """The token of a request that `permissions.HasToken` let through."""
    token: Any = request.auth
    needed: Token = token
    return needed


def viewer_of(request: Request) -> Viewer:
    """The viewer by the request's token."""
    token = token_given(request)
    return api_tokens.viewer(token) if token else Viewer()
