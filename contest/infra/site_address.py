"""Absolute URLs in emails, QR codes, feeds and API responses; names and URLs that always mean this machine."""

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest


def absolute_url(request: HttpRequest, path: str) -> str:
    """Return the absolute URL of *path*: with SITE_URL if it is set, else with the request's host."""
    return settings.SITE_URL + path if settings.SITE_URL else request.build_absolute_uri(path)


def scheme_of(environ: Mapping[str, Any]) -> str:
    """Return the request's scheme as Django determines it: from a trusted proxy's header if configured."""
    if settings.SECURE_PROXY_SSL_HEADER:
        name, secure = settings.SECURE_PROXY_SSL_HEADER
        if (header := environ.get(name)) is not None:
            return "https" if header.split(",", 1)[0].strip() == secure else "http"
    return str(environ["wsgi.url_scheme"])


def is_loopback(name: str) -> bool:
    """Return True if *name* always means this machine itself.

    >>> [is_loopback(name) for name in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "", "127.example", ".localhost")]
    [True, True, True, False, False, False, False]
    """
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def is_loopback_url(url: str) -> bool:
    """Return True if the host of *url* always means this machine itself.

    >>> [is_loopback_url(url) for url in ("http://[::1]:8000", "http://localhost", "localhost:8000", "http://[")]
    [True, True, False, False]
    """
    try:
        return is_loopback(urlsplit(url).hostname or "")
    except ValueError:
        return False
