"""Addresses that leave the site: in letters, codes, feeds and answers to programs."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest


def absolute(request: HttpRequest, path: str) -> str:
    """The whole address of *path*: on the site's own name where one is set, else on the name that was asked."""
    return settings.SITE_URL + path if settings.SITE_URL else request.build_absolute_uri(path)


def scheme_of(environ: Mapping[str, Any]) -> str:
    """By which scheme was asked, as Django has it: what a proxy says where one is trusted."""
    if settings.SECURE_PROXY_SSL_HEADER:
        name, secure = settings.SECURE_PROXY_SSL_HEADER
        if (said := environ.get(name)) is not None:
            return "https" if said.split(",", 1)[0].strip() == secure else "http"
    return str(environ["wsgi.url_scheme"])
