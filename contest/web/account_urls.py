"""The pages of accounts: those of django-allauth that need no password."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import redis
from allauth.account import views
from allauth.mfa.webauthn import views as passkeys
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

View = Callable[..., HttpResponse]


def _calm(view: View) -> View:
    """Signing in waits until Redis is back: without it nobody counts the guesses at a code."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except redis.RedisError:
            return render(request, "account/resting.html", status=503)

    return answer


urlpatterns = [
    path("login/", _calm(views.request_login_code), name="account_login"),
    path("login/code/", _calm(views.request_login_code), name="account_request_login_code"),
    path("login/code/confirm/", _calm(views.confirm_login_code), name="account_confirm_login_code"),
    path("signup/", _calm(views.signup), name="account_signup"),
    path("confirm-email/", _calm(views.email_verification_sent), name="account_email_verification_sent"),
    path("email/", _calm(views.email), name="account_email"),
    path("reauthenticate/", _calm(views.reauthenticate), name="account_reauthenticate"),
    path("logout/", _calm(views.logout), name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("passkeys/", _calm(passkeys.list_webauthn), name="mfa_list_webauthn"),
    path("passkeys/", _calm(passkeys.list_webauthn), name="mfa_index"),
    path("passkeys/add/", _calm(passkeys.add_webauthn), name="mfa_add_webauthn"),
    path("passkeys/login/", _calm(passkeys.login_webauthn), name="mfa_login_webauthn"),
    path("passkeys/reauthenticate/", _calm(passkeys.reauthenticate_webauthn), name="mfa_reauthenticate_webauthn"),
    path("passkeys/<int:pk>/remove/", _calm(passkeys.remove_webauthn), name="mfa_remove_webauthn"),
    path("passkeys/<int:pk>/edit/", _calm(passkeys.edit_webauthn), name="mfa_edit_webauthn"),
]
