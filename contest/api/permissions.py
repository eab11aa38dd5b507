"""Permission classes: which requests need a token, and what it must allow."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from contest.api.authentication import token_of
from contest.models import Scope


class HasScope(BasePermission):
    """Allow a token with the scope that the view names for the method, and every request without a token."""

    code = "missing_scope"

    def has_permission(self, request: Request, view: Any) -> bool:
        scope = view.scopes.get("GET" if request.method == "HEAD" else str(request.method))
        token = token_of(request)
        if scope is None or token is None or scope in token.scopes:
            return True
        self.message = _("This token lacks the scope “%(scope)s”.") % {"scope": Scope(scope).value}
        return False


class HasToken(HasScope):
    """Allow only requests with a token that has the scope. OPTIONS is exempt: browsers send it without a token."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if token_of(request) is None and request.method != "OPTIONS":
            return False
        return super().has_permission(request, view)


class HasRole(BasePermission):
    """Allow a desk token if its owner has the permission that the view names for the method."""

    code = "missing_scope"

    @property
    def message(self) -> str:
        return _("Your role does not allow this.")

    def has_permission(self, request: Request, view: Any) -> bool:
        name = view.permissions.get("GET" if request.method == "HEAD" else str(request.method))
        return name is None or bool(request.auth.user.has_perm(f"contest.{name}"))
