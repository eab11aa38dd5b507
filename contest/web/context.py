"""What every page needs to know."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import translate_url
from django.utils.translation import get_language

from contest import clock

# Each language under its own name, which needs no translation.
OWN_NAMES = {"zh-hans": "简体中文", "en": "English"}


@dataclass(frozen=True)
class Alternate:
    """This page in one of the site's languages."""

    code: str
    name: str
    url: str
    is_current: bool

    @property
    def lang(self) -> str:
        """The code as HTML writes it."""
        return {"zh-hans": "zh-Hans"}.get(self.code, self.code)


def page(request: HttpRequest) -> dict[str, Any]:
    """Name the languages of this page and the server's time, by which the countdowns run."""
    here = get_language()
    alternates = [
        Alternate(code, OWN_NAMES[code], _in_language(request, code), code == here)
        for code, _name in settings.LANGUAGES
    ]
    current = next((alternate for alternate in alternates if alternate.is_current), alternates[0])
    return {"alternates": alternates, "lang": current.lang, "server_time": clock.now(), "site_url": settings.SITE_URL}


def _in_language(request: HttpRequest, code: str) -> str:
    """The address of this page in another language, query included; of the front page where this one has none."""
    address = request.get_full_path()
    translated = translate_url(address, code)
    return translated if translated.startswith(f"/{code}/") else f"/{code}/"
