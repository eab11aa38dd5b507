"""Authentication by `Authorization: Bearer leitai_...`: the token of a request, and the viewer it identifies."""

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
    """The token is invalid, or there is none where one is needed."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason, code)


class Bearer(BaseAuthentication):
    """Set request.auth to the Token; a request without the header is anonymous."""

    def authenticate(self, request: Request) -> tuple[None, Token] | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        return None, token_in(header)

    def authenticate_header(self, _request: Request) -> str:
        return CHALLENGE


class DeskBearer(Bearer):
    """Set request.auth to the DeskToken; player tokens are not valid here, and desk tokens nowhere else."""

    def authenticate(self, request: Request) -> Any:
        kind, _blank, text = request.headers.get("Authorization", "").strip().partition(" ")
        if kind.lower() != "bearer":
            raise Unauthenticated("no_token", _("This needs a token. Send the header Authorization: Bearer desk_..."))
        try:
            return None, desk_tokens.find_token(text.strip(), clock.now())
        except api_tokens.BadToken as bad:
            raise Unauthenticated(bad.code, str(bad)) from None


def token_in(header: str) -> Token:
    """Return the token in an Authorization header. Raise Unauthenticated."""
    kind, _blank, text = header.strip().partition(" ")
    if kind.lower() != "bearer":
        raise Unauthenticated("bad_token", _("Authorize with: Bearer leitai_..."))
    try:
        return api_tokens.of_text(text.strip(), clock.now())
    except api_tokens.BadToken as bad:
        raise Unauthenticated(bad.code, str(bad)) from None


def token_of(request: Request) -> Token | None:
    """Return the request's token, if it has one."""
    token: Any = request.auth  # DRF's stubs know only its own token class
    token_or_none: Token | None = token
    return token_or_none


def required_token(request: Request) -> Token:
    """Return the token of a request that `permissions.HasToken` let through."""
    token: Any = request.auth
    required: Token = token
    return required


def viewer_of(request: Request) -> Viewer:
    """Return the viewer that the request's token identifies."""
    token = token_of(request)
    return api_tokens.viewer(token) if token else Viewer()
