"""Addresses that leave the site: in letters, codes, feeds and answers to programs."""

from django.conf import settings
from django.http import HttpRequest


def absolute(request: HttpRequest, path: str) -> str:
    """The whole address of *path*: on the site's own name where one is set, else on the name that was asked."""
    return settings.SITE_URL + path if settings.SITE_URL else request.build_absolute_uri(path)
