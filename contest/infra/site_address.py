"""Absolute URLs: in emails, QR codes, feeds and API responses."""

from collections.abc import Mapping
from typing import Any

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
