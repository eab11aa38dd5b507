"""Visit every page as a reader would and write down what is wrong with it.

With SHOTS=<folder> each page is also taken as a picture: `python3 dev.py shots` does that in every combination.
"""

import os
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import brotli
import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.staticfiles import finders

from contest.infra.bundling import bundle
from contest.templatetags.modules import imports_of
from contest.web.shell.static import HashedStaticFiles
from tests.browser import whole_site
from tests.browser.sheets import make_sheets

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHOTS = os.environ.get("SHOTS", "")
HEIGHTS = {360: 740, 768: 1024, 1280: 800}
EVERY = [(language, theme, width) for language in ("en", "zh-hans") for theme in ("light", "dark") for width in HEIGHTS]
# Each language, each theme and each end of the widths once; every page must also fit the other end.
SOME = [("en", "light", 360), ("zh-hans", "dark", 1280)]
# What a first view may weigh, in KB as Brotli packs it; the longest prefix counts.
BUDGETS = {"embed/": 40, "": 60}
PLAYING = ("play/", "replays/", "editor/", "check/", "submit/", "sokoplayer/", "virtual/")
PLAYING_BUDGET = 100
SERIOUS = ("serious", "critical")


@pytest.fixture
def site(transactional_db):
    return whole_site.load()


@pytest.mark.parametrize(("language", "theme", "width"), EVERY if SHOTS else SOME)
def test_every_page_is_clean(site, chromium, live_server, language, theme, width):
    size = {"width": width, "height": HEIGHTS[width]}
    visits = Visits(chromium, live_server.url, site, viewport=size, color_scheme=theme, locale=language)
    faults = [fault for page in whole_site.pages(site) for fault in visits.faults(page, language)]
    visits.close()
    if SHOTS:
        make_sheets(Path(SHOTS), f"{language}-{theme}-{width}")
    assert not faults, "\n".join(faults)


class Visits:
    """A browser for each role, with the eyes of somebody who checks pages."""

    def __init__(self, chromium, base, site, **options):
        self.base = base
        self.options = options
        self.pages = {}
        for role in (whole_site.STRANGER, whole_site.PLAYER, whole_site.ACCOUNT, whole_site.ORGANISER):
            context = chromium.new_context(base_url=base, **options)
            context.add_cookies([{"name": n, "value": v, "url": base} for n, v in site.cookies(role).items()])
            self.pages[role] = page = context.new_page()
            page.on("console", lambda said: self._hear(said.text) if said.type in ("error", "warning") else None)
            page.on("pageerror", lambda error: self._hear(str(error)))
            page.on("response", self._weigh)
        self.heard, self.bodies = [], {}

    def close(self):
        for page in self.pages.values():
            page.context.close()

    def _hear(self, text):
        self.heard.append(text)

    def _weigh(self, response):
        if not response.url.startswith(self.base):
            self.heard.append(f"asks {response.url}")
        elif response.ok and response.request.resource_type in ("document", "script", "stylesheet"):
            self.bodies[response.url] = response

    def faults(self, wanted, language):
        """Everything wrong with a page, in words."""
        self.heard, self.bodies = [], {}
        page = self.pages[wanted.role]
        page.goto(wanted.address(language))
        found = [*self.heard, *_overflow(page), *_unreachable(page), *self._weight(wanted)]
        size = page.viewport_size
        for width in HEIGHTS.keys() - {size["width"]}:
            page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
            found += _overflow(page)
        page.set_viewport_size(size)
        if SHOTS:
            name = f"{language}-{self.options['color_scheme']}-{self.options['viewport']['width']}"
            page.screenshot(path=str(Path(SHOTS) / name / f"{wanted.name}.png"), full_page=True)
        return [f"{wanted.role} at {wanted.address(language)}: {fault}" for fault in found]

    def _weight(self, wanted):
        weight = sum(_packed(body) for body in _as_sent(self.bodies)) / 1024
        is_played = wanted.path.endswith(PLAYING) or "replays/" in wanted.path
        fitting = max((prefix for prefix in BUDGETS if wanted.path.startswith(prefix)), key=len)
        budget = PLAYING_BUDGET if is_played and not fitting else BUDGETS[fitting]
        return [f"weighs {weight:.0f} KB, {budget} are allowed"] if weight > budget else []


@cache
def _packed(body):
    return len(brotli.compress(body))


def _as_sent(bodies):
    """What a site whose files are collected sends in place of *bodies*: a script with its modules in one file."""
    bodies = {urlsplit(url).path.removeprefix(settings.STATIC_URL): one.body() for url, one in bodies.items()}
    for entry in HashedStaticFiles.bundles:
        if entry in bodies:
            whole = bundle(entry, lambda path: Path(finders.find(path)).read_text(encoding="utf-8"))
            bodies = {path: body for path, body in bodies.items() if path not in imports_of(entry)}
            bodies[entry] = whole.encode()
    return bodies.values()


def _overflow(page):
    """Whatever makes a reader scroll sideways."""
    wide, width = page.evaluate("[document.documentElement.scrollWidth - innerWidth, innerWidth]")
    return [f"is {wide} px too wide at {width}"] if wide > 0 else []


def _unreachable(page):
    """What the accessibility rules call serious, and where."""
    violations = Axe().run(page).response["violations"]
    return [
        f"{broken['id']}: {node['target'][0]}"
        for broken in violations
        if broken["impact"] in SERIOUS
        for node in broken["nodes"][:3]
    ]
