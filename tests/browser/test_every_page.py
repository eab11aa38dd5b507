"""Visit every page as a reader would and write down what is wrong with it.

With SHOTS=<folder> each page is also taken as a picture: `python3 dev.py shots` does that in every combination.
"""

import json
import os
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import brotli
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.conf import settings
from django.contrib.staticfiles import finders

from contest.infra.bundling import bundle
from contest.templatetags.modules import imports_of
from contest.web.shell.static import HashedStaticFiles
from tests.browser import whole_site
from tests.browser.hands import move_over_boards
from tests.browser.sheets import make_sheets

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHOTS = os.environ.get("SHOTS", "")
HEIGHTS = {360: 740, 768: 1024, 1280: 800}
EVERY = [(language, theme, width) for language in ("en", "zh-hans") for theme in ("light", "dark") for width in HEIGHTS]
# Each language, each theme and each end of the widths once; every page must also fit the other end.
SOME = [("en", "light", 360), ("zh-hans", "dark", 1280)]
# What a first view may weigh, in KB as Brotli packs it; the longest prefix counts.
BUDGETS = {"embed/": 40, "": 60}
PLAYING = ("play/", "replays/", "editor/", "check/", "submit/", "sokoplayer/", "lurd2xsb/", "virtual/")
# To pack it so well takes forty times as long: only where it is too heavy otherwise.
AS_SENT, IN_HASTE = 11, 5
PLAYED_ON = ("replays/", "lurd2xsb/")  # what follows names the game
PLAYING_BUDGET = 100
# The first three places of whatever is serious. Only these leave the browser: the whole answer is as long as a page.
# To find what lies behind a text takes three quarters of all that axe does, and most texts stand on every page, or in
# every row: where one could be read, another is not asked of that is the same all the way up to the page, in tag,
# classes and all that colours it.
UNREACHABLE = """async (known) => {
  const readable = new Set(JSON.parse(known)), found = [], kinds = new WeakMap();
  const kindOf = (element) => {
    if (!element) return "";
    if (!kinds.has(element)) {
      const style = getComputedStyle(element);
      const said = ["color", "backgroundColor", "backgroundImage", "opacity", "filter", "mixBlendMode", "textShadow",
        "fontSize", "fontWeight", "position", "zIndex"].map((name) => style[name]);
      const own = [element.localName, element.getAttribute("class"), element.disabled, ...said].join();
      kinds.set(element, hashed(`${kindOf(element.parentElement)} ${own}`));
    }
    return kinds.get(element);
  };
  const hashed = (text) => {
    let [one, two] = [0xdeadbeef, 0x41c6ce57];
    for (let place = 0; place < text.length; place++) {
      one = Math.imul(one ^ text.charCodeAt(place), 2654435761);
      two = Math.imul(two ^ text.charCodeAt(place), 1597334677);
    }
    return 4294967296 * (2097151 & two) + (one >>> 0);
  };
  const check = axe._audit.checks["color-contrast"], measure = check.evaluate;
  check.evaluate = function (element, ...others) {
    const kind = kindOf(element);
    if (readable.has(kind)) return true;
    const answer = measure.call(this, element, ...others);
    if (answer === true) {
      readable.add(kind);
      found.push(kind);
    }
    return answer;
  };
  const { violations } = await axe.run({ resultTypes: ["violations"] });
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  const told = serious.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ target }) => `${id}: ${target[0]}`));
  return JSON.stringify([told, found]);
}"""


@pytest.fixture
def site(transactional_db):
    return whole_site.load()


@pytest.mark.parametrize(("language", "theme", "width"), EVERY if SHOTS else SOME)
def test_every_page_is_clean(site, chromium, live_server, pytestconfig, language, theme, width):
    """In the short size each page is visited in one of the combinations, in turn."""
    size = {"width": width, "height": HEIGHTS[width]}
    visits = Visits(chromium, live_server.url, site, viewport=size, color_scheme=theme, locale=language)
    pages = list(whole_site.pages(site))
    if not SHOTS and not pytestconfig.getoption("exhaustive"):
        pages = pages[SOME.index((language, theme, width)) :: len(SOME)]
    faults = [fault for page in pages for fault in visits.faults(page, language)]
    visits.close()
    if SHOTS:
        make_sheets(Path(SHOTS), f"{language}-{theme}-{width}")
    assert not faults, "\n".join(faults)


