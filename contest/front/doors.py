"""What the front room knows of the site's addresses: how large a request may be, and whose turn comes sooner."""

import re
from enum import StrEnum

from django.conf import settings

HEALTH, READY = "/healthz", "/readyz"
# Among what WSGI calls a request: when all of it had come, by the clock that nobody sets (time.monotonic).
CAME = "leitai.came"
_LANGUAGES = ("/zh-hans", "/en")
_FILES_DOORS = tuple(
    f"{language}/desk/{door}/" for language in _LANGUAGES for door in ("levels/new", "rounds/bring", "posts/pictures")
)
_API_DOOR = "/api/v1/submissions/"
_SUBMISSION_DOORS = (
    _API_DOOR,
    "/api/v1/check/",
    *(f"{language}/{door}/" for language in _LANGUAGES for door in ("submit", "check")),
)
# What gathers is so small that nobody's moves in it take long.
_MOST_TO_GATHER = 32_768
# A sealed answer is opened by moves as long as any (rule 5.13).
_OPENING_DOOR = re.compile(r"(/api/v1|/zh-hans|/en)/rounds/[0-9]+/sealed/open/")
# The older programs' door says in its own words what is too large for it.
LEGACY_DOOR = "/submit_result.php"
_LETSLOGIC = "/letslogic/"
_HEAVY = ("/film.", "/archive.zip", ".png", "/verify.pyz", "/sitemap")


class Kind(StrEnum):
    """What a request is for, as far as turns go."""

    STATIC = "static"
    SUBMISSION = "submission"
    PAGE = "page"
    FILM = "film"


def most_bytes(path: str) -> int:
    """How many bytes a request's body may have at this address."""
    if path in _FILES_DOORS:
        return settings.MAX_FILES_BODY
    if path.startswith(LEGACY_DOOR):
        return settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    takes_moves = path in _SUBMISSION_DOORS or _OPENING_DOOR.fullmatch(path)
    return settings.MAX_SUBMISSION_BODY if takes_moves else settings.MAX_BODY


def gathers(method: str, path: str, size: int) -> bool:
    """Whether requests of this kind, with a body of *size* bytes, may be answered together (entrance.posts)."""
    return path == _API_DOOR and method == "POST" and 0 < size <= _MOST_TO_GATHER


def sleeps(path: str, query: str) -> bool:
    """Whether such a request may wait in its thread for a verdict (api.sending)."""
    return path.startswith(_API_DOOR) and "wait=" in query


def kind_of(method: str, path: str) -> Kind:
    """Static files never wait; a submission's turn comes before a page's, and that before a film's.

    >>> [kind_of("POST", "/en/submit/"), kind_of("GET", "/en/submit/"), kind_of("GET", "/rounds/1/replays/2/film.gif")]
    [<Kind.SUBMISSION: 'submission'>, <Kind.PAGE: 'page'>, <Kind.FILM: 'film'>]
    """
    if path.startswith(settings.STATIC_URL) and method in ("GET", "HEAD"):
        return Kind.STATIC
    if method == "POST" and (path in _SUBMISSION_DOORS or path.startswith((LEGACY_DOOR, _LETSLOGIC))):
        return Kind.SUBMISSION
    return Kind.FILM if any(part in path for part in _HEAVY) else Kind.PAGE
