"""Customise django-allauth: who may sign in, generated usernames, nickname ownership, reauthentication."""

import secrets
import time
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

import redis
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from allauth.account.utils import filter_users_by_email
from allauth.mfa.adapter import DefaultMFAAdapter
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache

from contest.infra import client_ip, identity, mail, rate_limits
from contest.players import accounts, claims
from contest.players.email_addresses import BadAddress, canonical
from contest.staff import second_factors
from contest.staff.allauth_internals import clear_login, did_use_passwordless_login
from contest.web.shell.trouble import render_sign_in_unavailable

_SECOND_FACTOR_STAGE = "allauth.mfa.stages.AuthenticateStage"
_VERIFICATION_STAGE = "allauth.account.stages.EmailVerificationStage"
_FRESH_SECONDS = 300

View = Callable[..., HttpResponseBase]


def display(user: User) -> str:
    """Return the name that a user's own pages and messages show for them."""
    return user.email or user.get_username()


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse | None:
        """Refuse organisers who sign in by an emailed code: it would bypass their password and second factor.

        They may sign in with a passkey as a player; the desk still asks for the password.
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
        _take_over_nicknames(request, user)
        response: HttpResponse = super().post_login(request, user, **kwargs)
        return response

    def clean_email(self, email: str) -> str:
        try:
            return canonical(super().clean_email(email))
        except BadAddress as error:
            raise ValidationError(str(error)) from None

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        confirmed: bool = super().confirm_email(request, email_address)
        if confirmed and email_address.user == request.user:
            _take_over_nicknames(request, email_address.user)
        return confirmed

    def get_login_stages(self) -> list[str]:
        """Omit the second-factor stage: a player's passkey replaces the emailed code instead of following it."""
        replacements = {_VERIFICATION_STAGE: f"{__name__}.{AddressStage.__name__}"}
        return [replacements.get(stage, stage) for stage in super().get_login_stages() if stage != _SECOND_FACTOR_STAGE]

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Skip reauthentication within five minutes of signing in, so that a player who lost a passkey can proceed.

        Players without a passkey skip it too: they have no other way to reauthenticate.
        Staff always need a fresh factor for allauth's pages (contest.web.account.urls).
        """
        if second_factors.is_staff(self.request.user):
            return not second_factors.may_change_factors(self.request)
        records = get_authentication_records(self.request, self.request.user)
        is_fresh = bool(records) and time.time() - records[-1]["at"] < _FRESH_SECONDS
        can_prove = not is_fresh and bool(self.get_reauthentication_methods(self.request.user))
        return can_prove and bool(super().is_reauthentication_required(app=app, **kwargs))

    def generate_unique_username(self, *_args: Any, **_kwargs: Any) -> str:
        """Return a random name: allauth would derive one from the email address, which must stay private (rule 4.7)."""
        return f"player-{secrets.token_hex(8)}"

    def generate_email_verification_code(self) -> str:
        self.request.email_code = super().generate_email_verification_code()
        code: str = self.request.email_code
        return code

    def send_account_already_exists_mail(self, email: str) -> None:
        """Send the code for a new account, which allauth does not know of yet, or the news that there is one."""
        if filter_users_by_email(email):
            url = self.request.build_absolute_uri(reverse("account_login"))
            self.send_mail("account/email/account_already_exists", email, {"login_url": url})
        else:
            context = {"user": User(email=email), "code": self.request.email_code}
            self.send_mail("account/email/email_confirmation_signup", email, context)

    def render_mail(self, *args: Any, **kwargs: Any) -> EmailMessage:
        """Render a message in all languages: the page that sends it may not be in its reader's."""
        message: EmailMessage = super().render_mail(*args, **kwargs)
        message.body = mail.in_all_languages(lambda: super(Adapter, self).render_mail(*args, **kwargs).body)
        return message

    def format_email_subject(self, subject: str) -> str:
        """Put the site's name in the language of the message before *subject*."""
        return f"{identity.short_name()}: {subject}"

    def get_from_email(self) -> str:
        return identity.sender()

    def get_client_ip(self, request: HttpRequest) -> str:
        """Trust only our own proxies; behind a Unix socket without a proxy, all clients share one limit."""
        return client_ip.sender_of(request) or "127.0.0.1"


class FactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    def get_totp_issuer(self) -> str:
        return identity.names()[1]


class AddressStage(EmailVerificationStage):  # type: ignore[misc]  # allauth has no types
    """Ask for the code that verifies an email address, except for accounts that need no verified address.

    Staff reach this stage only by passkey, and their accounts are created without an address or with an unverified one.
    """

    def handle(self) -> tuple[HttpResponse | None, bool]:
        user = self.login.user
        if user and (user.is_staff or not (user.email or user.emailaddress_set.exists())):
            return None, True
        result: tuple[HttpResponse | None, bool] = super().handle()
        return result


def _take_over_nicknames(request: HttpRequest, user: User) -> None:
    verified = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    ended = accounts.own_by_addresses(user, verified, claims.viewer_of(request).claims)
    if ended:
        names = pgettext("between parts", ", ").join(player.nickname for player in ended)
        message = _(
            "Your account now owns %(names)s. Earlier secrets and tokens have ended, as strangers could have entered "
            "your address: sign in on your other devices, and give your programs new tokens."
        )
        messages.info(request, message % {"names": names}, fail_silently=True)


def count_challenges(view: View) -> View:
    """Count each challenge for a passkey, which begins a session, against its address and network (rule 5.9)."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method != "POST":  # a form was counted at its gate
            sender = client_ip.sender_of(request)
            rate_limits.pass_door(rate_limits.FORM, sender)
            rate_limits.pass_stored(sender, rate_limits.ROW_BYTES)
        return view(request, *args, **kwargs)

    return answer


def refuse_without_redis(view: View) -> View:
    """Answer 503 while Redis is down: without it, guesses at a sign-in code are not limited.

    No browser stores the page: after signing out, "Back" would show the account's address.
    """

    @never_cache
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except redis.RedisError:
            return render_sign_in_unavailable(request)

    return answer


def offer_codes(view: View) -> View:
    """Lead staff who have added a passkey and hold no recovery codes to the page that creates them."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        is_added = request.method == "POST" and response.status_code == HTTPStatus.FOUND
        user = request.user
        if is_added and isinstance(user, User) and second_factors.is_staff(user):
            return response if second_factors.factors_of(user).codes_left else redirect("desk-recovery")
        return response

    return answer


def require_fresh_factor(view: View) -> View:
    """Require a fresh second factor from staff before a page that shows or changes an account's credentials.

    Such a page needs the same protection as the desk: otherwise a stolen password suffices to add a passkey there.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if second_factors.is_staff(request.user) and not second_factors.may_change_factors(request):
            return redirect(f"{reverse('mfa_reauthenticate')}?{urlencode({'next': request.get_full_path()})}")
        return view(request, *args, **kwargs)

    return refuse_without_redis(second_factors.on_locked_account(answer))
