"""Steps of signing up and in that take the same time for an address with an account as for one without."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.views import ConfirmEmailVerificationCodeView, ConfirmLoginCodeView
from django import forms
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from contest.staff.allauth_internals import LOGIN_SESSION_KEY, clear_login

View = Callable[..., HttpResponseBase]


class ConfirmAddress(ConfirmEmailVerificationCodeView):  # type: ignore[misc]  # allauth has no types
    """Check the emailed code, and create the account of a new address."""

    def form_valid(self, form: forms.Form) -> HttpResponse:
        if self.stage and not self.stage.login.user:
            self.stage.login.user = user = _create_account(self._process.email)
            self._process.state["user_id"] = str(user.pk)
        response: HttpResponse = super().form_valid(form)
        return response


class ConfirmLogin(ConfirmLoginCodeView):  # type: ignore[misc]  # allauth has no types
    """Check the emailed code; lead back to the form if its account was deleted since."""

    def form_valid(self, form: forms.Form) -> HttpResponse:
        if not self.stage.login.user:
            clear_login(self.request)
            return redirect("account_login")
        response: HttpResponse = super().form_valid(form)
        return response


@transaction.atomic
def _create_account(address: str) -> User:
    user = User.objects.create_user(get_adapter().generate_unique_username(), address)
    EmailAddress.objects.create(user=user, email=address, primary=True)
    return user


def look_up_nobody(view: View) -> View:
    """Look for an account also if the code was requested for an address without one, whose page would come sooner."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        login = request.session.get(LOGIN_SESSION_KEY)
        if login and not login["user_pk"]:
            User.objects.filter(pk=0).first()
        return view(request, *args, **kwargs)

    return answer
