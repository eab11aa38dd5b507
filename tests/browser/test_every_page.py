"""Visit every page as a reader would and record its faults.

With SHOTS=<folder> a screenshot is taken of each page: `python3 dev.py shots` does that in every combination.
"""

import json
import os
from functools import cache
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import brotli
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.conf import settings
from django.contrib.staticfiles import finders

from tests.browser import whole_site
from tests.browser.conftest import wait_until_answered
from tests.browser.hands import move_over_boards
from tests.browser.sheets import make_sheets

SHOTS = os.environ.get("SHOTS", "")
HEIGHTS = {360: 740, 768: 1024, 1280: 800}
EVERY = [(language, theme, width) for language in ("en", "zh-hans") for theme in ("light", "dark") for width in HEIGHTS]
ENDS = (360, 1280)  # a visit begins at one of them, and the page must fit the other too
WHOLE = [look for look in EVERY if look[2] in ENDS]
# Each pair of a language, a theme and a width once.
PAIRWISE = [("en", "light", 360), ("zh-hans", "dark", 360), ("en", "dark", 1280), ("zh-hans", "light", 1280)]
# Half of the pages for each of two workers; pictures are taken of all pages in one look after the other.
PARTS = 2
CASES = (
    [([look], slice(None)) for look in EVERY] if SHOTS else [(None, slice(part, None, PARTS)) for part in range(PARTS)]
)
# Limits for the first view of a page, in KB after Brotli compression; the longest prefix counts.
BUDGETS = {"embed/": 40, "embed/play/": 60, "": 60}
PLAYING = ("play/", "replays/", "editor/", "check/", "submit/", "sokoplayer/", "lurd2xsb/", "virtual/")
# Maximum compression takes forty times as long: used only if the fast one exceeds the limit.
AS_SENT, IN_HASTE = 11, 5
PLAYED_ON = ("replays/", "lurd2xsb/", "run/")  # the rest of the URL names the game
PLAYING_BUDGET = 100
# The first three elements of each serious violation; rules of a lesser impact do not run. Only these leave the
# browser: the full result is as long as a page. Finding the background of a text takes three quarters of axe's time,
# and most texts are on every page or in every row. A text is skipped if one with the same tags, classes and colours of
# all ancestors was readable.
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
  const hashed = (text) => [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.codePointAt()) | 0, 7);
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
  const light = axe._audit.rules.filter(({ impact }) => ["minor", "moderate"].includes(impact));
  const rules = Object.fromEntries(light.map(({ id }) => [id, { enabled: false }]));
  const { violations } = await axe.run({ resultTypes: ["violations"], rules });
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  const told = serious.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ target }) => `${id}: ${target[0]}`));
  return JSON.stringify([told, found]);
}"""

# Loaded as a file, so that the browser can reuse the compiled script for each page.
LOAD_AXE = """(address) => new Promise((done, failed) => {
  const script = document.createElement("script");
  Object.assign(script, { src: address, onload: done, onerror: failed });
  document.head.append(script);
})"""
# How much wider the page is than its window, and table cells with overflowing or clipped content.
MISFITS = """() => {
  for (const part of document.querySelectorAll("main details")) part.open = true;
  const lost = [...document.querySelectorAll("table.list :is(td, th)")].filter((cell) => {
    const box = cell.getBoundingClientRect();
    return [...cell.querySelectorAll(":not(.hidden, .hidden *)")].some((part) => {
      const own = part.getBoundingClientRect();
      if (!own.width) return false;
      const isCut = getComputedStyle(part).overflowX !== "visible" && part.scrollWidth > part.clientWidth + 1;
      return isCut || own.left < box.left - 1 || own.right > box.right + 1;
    });
  });
  return [document.documentElement.scrollWidth - innerWidth, innerWidth, lost.map((cell) => cell.textContent.trim())];
}"""


@pytest.fixture
def visits(transactional_db, chromium, live_server, answered):
    bundles = settings.DATA_DIR / "bundles"  # a folder of static files
    bundles.mkdir(parents=True, exist_ok=True)
    (bundles / "axe.js").write_text(AXE_SCRIPT)
    made = Visits(chromium, live_server.url, whole_site.load())
    yield made
    made.close()
    wait_until_answered()


@pytest.mark.parametrize(("looks", "turn"), CASES)
def test_every_page_is_clean(visits, pytestconfig, looks, turn):
    """The short run visits one page of each URL pattern in one look, both in turn; the exhaustive one all in all."""
    looks = looks or (WHOLE if pytestconfig.getoption("exhaustive") else None)
    faults = []
    for number, pages in enumerate(whole_site.pages_by_pattern(visits.site, turn)):
        for page in pages if looks else islice(pages, 1):
            for look in looks or [PAIRWISE[number % len(PAIRWISE)]]:
                faults += visits.faults(page, look)
    if SHOTS:
        make_sheets(Path(SHOTS), "-".join(map(str, looks[0])))
    assert not faults, "\n".join(faults)


class Visits:
    def __init__(self, chromium, base, site):
        self.chromium, self.base, self.site = chromium, base, site
        self.pages, self.complaints, self.bodies, self.readable = {}, [], {}, set()

    def close(self):
        for page in self.pages.values():
            page.context.close()

    def _page_of(self, role, look):
        """Return the browser page of *role* in *look*; only another language needs another browser."""
        language, theme, width = look
        if (role, language) not in self.pages:
            self.pages[role, language] = self._new_page(role, language)
        page = self.pages[role, language]
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        if page.viewport_size["width"] != width:
            page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        return page

    def _new_page(self, role, language):
        context = self.chromium.new_context(base_url=self.base, locale=language)
        context.add_cookies([{"name": n, "value": v, "url": self.base} for n, v in self.site.cookies(role).items()])
        context.set_default_timeout(120_000)  # a busy machine may take that long
        page = context.new_page()
        page.on(
            "console",
            lambda message: self._record_complaint(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: self._record_complaint(str(error)))
        page.on("response", self._weigh)
        return page

    def _record_complaint(self, text):
        self.complaints.append(text)

    def _weigh(self, response):
        if not response.url.startswith(self.base):
            self.complaints.append(f"asks {response.url}")
        elif response.ok and response.request.resource_type in ("document", "script", "stylesheet"):
            self.bodies[response.url] = response

    def faults(self, wanted, look):
        (language, theme, width), page = look, self._page_of(wanted.role, look)
        self.complaints, self.bodies = [], {}
        page.goto(wanted.address(language))
        move_over_boards(page)
        weight = self._weight(wanted)
        page.evaluate(LOAD_AXE, f"{settings.STATIC_URL}axe.js")
        problems = [*self.complaints, *weight, *_unreachable(page, self.readable)]
        if SHOTS:
            page.screenshot(
                path=str(Path(SHOTS) / f"{language}-{theme}-{width}" / f"{wanted.name}.png"), full_page=True
            )
        else:
            problems += _misfits(page)
            other = next(end for end in ENDS if end != width)
            page.set_viewport_size({"width": other, "height": HEIGHTS[other]})
        faults = [*problems, *_misfits(page)]
        return [f"{wanted.role} at {wanted.address(language)} ({theme}, {width}): {fault}" for fault in faults]

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
    """Return the bodies of *responses*; static files are read from disk, which is faster than from the browser."""
    for url, response in responses.items():
        path = urlsplit(url).path
        source = path.startswith(settings.STATIC_URL) and finders.find(path.removeprefix(settings.STATIC_URL))
        yield Path(source).read_bytes() if source else response.body()


def _misfits(page):
    """Return the elements that cause horizontal scrolling or are clipped in a table, with every section open."""
    wide, width, lost = page.evaluate(MISFITS)
    return [f"is {wide} px too wide at {width}"] * (wide > 0) + [f"loses {text} at {width}" for text in lost]


def _unreachable(page, readable):
    # As one string: Playwright converts each value of a list separately.
    serious, reached = json.loads(page.evaluate(UNREACHABLE, json.dumps(list(readable))))
    readable.update(reached)
    return serious
