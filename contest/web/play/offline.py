"""The service worker that lets the player be opened without a network (docs/operations.md, OFFLINE_PLAY)."""

import hashlib
import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

_FILES = Path(__file__).parents[2] / "static"
_SHELL = ("contest/*.css", "contest/*.js", "contest/mark.svg", "contest/player/*/*.js")


@cache_control(no_cache=True)
@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """Below the root, so that it may answer for every page; never kept by a browser, so that a change comes at once."""
    shell = _shell() if settings.OFFLINE_PLAY else []
    facts = f"const VERSION = {json.dumps(_version())};\nconst SHELL = {json.dumps(shell)};\n"
    response = HttpResponse(facts + _source(), content_type="text/javascript; charset=utf-8")
    response.headers["Service-Worker-Allowed"] = "/"
    return response


@cache
def _files() -> list[Path]:
    """The files of the player; those of other areas are of no use without a network."""
    known = {"site.css", "player.css", "live.js", "paste.js", "theme.js", "sha256.js", "mark.svg"}
    found = {file for pattern in _SHELL for file in _FILES.glob(pattern)}
    return sorted(file for file in found if "player" in file.parts or file.name in known)


def _shell() -> list[str]:
    return [static(file.relative_to(_FILES).as_posix()) for file in _files()]


@cache
def _version() -> str:
    files = b"".join(file.read_bytes() for file in _files())
    return hashlib.sha256(files + _source().encode()).hexdigest()[:16]


@cache
def _source() -> str:
    return (_FILES / "contest/worker.js").read_text()
