"""What of django-allauth is ours: who may sign in with it, under which name, what a login brings, what a page asks."""

import secrets
import time
from collections.abc import Callable
from functools import wraps
from typing import Any

import redis
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from contest.infra import client_ip
from contest.players import accounts
from contest.players.email_addresses import BadAddress, canonical
from contest.staff import second_factors
from contest.staff.allauth_internals import clear_login, did_use_passwordless_login
from contest.web.shell.trouble import resting

_SECOND_FACTOR = "allauth.mfa.stages.AuthenticateStage"
_ADDRESS = "allauth.account.stages.EmailVerificationStage"
_FRESH_SECONDS = 300

View = Callable[..., HttpResponse]


def display(user: User) -> str:
    """How a user is called in their own pages and messages."""
    return user.email or user.get_username()


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse | None:
        """Turn organisers away: a code by email must not open what their password (and second factor) guards.

        A passkey lets them in as a player; the desk still asks for the password.
        """
        is_member = user.is_staff or user.is_superuser
        if is_member and not did_use_passwordless_login(request, user):
            clear_login(request)
            messages.error(request, _("Organisers sign in here, with their password."))
            return redirect("admin:login")
        response: HttpResponse | None = super().pre_login(request, user, **kwargs)
        return response

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return reverse("desk" if request.user.is_staff else "me")

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        _own(user)
        response: HttpResponse = super().post_login(request, user, **kwargs)
        return response

    def clean_email(self, email: str) -> str:
        try:
            return canonical(super().clean_email(email))
        except BadAddress as bad:
            raise ValidationError(str(bad)) from None

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        confirmed: bool = super().confirm_email(request, email_address)
        if confirmed and email_address.user == request.user:
            _own(email_address.user)
        return confirmed

    def get_login_stages(self) -> list[str]:
        """A player's passkey replaces the code by email; it is not asked for on top of it."""
        ours = {_ADDRESS: f"{__name__}.{AddressStage.__name__}"}
        return [ours.get(stage, stage) for stage in super().get_login_stages() if stage != _SECOND_FACTOR]

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Who signed in within the last five minutes need not do so again, even without the passkey they lost.

        Nor need players who have no passkey yet: nothing else proves them again.
        Nobody of the staff comes to a page of allauth without a fresh factor (contest.web.account.urls).
        """
        if second_factors.is_staff(self.request.user):
            return not second_factors.may_change_factors(self.request)
        records = get_authentication_records(self.request, self.request.user)
        is_fresh = bool(records) and time.time() - records[-1]["at"] < _FRESH_SECONDS
        can_prove = not is_fresh and bool(self.get_reauthentication_methods(self.request.user))
        return can_prove and bool(super().is_reauthentication_required(app=app, **kwargs))

    def generate_unique_username(self, *_args: Any, **_kwargs: Any) -> str:
        """A random name: allauth's would be made from the email address, which nobody is to read (rule 4.7)."""
        return f"player-{secrets.token_hex(8)}"

    def send_account_already_exists_mail(self, email: str) -> None:
        url = self.request.build_absolute_uri(reverse("account_login"))
        self.send_mail("account/email/account_already_exists", email, {"login_url": url})

    def get_client_ip(self, request: HttpRequest) -> str:
        """By our own proxies only; behind a Unix socket without one all senders share one limit."""
        return client_ip.sender_of(request) or "127.0.0.1"


class AddressStage(EmailVerificationStage):  # type: ignore[misc]  # allauth has no types
    """Ask for the code that proves an address, except where none has to be proved.

    Staff come here by passkey alone, and their accounts are made without an address or with one that nobody proved.
    """

    def handle(self) -> tuple[HttpResponse | None, bool]:
        user = self.login.user
        if user and (user.is_staff or not (user.email or user.emailaddress_set.exists())):
            return None, True
        handled: tuple[HttpResponse | None, bool] = super().handle()
        return handled


def _own(user: User) -> None:
    verified = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    accounts.own_by_addresses(user, verified)


def calm(view: View) -> View:
    """Signing in waits until Redis is back: without it nobody counts the guesses at a code."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except redis.RedisError:
            return resting(request)

    return answer


def ask_for_proof(view: View) -> View:
    """Of somebody on the staff, ask for a fresh factor before a page that shows or changes what opens an account.

    Such a page is as strong as the desk: a password alone would add a passkey there, and prove itself with it.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if second_factors.is_staff(request.user) and not second_factors.may_change_factors(request):
            return redirect(f"{reverse('mfa_reauthenticate')}?{urlencode({'next': request.get_full_path()})}")
        return view(request, *args, **kwargs)

    return calm(answer)
