"""How often somebody may try to sign in, or have a code sent: by address and device, never by name alone.

A limit by name would be a lever: whoever knows the name locks its owner out. So strangers are counted by address, by
name and address, and all together; a browser in which the account was opened before is counted by itself, and nothing
that strangers do stands in its way. Unlike the gate this one stays shut without Redis: nobody would count the guesses.
"""

import secrets
from dataclasses import dataclass, replace

from allauth.core.internal import ratelimit
from allauth.mfa.signals import authenticator_used
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.core import signing
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from contest.infra import client_ip

_DEVICE_SECONDS = 365 * 24 * 3600
_MOST_ACCOUNTS = 5
_OPENED = "_account_opened"


@dataclass(frozen=True)
class Limits:
    """How many attempts at an *act* in how long: of a device that is known; else of an address, for one name, and of
    everybody.
    """

    act: str
    device: str
    address: str
    name: str
    everybody: str


PASSWORD = Limits("password", device="10/300s/key", address="20/300s/key", name="10/300s/key", everybody="600/600s/key")
REPORTS_A_DAY = "10/86400s/key"
# What an address may say of levels: so many votes for one level, and so many words about all.
TALK = {"vote": "6/86400s/key", "comment": "60/86400s/key", "report": REPORTS_A_DAY}
CODE_BY_MAIL = Limits("mail", device="5/60s/key", address="20/60s/key", name="3/60s/key", everybody="1200/3600s/key")
# To an address that has not shown yet that it wants any.
CODE_TO_NEW = replace(CODE_BY_MAIL, act="new-address", name="5/3600s/key")


def may_try(request: HttpRequest, limits: Limits, name: str, user: User | None) -> bool:
    """Whether this request may try to open the account that *name* stands for: that of *user*, if there is one."""
    act, device = limits.act, _device(request, user)
    if device:
        return _count(request, act, limits.device, f"device {device}")
    address = client_ip.block_of(client_ip.sender_of(request))
    return (
        _count(request, act, limits.name, f"{name} from {address}")
        and _count(request, act, limits.address, f"from {address}")
        and _count(request, act, limits.everybody, "all")
    )


def may_guess(request: HttpRequest, user: User) -> bool:
    """Whether a code of *user* may be tried, where their password was right: it takes that to use these up."""
    device = _device(request, user)
    limit = PASSWORD.device if device else f"{PASSWORD.name},100/86400s/key"
    return _count(request, "code", limit, f"device {device}" if device else f"user {user.pk}")


def may_report(request: HttpRequest) -> bool:
    """Whether an address may hand in another report about a name today: a browser without cookies counts as well."""
    return _count(request, "report", REPORTS_A_DAY, f"from {client_ip.block_of(client_ip.sender_of(request))}")


def may_talk(request: HttpRequest, act: str, about: str = "") -> bool:
    """Whether an address may vote once more today for the level *about*, comment or report a comment."""
    address = client_ip.block_of(client_ip.sender_of(request))
    return _count(request, f"talk-{act}", TALK[act], f"{about} from {address}")


def _count(request: HttpRequest, act: str, limit: str, key: str) -> bool:
    return bool(ratelimit.consume(request, app="contest", action=act, config={act: limit}, key=key))


# Devices that are known


def _devices(request: HttpRequest) -> dict[str, str]:
    """The accounts that were opened in this browser, each with a random name of the browser's own."""
    try:
        kept = signing.loads(
            request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt="device", max_age=_DEVICE_SECONDS
        )
        return {str(account): str(device) for account, device in kept.items()}
    except (signing.BadSignature, ValueError, AttributeError):
        return {}


def _device(request: HttpRequest, user: User | None) -> str:
    return _devices(request).get(str(user.pk), "") if user else ""


@receiver(user_logged_in)
def _signed_in(request: HttpRequest | None, user: User, **_signal: object) -> None:
    if request is not None and not user.is_staff:
        setattr(request, _OPENED, user.pk)


@receiver(authenticator_used)
def _know_device(request: HttpRequest, user: User, **_signal: object) -> None:
    """A password alone makes no device of the staff known; a second factor does."""
    setattr(request, _OPENED, user.pk)


def remember_device(request: HttpRequest, response: HttpResponse) -> None:
    """Let the browser keep that an account was opened in it by *request*; it proves nothing but that."""
    opened = str(getattr(request, _OPENED, ""))
    if not opened or opened in (kept := _devices(request)):
        return
    devices = {opened: secrets.token_urlsafe(9), **kept}
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps(dict(list(devices.items())[:_MOST_ACCOUNTS]), salt="device"),
        max_age=_DEVICE_SECONDS,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
