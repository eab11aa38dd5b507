"""Offline use of the game and the lab: service worker and page of saved levels (docs/how-to/operations.md)."""

import hashlib
import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from contest.infra import identity
from contest.infra.bundling import bundle_path, imports_of
from contest.models import Collection

# Most pages that a browser stores for offline play at one press; a larger collection needs several.
_MOST_STORED_TOGETHER = 200
# The scripts of the game and of the first steps.
_ENTRIES = ("contest/player/page/main.js", "contest/first-steps.js")
_FILES = Path(__file__).parents[2] / "static"
_SHELL = (
    *("contest/*.css", "contest/*.svg"),
    *("contest/shell/*.js", "contest/rounds/*.js", "contest/player/*/*.js"),
)
# Names of files outside contest/player that the game needs.
_KNOWN = {
    *("site.css", "player.css", "live.js", "paste.js", "server-clock.js", "sha256.js", "share.js", "bricks.js"),
    *("mark.svg", "icons.svg"),
}
_SKINS = "contest/skins/skins.json"
_SAVED = "contest/rounds/saved.js"
# Scripts of base.html, and the files that all its pages need.
_FRAME = (
    *(
        f"contest/shell/{name}.js"
        for name in ("live", "paste", "tables", "shortcuts", "find", "sent-once", "server-clock")
    ),
    *("contest/site.css", "contest/mark.svg", "contest/icons.svg"),
)
_LAB = ("contest/lab/*.js", "contest/lab/*/*.js", "contest/player/rules/*.js")
_LAB_FILES = ("lab.css", "reading.css", "charts.css", "site.css", "mark.svg", "icons.svg")
_LAB_PARTS = (
    "shell/live.js",
    "shell/server-clock.js",
    "shell/shortcuts.js",
    "player/keep/offline.js",
    "player/play/playback.js",
    "player/view/sprites.js",
    "player/view/words.js",
)


@cache_control(no_cache=True)
@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """Serve the service worker with the root scope; browsers must revalidate it so that a change applies at once."""
    shell = [*_shell(), *_own_look()] if settings.OFFLINE_PLAY else []
    lab = [reverse("lab-klotski-atlas"), *_addresses(_lab_files()), *_own_look()] if settings.OFFLINE_PLAY else []
    facts = {"VERSION": _version(), "SHELL": shell, "LAB": lab, "ENTRANCE": _entrance(), "OFFLINE": _offline_pages()}
    constants = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in facts.items())
    response = HttpResponse(constants + _source(), content_type="text/javascript; charset=utf-8")
    response.headers["Service-Worker-Allowed"] = "/"
    return response


@require_safe
def saved_levels(request: HttpRequest) -> HttpResponse:
    """Show the levels that the browser has saved; its script reads them. Also shown for other pages offline."""
    if not settings.OFFLINE_PLAY:
        raise Http404
    return render(request, "contest/play/saved.html")


def describe_set(collection: Collection, place: int = 1) -> dict[str, object]:
    """Describe the levels stored for offline play: the whole collection, or from *place* on if it is too large."""
    first = 1 if collection.count <= _MOST_STORED_TOGETHER else place
    last = min(collection.count, first + _MOST_STORED_TOGETHER - 1)
    return {"base": collection.get_absolute_url(), "first": first, "last": last, "count": last - first + 1}


def _offline_pages() -> dict[str, str]:
    """Return the URL of the page of saved levels by language."""
    pages = {}
    for code, _name in settings.LANGUAGES:
        with override(code):
            pages[code] = reverse("saved-levels")
    return pages


def _entrance() -> list[str]:
    """Return the URLs of the files of the page of saved levels."""
    bundle = bundle_path(_SAVED)
    scripts = [bundle] if bundle else [_SAVED, *imports_of(_SAVED)]
    return [static(path) for path in dict.fromkeys([*_FRAME, *scripts])]


def _shell() -> list[str]:
    """Return the URLs of the files of the game and of the first steps; a bundle is all scripts of one of them."""
    bundles = [bundle for entry in _ENTRIES if (bundle := bundle_path(entry))]
    scripts = bundles or [path for entry in _ENTRIES for path in (entry, *imports_of(entry))]
    beside = _addresses([file for file in _files() if not (bundles and _is_of_player(file))])
    return list(dict.fromkeys([*beside, *map(static, [*scripts, _SKINS])]))


def _own_look() -> list[str]:
    """Return the URLs of the site's own mark and colours; the software's are among the files."""
    return [*([identity.mark_url()] if identity.mark() else []), *filter(None, [identity.accent_url()])]


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
    scripts = (_FILES / path for entry in _ENTRIES for path in (entry, *imports_of(entry)))
    skins = Path(str(finders.find(_SKINS)))
    files = b"".join(file.read_bytes() for file in [skins, *sorted({*_files(), *_lab_files(), *scripts})])
    return hashlib.sha256(files + _source().encode()).hexdigest()[:16]


@cache
def _source() -> str:
    return (_FILES / "contest/worker.js").read_text()
