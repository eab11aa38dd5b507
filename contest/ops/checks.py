"""Checks of this site's settings for `manage.py check --deploy`."""

from typing import Any

from django.conf import settings
from django.core import checks


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
