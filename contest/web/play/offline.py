"""The service worker for offline use of the game and the lab (docs/how-to/operations.md, OFFLINE_PLAY)."""

import hashlib
import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from contest.infra.bundling import bundle_path

_MAIN = "contest/player/page/main.js"
_FILES = Path(__file__).parents[2] / "static"
_SHELL = (
    *("contest/*.css", "contest/*.svg", "contest/skins/classic-*.svg"),
    *("contest/shell/*.js", "contest/rounds/*.js", "contest/player/*/*.js"),
)
# Names of files outside contest/player that the game needs.
_KNOWN = {
    *("site.css", "player.css", "live.js", "paste.js", "server-clock.js", "sha256.js", "share.js"),
    *("mark.svg", "icons.svg", "classic-day.svg", "classic-night.svg"),
}
_LAB = ("contest/lab/*.js", "contest/lab/*/*.js", "contest/player/rules/*.js")
_LAB_FILES = ("lab.css", "reading.css", "charts.css", "site.css", "mark.svg", "icons.svg")
_LAB_PARTS = (
    "shell/live.js",
    "shell/server-clock.js",
    "shell/shortcuts.js",
    "player/keep/offline.js",
    "player/play/playback.js",
    "player/view/words.js",
)


@cache_control(no_cache=True)
@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """Serve the service worker with the root scope; browsers must revalidate it so that a change applies at once."""
    shell = [*_shell(), *_logo()] if settings.OFFLINE_PLAY else []
    lab = [reverse("lab-klotski-atlas"), *_addresses(_lab_files()), *_logo()] if settings.OFFLINE_PLAY else []
    facts = {"VERSION": _version(), "SHELL": shell, "LAB": lab}
    constants = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in facts.items())
    response = HttpResponse(constants + _source(), content_type="text/javascript; charset=utf-8")
    response.headers["Service-Worker-Allowed"] = "/"
    return response


def _shell() -> list[str]:
    """Return the URLs of the game's files; its scripts are a single file if bundled."""
    bundle = bundle_path(_MAIN)
    if bundle is None:
        return _addresses(_files())
    return [*_addresses([file for file in _files() if not _is_of_player(file)]), static(bundle)]


def _logo() -> list[str]:
    """Return the URL of the site's own logo; the software's mark is among the files."""
    return [reverse("app-icon", args=["icon-192"])] if settings.SITE_LOGO else []


@cache
def _files() -> list[Path]:
    """Return the game's files; other areas do not work offline."""
    found = {file for pattern in _SHELL for file in _FILES.glob(pattern)}
    return sorted(file for file in found if _is_of_player(file) or file.name in _KNOWN)


def _is_of_player(file: Path) -> bool:
    return "player" in file.relative_to(_FILES).parts


@cache
def _lab_files() -> list[Path]:
    named = [_FILES / "contest" / name for name in (*_LAB_FILES, *_LAB_PARTS)]
    return sorted({*named, *(file for pattern in _LAB for file in _FILES.glob(pattern))})


def _addresses(files: list[Path]) -> list[str]:
    return [static(file.relative_to(_FILES).as_posix()) for file in files]


@cache
def _version() -> str:
    files = b"".join(file.read_bytes() for file in sorted({*_files(), *_lab_files()}))
    return hashlib.sha256(files + _source().encode()).hexdigest()[:16]


@cache
def _source() -> str:
    return (_FILES / "contest/worker.js").read_text()
