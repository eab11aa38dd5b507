"""The first minutes of a site on one box: its staff may try it without a second factor, while nobody else can come.

That is so while the web server listens on loopback alone, the database is the one file beside the data, no proxy, https
or public name is set up, and a request comes from this machine, asking for it by its own name. What ends it once ends
it for good: the database remembers.
"""

import logging
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.http import HttpRequest

from contest.infra import clock
from contest.infra.client_ip import is_local
from contest.models import Heartbeat, Part

log = logging.getLogger(__name__)


def factor_may_wait(request: HttpRequest) -> bool:
    """Whether a second factor may still wait; once the site can be reached otherwise, it never may again."""
    if Heartbeat.objects.filter(part=Part.REACHED).exists():
        return False
    if is_alone() and is_local(request) and is_loopback(_name_in(f"//{request.get_host()}")):
        return True
    _end()
    return False


def end_where_reached() -> None:
    """At the start of the web server: remember that the site is set up for others, whether or not staff comes by."""
    if not is_alone() and not Heartbeat.objects.filter(part=Part.REACHED).exists():
        _end()


def is_alone() -> bool:
    """Whether, by all that the operator has set, nobody but this machine's own users reaches the site."""
    told_of_others = (
        settings.HTTPS
        or settings.BEHIND_PROXY
        or settings.TRUSTED_PROXIES
        or settings.CSRF_TRUSTED_ORIGINS
        or settings.LEGACY_HOSTS
    )
    names = [settings.BOUND_TO, *(name.strip("[]") for name in settings.ALLOWED_HOSTS)]
    if settings.SITE_URL:
        names.append(_name_in(settings.SITE_URL))
    return not told_of_others and _is_embedded() and all(map(is_loopback, names))


def is_loopback(name: str) -> bool:
    """Whether only this machine itself is called so.

    >>> [is_loopback(name) for name in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "", "127.example", ".localhost")]
    [True, True, True, False, False, False, False]
    """
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def _is_embedded() -> bool:
    """Whether the database is a file beside the data of this one box."""
    file = Path(str(connection.settings_dict["NAME"]))
    return settings.EMBEDDED and connection.vendor == "sqlite" and file.parent == settings.DATA_DIR


def _name_in(address: str) -> str:
    return urlsplit(address).hostname or ""


def _end() -> None:
    log.info("From now on everybody of the staff needs a second factor: the site can be reached from elsewhere.")
    Heartbeat.objects.get_or_create(part=Part.REACHED, defaults={"beat_at": clock.now()})