def test_what_is_serious_is_seen(chromium):
    page = chromium.new_page()
    page.set_content("<title>A page</title><img src='data:,'><h4>Too low</h4><p style='color: #bbb'>Too pale</p>")
    assert sorted(_unreachable(page, set())) == ["color-contrast: p", "html-has-lang: html", "image-alt: img"]
    page.close()


def test_a_pale_text_is_seen_among_readable_ones_of_its_kind(chromium):
    """By what colours it, or what it stands on, on the same page or another."""
    page, readable, seen = chromium.new_page(), set(), []
    style = "<style>.pale { color: #bbb } .dark { background: #444 }</style>"
    for odd in (
        "<p>Fine</p>",
        "<p class='pale'>Pale</p>",
        "<div class='dark'><p>Lost</p></div>",
        "<p style='opacity: .2'>Thin</p>",
    ):
        page.set_content(f"<html lang='en'><title>A page</title>{style}<main>{'<p>Fine</p>' * 3}{odd}</main>")
        seen.append(_unreachable(page, readable))
    assert seen == [[], ["color-contrast: .pale"], ["color-contrast: div > p"], ["color-contrast: p:nth-child(4)"]]
    page.close()


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
        self.heard, self.bodies, self.readable = [], {}, set()

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
        move_over_boards(page)
        found = [*self.heard, *_overflow(page), *_unreachable(page, self.readable), *self._weight(wanted)]
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
        bodies = list(_as_sent(self.bodies))
        is_played = wanted.path.endswith(PLAYING) or any(part in wanted.path for part in PLAYED_ON)
        fitting = max((prefix for prefix in BUDGETS if wanted.path.startswith(prefix)), key=len)
        budget = PLAYING_BUDGET if is_played and not fitting else BUDGETS[fitting]
        if _weight(bodies, IN_HASTE) <= budget:
            return []
        weight = _weight(bodies, AS_SENT)
        return [f"weighs {weight:.0f} KB, {budget} are allowed"] if weight > budget else []


def _weight(bodies, quality):
    return sum(_packed(body, quality) for body in bodies) / 1024


@cache
def _packed(body, quality):
    return len(brotli.compress(body, quality=quality))


def _as_sent(responses):
    """What a site whose files are collected sends in place of *responses*: a script with its modules in one file."""
    bodies = {}
    for url, one in responses.items():
        path = urlsplit(url).path.removeprefix(settings.STATIC_URL)
        bodies[path] = _file(path) or one.body()
    for entry in HashedStaticFiles.bundles:
        if entry in bodies:
            bodies = {path: body for path, body in bodies.items() if path not in imports_of(entry)}
            bodies[entry] = _bundle(entry)
    return bodies.values()


@cache
def _file(path):
    """A static file, which is sent as it lies there: to fetch it from the browser takes longer. None for a page."""
    found = None if path.startswith("/") else finders.find(path)
    return found and Path(found).read_bytes()


@cache
def _bundle(entry):
    return bundle(entry, lambda path: _file(path).decode()).encode()


def _overflow(page):
    """Whatever makes a reader scroll sideways."""
    wide, width = page.evaluate("[document.documentElement.scrollWidth - innerWidth, innerWidth]")
    return [f"is {wide} px too wide at {width}"] if wide > 0 else []


def _unreachable(page, readable):
    """What the accessibility rules call serious, and where; *readable* are kinds of text that need no other look."""
    page.evaluate(AXE_SCRIPT)
    # As one text: Playwright looks at each value of a list on its own.
    serious, found = json.loads(page.evaluate(UNREACHABLE, json.dumps(list(readable))))
    readable.update(found)
    return serious
