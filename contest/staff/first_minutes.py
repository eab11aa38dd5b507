"""The first minutes of a site on one machine: staff may try it without a second factor while nobody else can reach it.

This requires that the web server listens only on loopback, the database is the SQLite file in the data directory, no
proxy, HTTPS or public name is configured, and the request comes from this machine and names a loopback host. Once
one of these conditions fails, a row in the database ends the exception permanently.
"""

import logging
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.http import HttpRequest

from contest.infra import clock
from contest.infra.client_ip import is_local
from contest.infra.site_address import is_loopback
from contest.models import Heartbeat, Part

log = logging.getLogger(__name__)


def factor_may_wait(request: HttpRequest) -> bool:
    """Return True if no second factor is required yet. The first request from elsewhere ends this permanently."""
    if Heartbeat.objects.filter(part=Part.REACHED).exists():
        return False
    if is_local_only() and is_local(request) and is_loopback(_hostname_of(f"//{request.get_host()}")):
        return True
    _end_exception()
    return False


def end_if_reachable() -> None:
    """Record at the start of the web server that it is configured for others, even if no staff member signs in."""
    if not is_local_only() and not Heartbeat.objects.filter(part=Part.REACHED).exists():
        _end_exception()


def is_local_only() -> bool:
    """Return True if, by the operator's settings, only users of this machine can reach the site."""
    public_settings = (
        settings.HTTPS
        or settings.BEHIND_PROXY
        or settings.TRUSTED_PROXIES
        or settings.CSRF_TRUSTED_ORIGINS
        or settings.LEGACY_HOSTS
    )
    names = [settings.BOUND_TO, *(name.strip("[]") for name in settings.ALLOWED_HOSTS)]
    if settings.SITE_URL:
        names.append(_hostname_of(settings.SITE_URL))
    return not public_settings and _is_embedded() and all(map(is_loopback, names))


def _is_embedded() -> bool:
    """Return True if the database is a SQLite file in the data directory of this machine."""
    file = Path(str(connection.settings_dict["NAME"]))
    return settings.EMBEDDED and connection.vendor == "sqlite" and file.parent == settings.DATA_DIR


def _hostname_of(address: str) -> str:
    return urlsplit(address).hostname or ""


def _end_exception() -> None:
    log.info("From now on everybody of the staff needs a second factor: the site can be reached from elsewhere.")
    Heartbeat.objects.get_or_create(part=Part.REACHED, defaults={"beat_at": clock.now()})
