"""Text pages: rules, help, about, the API guide, and the site's status. Their texts are Markdown files."""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from contest import visibility
from contest.archive.witnesses import records
from contest.infra import clock, identity
from contest.ops import health
from contest.outreach.newsletter import delivery, subscriptions
from contest.rendering import markdown
from contest.web.shell.context import OWN_NAMES

DOCS = settings.TEXTS_DIR / "docs"
# URL names for links to other files of the repository.
_ADDRESSES = {
    "rules.md": "rules",
    "formats.md": "help-formats",
    "licences.md": "licences",
    "terms.md": "terms",
    "privacy.md": "privacy",
    "api.md": "api-docs",
    "lab-sokoban.md": "lab-sokoban",
    "../../contest/outreach/programs.json": "programs",
    "lab-games.md": "lab-games",
    "lab-pictures.md": "lab-pictures",
}
_STATIC = "../../contest/static/"
# Pages that show the operator's own text.
_OPERATOR_PAGES = {"about", "privacy", "terms"}
NAMES = ("rules", "short-rules", "formats", "keys", "beginners", "programs", "about", "licences", "privacy", "terms")


def file_of(name: str, language: str) -> Path:
    """Return the Markdown file of a page. The law of the rules is in docs/reference, the other pages in docs/site."""
    if name == "rules":
        return DOCS / "reference" / ("rules.md" if language == "en" else f"rules.{language}.md")
    return DOCS / "site" / f"{name}.{language}.md"


@cache
def page(name: str, language: str) -> markdown.Page:
    """Return the page as HTML, rendered once per process; pages beside the rules link to them by number."""
    with override(language):
        at = reverse("rules")
        rules = {} if name == "rules" else {number: f"{at}#{number}" for number in page("rules", language).rules}
        return markdown.render_page(file_of(name, language).read_text(), address_of, rules)


@cache
def rules_in_short(section: str, language: str) -> tuple[str, str]:
    """Return the title and the HTML of a section of the rules in short, by its id."""
    short = page("short-rules", language)
    (title,) = (heading.words for heading in short.headings if heading.id == section)
    return title, short.html.partition(f'<h2 id="{section}">')[2].partition("</h2>")[2].partition("<h2")[0]


def reading_language() -> str:
    """Return the active language if there are pages in it, else the site's."""
    language = get_language()
    return language if language in OWN_NAMES else identity.language()


def address_of(href: str) -> str:
    """Return the site's URL for a link to a repository file or a static picture; "" if unknown."""
    if href.startswith(_STATIC):
        return static(href.removeprefix(_STATIC))
    return reverse(_ADDRESSES[href]) if href in _ADDRESSES else ""


@require_safe
def read(request: HttpRequest, name: str) -> HttpResponse:
    language = reading_language()
    context = {
        "name": name,
        "page": page(name, language),
        "short": page("short-rules", language) if name == "rules" else None,
        "software": software() if name == "licences" else [],
        "operator": identity.operator() if name in _OPERATOR_PAGES else {},
    }
    return render(request, "contest/reading/reading.html", context)


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    """Show the API guide, docs/reference/api.md; in English only, as are the names in the API."""
    return render(request, "contest/reading/reading.html", {"name": "api", "page": _api_guide()})


@cache
def _api_guide() -> markdown.Page:
    return markdown.render_page((DOCS / "reference/api.md").read_text(), address_of)


@require_safe
def api_try(request: HttpRequest) -> HttpResponse:
    """Show Swagger UI, served only from our own static files."""
    return render(request, "contest/reading/api_try.html")


@require_safe
def all_pages(request: HttpRequest) -> HttpResponse:
    return render(request, "contest/reading/all_pages.html")


@dataclass(frozen=True)
class Software:
    """A package the site uses. Its version is omitted because it would reveal known vulnerabilities."""

    name: str
    licence: str


@cache
def software() -> tuple[Software, ...]:
    """Return the installed Python packages and their licences, from the packages' metadata."""
    found = {}
    for distribution in distributions():
        metadata = distribution.metadata
        classified = [line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier", []) if "License ::" in line]
        licence = " ".join(metadata.get_all("License-Expression") or classified or metadata.get_all("License") or [])
        found[metadata["Name"]] = Software(metadata["Name"], licence.splitlines()[0][:80] if licence else "–")
    return tuple(found[name] for name in sorted(found, key=str.lower))


@dataclass(frozen=True)
class Line:
    """One line of the site's public status."""

    name: object
    is_well: bool


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """Show the site's public status: working components, the age of the oldest waiting submission, outages."""
    at = clock.now()
    ready = health.readiness()
    lines = [
        Line(_("Accepting submissions"), ready["database"].is_ready),
        Line(_("Judging without delay"), ready["judge"].is_ready),
        Line(_("Rate limits and worker signals"), ready["broker"].is_ready),
    ]
    if subscriptions.is_configured():
        lines.append(Line(_("Email updates"), not delivery.queue_condition(at).is_late))
    context = {
        "lines": lines,
        "oldest": ready["judge"].figures.get("oldest_waiting_seconds"),
        "outages": visibility.outages(at),
        "witnesses": records.report(at),
        "site_url": settings.SITE_URL or request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "contest/reading/status.html", context)
