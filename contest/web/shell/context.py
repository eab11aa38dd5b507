"""The context processor for every page."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, Resolver404, ResolverMatch, resolve, reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language, override

from contest.infra import clock, identity
from contest.outreach import questions
from contest.web.shell import theme

# Each language's own name, never translated.
OWN_NAMES = {"zh-hans": "简体中文", "en": "English"}
SHORT_NAMES = {"zh-hans": "中文", "en": "EN"}


# A page's section in the navigation, by the first path component after the language.
SECTIONS = {
    **dict.fromkeys(("rounds", "screen"), "rounds"),
    **dict.fromkeys(
        ("hall", "seasons", "countries", "records", "ratings", "players", "stats", "history", "compare"), "hall"
    ),
    **dict.fromkeys(("help", "rules"), "help"),
    **dict.fromkeys(("me", "claim", "account"), "me"),
    **dict.fromkeys(("levels", "collections", "collected", "authors", "optima"), "levels"),
    "submit": "submit",
    "desk": "desk",
}


@dataclass(frozen=True)
class Alternate:
    """The current page in one of the site's languages."""

    code: str
    name: str
    url: str
    is_current: bool

    @property
    def lang(self) -> str:
        """Return the language tag for HTML."""
        return {"zh-hans": "zh-Hans"}.get(self.code, self.code)

    @property
    def short(self) -> str:
        """Return the language's two-character name."""
        return SHORT_NAMES[self.code]


def page(request: HttpRequest) -> dict[str, Any]:
    """Return the page's languages, section and theme, the server time for countdowns, and the banner (rule 25.1)."""
    here, match = get_language(), request.resolver_match or _match(request.path)
    alternates = [
        Alternate(code, OWN_NAMES[code], _in_language(request, match, code), code == here)
        for code, _name in settings.LANGUAGES
    ]
    current = next((alternate for alternate in alternates if alternate.is_current), alternates[0])
    at = clock.now()
    return {
        "alternates": alternates,
        "lang": current.lang,
        "section": _section(request.path),
        "theme": theme.theme_of(request),
        # Tables mark these players' rows. Lazy, because only tables use it.
        "own_players": SimpleLazyObject(lambda: request.viewer.players),  # type: ignore[attr-defined] # the middleware's
        "server_time": at,
        "site_url": settings.SITE_URL,
        "site_short_name": identity.short_name(),
        "icp_number": identity.operator().get("icp_number", ""),
        # Without a proved nickname there is no bell. A script fetches its count, so that no page waits for it.
        "may_have_news": SimpleLazyObject(lambda: _may_have_news(request)),
        # Lazy: only base.html uses it, so fragments and other responses need no query.
        "banner": SimpleLazyObject(lambda: questions.find_banner(at)),
    }


def _section(path: str) -> str:
    below = path.split("/", 2)[2] if path.count("/") > 1 else ""
    return "news" if below.startswith(("me/news/", "me/following/")) else SECTIONS.get(below.split("/", 1)[0], "")


def _may_have_news(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return settings.CLAIMS_COOKIE_NAME in request.COOKIES or bool(user and user.is_authenticated)


def _match(path: str) -> ResolverMatch | None:
    """Resolve *path*, for a response that precedes URL resolution; return None if unknown."""
    try:
        return resolve(path)
    except Resolver404:
        return None


def _in_language(request: HttpRequest, match: ResolverMatch | None, code: str) -> str:
    """Return the URL of this page in language *code*, with the query; the home page's if this page has none."""
    address = request.get_full_path()
    if match is not None:
        with override(code), suppress(NoReverseMatch):
            _path, mark, query = address.partition("?")
            address = reverse(match.view_name, args=match.args, kwargs=match.kwargs) + mark + query
    return address if address.startswith(f"/{code}/") else f"/{code}/"
