"""Limits on sign-in attempts and on codes sent: by address and device, never by name alone.

A limit by name alone would let anyone who knows a name lock its owner out. Unknown browsers are counted by address, by
name and address, by network (IPv4 /24, IPv6 /48), which must not use up what all have, and all together. A browser that
has signed in to the account before is counted separately, so strangers cannot block it. Unlike the submission gate this
fails closed without Redis: nothing would count guesses.
"""

import secrets

import redis
from allauth.core import ratelimit
from allauth.mfa.signals import authenticator_used
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.core import signing
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from contest.infra import client_ip

_DEVICE_SECONDS = 365 * 24 * 3600
_MAX_ACCOUNTS = 5
_SIGNED_IN_ACCOUNT = "_account_opened"


class Attempts:
    """Attempts of a *request* to sign in to an account, have a code sent, or vote, comment or report without one."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    def may(self, act: str, name: str = "", user: User | None = None) -> bool:
        """Count one more attempt at *act* (settings.ATTEMPTS) and return whether it is allowed.

        *name* is the subject of the attempt, and *user* the owner of the account in question, if there is one.
        """
        if user and (device := self._known_devices().get(str(user.pk))):
            keys = {"device": f"device {device}"}
        else:
            sender = client_ip.sender_of(self.request)
            address, network = client_ip.block_of(sender), sender and client_ip.network_around(sender)
            keys = {"name": f"{name} from {address}", "address": f"from {address}", "network": f"within {network}"}
            keys["all"] = "all"
            keys |= {"user": f"user {user.pk}"} if user else {}
        return all(
            ratelimit.consume(self.request, action=f"contest.{act}.{counter}", key=key) for counter, key in keys.items()
        )

    def is_within(self, act: str, name: str = "") -> bool:
        """Do `may` for an act that the database limits too: without Redis it is allowed."""
        try:
            return self.may(act, name)
        except redis.RedisError:
            return True

    def remember_device(self, response: HttpResponse) -> None:
        """Set a cookie that records the account this request signed in to; the cookie proves nothing else."""
        account = str(getattr(self.request, _SIGNED_IN_ACCOUNT, ""))
        if not account or account in (known_devices := self._known_devices()):
            return
        devices = {account: secrets.token_urlsafe(9), **known_devices}
        response.set_cookie(
            settings.DEVICE_COOKIE_NAME,
            signing.dumps(dict(list(devices.items())[:_MAX_ACCOUNTS]), salt="device"),
            max_age=_DEVICE_SECONDS,
            secure=settings.HTTPS,
            httponly=True,
            samesite="Lax",
        )

    def _known_devices(self) -> dict[str, str]:
        """Return the accounts signed in to from this browser, each with a random name for the browser."""
        try:
            stored_devices = signing.loads(
                self.request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt="device", max_age=_DEVICE_SECONDS
            )
            return {str(account): str(device) for account, device in stored_devices.items()}
        except (signing.BadSignature, ValueError, AttributeError):
            return {}


@receiver(user_logged_in)
def _note_sign_in(request: HttpRequest | None, user: User, **_signal: object) -> None:
    if request is not None and not user.is_staff:
        setattr(request, _SIGNED_IN_ACCOUNT, user.pk)


@receiver(authenticator_used)
def _note_second_factor(request: HttpRequest, user: User, **_signal: object) -> None:
    """Remember a device of a staff member only after a second factor, not after a password alone."""
    setattr(request, _SIGNED_IN_ACCOUNT, user.pk)
