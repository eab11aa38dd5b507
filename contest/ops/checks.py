"""Checks of this site's settings for `manage.py check --deploy`."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.http.request import validate_host

from contest.infra.mail import is_printed
from contest.rules import signed_notes

NO_MAIL = "contest.W005"


def proxies(**_: Any) -> list[checks.CheckMessage]:
    """Warn about a proxy that is not configured: all clients would share one address and its limit."""
    if not settings.BEHIND_PROXY or settings.TRUSTED_PROXIES:
        return []
    hint = "Set TRUSTED_PROXIES to the addresses of your own proxies, for example 10.0.0.5 or 172.16.0.0/12."
    return [checks.Warning("BEHIND_PROXY is set, and TRUSTED_PROXIES is empty.", hint=hint, id="contest.W001")]


def debug(**_: Any) -> list[checks.CheckMessage]:
    """Refuse DEBUG on a server: it shows code and settings to everybody, and works with a key that everybody knows."""
    hint = "Unset DEBUG, and set SECRET_KEY to a long random text."
    return [checks.Error("DEBUG is set.", hint=hint, id="contest.E002")] if settings.DEBUG else []


def addresses(**_: Any) -> list[checks.CheckMessage]:
    """Warn about an address of the site that it does not answer to: every link in letters would be refused."""
    host = urlsplit(settings.SITE_URL).hostname
    if not host or validate_host(host, settings.ALLOWED_HOSTS):
        return []
    hint = f"Add {host} to ALLOWED_HOSTS, or correct SITE_URL."
    return [checks.Warning("The host of SITE_URL is not in ALLOWED_HOSTS.", hint=hint, id="contest.W004")]


def mail(**_: Any) -> list[checks.CheckMessage]:
    """Warn that no mail server is set: nobody can sign in by a code, and no letter leaves the site."""
    if not is_printed():
        return []
    hint = "Set EMAIL_URL, for example to smtp+tls://user:password@host:587."
    return [checks.Warning("There is no mail server: mail is printed.", hint=hint, id=NO_MAIL)]


def broker(**_: Any) -> list[checks.CheckMessage]:
    """Warn about a server with PostgreSQL for which no Redis is named."""
    if settings.EMBEDDED or settings.REDIS_IS_NAMED or settings.DATABASES["default"]["ENGINE"].endswith("sqlite"):
        return []
    hint = "Set REDIS_URL: without it, web processes and workers look for Redis on their own machine."
    return [checks.Warning("REDIS_URL is not set.", hint=hint, id="contest.W006")]


def witnesses(**_: Any) -> list[checks.CheckMessage]:
    """Refuse unreadable keys of witnesses and logs, and each of a site's two keys in the other's place."""
    logs = [("WITNESSED_LOGS", text, signed_notes.SIGNED) for text in settings.WITNESSED_LOGS]
    others = [("WITNESSES", text.partition("@")[0], signed_notes.COSIGNED) for text in settings.WITNESSES]
    return [
        checks.Error(f"{name}: {fault}", hint=_KEYS_HINT, id="contest.E003")
        for name, text, kind in logs + others
        if (fault := _fault_of_key(text, kind))
    ]


_KEYS_HINT = (
    "A site shows its keys at /checkpoint/keys: the first, of its log, belongs into WITNESSED_LOGS; "
    "the second, with which it countersigns, into WITNESSES."
)


def _fault_of_key(text: str, kind: int) -> str:
    try:
        key = signed_notes.read_key(text)
    except signed_notes.BadNote as error:
        return f"{error}."
    return "" if key.kind == kind else f"{key.name} has another key for this."
