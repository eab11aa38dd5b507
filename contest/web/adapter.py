"""What of django-allauth is ours: who may sign in with it, under which name, and what a login brings."""

import secrets
import time
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from contest import addresses
from contest.players import accounts

_SECOND_FACTOR = "allauth.mfa.stages.AuthenticateStage"
_FRESH_SECONDS = 300


def display(user: User) -> str:
    """How a user is called in their own pages and messages."""
    return user.email or user.get_username()


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse | None:
        """Turn organisers away: a code by e-mail must not open what their password (and second factor) guards."""
        if user.is_staff or user.is_superuser:
            clear_login(request)
            messages.error(request, _("Organisers sign in here, with their password."))
            return redirect("admin:login")
        response: HttpResponse | None = super().pre_login(request, user, **kwargs)
        return response

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        _own(user)
        response: HttpResponse = super().post_login(request, user, **kwargs)
        return response

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        confirmed: bool = super().confirm_email(request, email_address)
        if confirmed and email_address.user == request.user:
            _own(email_address.user)
        return confirmed

    def get_login_stages(self) -> list[str]:
        """A player's passkey replaces the code by e-mail; it is not asked for on top of it."""
        return [stage for stage in super().get_login_stages() if stage != _SECOND_FACTOR]

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Who signed in within the last five minutes need not do so again, even without the passkey they lost."""
        records = get_authentication_records(self.request, self.request.user)
        is_fresh = bool(records) and time.time() - records[-1]["at"] < _FRESH_SECONDS
        return not is_fresh and bool(super().is_reauthentication_required(app=app, **kwargs))

    def generate_unique_username(self, *_args: Any, **_kwargs: Any) -> str:
        """A random name: allauth's would be made from the e-mail address, which nobody is to read (rule 4.7)."""
        return f"player-{secrets.token_hex(8)}"

    def send_account_already_exists_mail(self, email: str) -> None:
        url = self.request.build_absolute_uri(reverse("account_login"))
        self.send_mail("account/email/account_already_exists", email, {"login_url": url})

    def get_client_ip(self, request: HttpRequest) -> str:
        """By our own proxies only; behind a Unix socket without one all senders share one limit."""
        return addresses.sender_of(request) or "127.0.0.1"


def _own(user: User) -> None:
    verified = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    accounts.own_by_addresses(user, verified)
