"""Limits and priorities by URL: the largest body, and the kind of turn."""

import re
from enum import StrEnum

from django.conf import settings

HEALTH, READY = "/healthz", "/readyz"
# Key in the WSGI environ: the time.monotonic() at which the request was complete.
ARRIVED_AT = "leitai.came"
_LANGUAGES = ("/zh-hans", "/en")
_FILES_DOORS = tuple(
    f"{language}/desk/{door}/"
    for language in _LANGUAGES
    for door in ("levels/new", "rounds/bring", "rounds/guide/tables", "rounds/guide/levels", "posts/pictures")
)
_API_DOOR = "/api/v1/submissions/"
_SUBMISSION_DOORS = (
    _API_DOOR,
    "/api/v1/check/",
    *(f"{language}/{door}/" for language in _LANGUAGES for door in ("submit", "check")),
)
# Only small bodies are batched, so that no submission delays its batch for long.
_MOST_BYTES_TO_BATCH = 32_768
# Other doors for moves of any length: opening a sealed answer (rule 5.13), collections (rule 26.2), other programs.
_MOVES_DOOR = re.compile(
    r"(/api/v1|/zh-hans|/en)/rounds/[0-9]+/sealed/open/|(/zh-hans|/en)/collections/[^/]+/[0-9]+/play/"
    r"|/letslogic/api/v1/level/[0-9]+"
)
# The URL for older programs, which reports too large bodies in its own format.
LEGACY_DOOR = "/submit_result.php"
_LETSLOGIC = "/letslogic/api/v1/level/"  # its lists are pages
_LONGEST_SHAPE = 64
_NUMBER = re.compile("[0-9]+")
_HEAVY = ("/film.", "/archive.zip", ".png", "/verify.pyz", "/sitemap")


class Kind(StrEnum):
    """The scheduling class of a request."""

    STATIC = "static"
    SUBMISSION = "submission"
    PAGE = "page"
    FILM = "film"


def most_bytes(path: str) -> int:
    """Return the largest body in bytes for *path*."""
    if path in _FILES_DOORS:
        return settings.MAX_FILES_BODY
    if path.startswith(LEGACY_DOOR):
        return settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    takes_moves = path in _SUBMISSION_DOORS or _MOVES_DOOR.fullmatch(path)
    return settings.MAX_SUBMISSION_BODY if takes_moves else settings.MAX_BODY


def can_be_batched(method: str, path: str, size: int) -> bool:
    """Return True if the request, with a body of *size* bytes, may be batched with others (entrance.posts)."""
    return path == _API_DOOR and method == "POST" and 0 < size <= _MOST_BYTES_TO_BATCH


def shape_of(path: str) -> str:
    """Return the beginning of the path, without its numbers.

    >>> shape_of("/en/rounds/12/main/")
    '/en/rounds/#/main/'
    """
    return _NUMBER.sub("#", path[:_LONGEST_SHAPE])


def kind_of(method: str, path: str) -> Kind:
    """Return the request's kind: static files never wait, submissions come before pages, and pages before films.

    >>> [kind_of("POST", f"/letslogic/api/v1/{name}") for name in ("level/7", "records")]
    [<Kind.SUBMISSION: 'submission'>, <Kind.PAGE: 'page'>]
    >>> [kind_of("POST", "/en/submit/"), kind_of("GET", "/en/submit/"), kind_of("GET", "/rounds/1/replays/2/film.gif")]
    [<Kind.SUBMISSION: 'submission'>, <Kind.PAGE: 'page'>, <Kind.FILM: 'film'>]
    """
    if path.startswith(settings.STATIC_URL) and method in ("GET", "HEAD"):
        return Kind.STATIC
    if method == "POST" and (path in _SUBMISSION_DOORS or path.startswith((LEGACY_DOOR, _LETSLOGIC))):
        return Kind.SUBMISSION
    return Kind.FILM if any(part in path for part in _HEAVY) else Kind.PAGE
