"""Random acts on every page with a board, from a seed: whatever people do, no script fails and no answer is a 500."""

import contextlib
from random import Random

import pytest
from playwright.sync_api import Error

from tests import cast
from tests.browser.boards import BEND
from tests.browser.hands import choose_every_option, move_over_boards
from tests.sizes import cases
from tests.web.conftest import a_level, a_round

LURD = "dRRdrU"  # solves BEND
PAGES = (
    *("/en/rounds/7/main/play/", "/en/rounds/6/main/play/", "/en/collections/set/2/play/"),
    *("/sokoplayer/", "/lurd2xsb/"),
    *("/en/rounds/6/replays/{replay}/?with={other}", "/en/embed/replay/6/{replay}/", "/en/embed/level/7/main/"),
    *("/en/lab/klotski/", "/en/lab/knight/", "/en/lab/games/", "/en/lab/logic/", "/en/lab/sokoban/"),
    *("/en/", "/en/levels/", "/en/help/first-steps/", "/en/editor/", "/en/check/", "/en/submit/", "/en/nowhere/"),
    *("/en/rounds/6/virtual/", "/en/saved/"),
)
KEYS = (
    *("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown", "Shift+ArrowRight", "Backspace", "Enter", "Escape", "Tab"),
    *("z", "x", "r", "b", "c", "u", "f", "t", "h", "p", "n", "s", "?", "/", "[", "]", "+", "-", "Home", "End", "Space"),
    *("Control+z", "Control+Enter", "1", "0", "Delete"),
)
BOARD = "[data-board], .lab-board svg, svg.graph, [data-drawing], table.knight"
BUTTON = "main button[type=button], main summary, main input:is([type=checkbox], [type=radio], [type=range])"
# The middle of one of the visible elements, or where *across* and *down*, from 0 to 1, lie in it.
PLACE = """([selector, which, across, down]) => {
  const all = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  if (!all.length) return [across * innerWidth, down * innerHeight];
  const one = all[Math.floor(which * all.length)];
  one.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = one.getBoundingClientRect();
  return [left + across * width, top + down * height];
}"""
CHOOSE = """([which, option]) => {
  const all = [...document.querySelectorAll("main select")].filter((one) => one.options.length);
  if (!all.length) return;
  const select = all[Math.floor(which * all.length)];
  select.selectedIndex = Math.floor(option * select.options.length);
  for (const kind of ["input", "change"]) select.dispatchEvent(new Event(kind, { bubbles: true }));
}"""


class Person:
    """A reader of *page* whose acts depend only on *seed*; all acts are printed."""

    def __init__(self, page, seed):
        self.page, self.random, self.is_offline = page, Random(seed), False
        act = {self.move: 6, self.tap: 5, self.drag: 3, self.press_button: 6, self.press_key: 6, self.choose: 3}
        rare = {self.go_back: 1, self.go_forward: 1, self.change_network: 2}
        self.acts = [done for done, weight in (act | rare).items() for _ in range(weight)]

    def act(self):
        chosen = self.random.choice(self.acts)
        print(chosen.__name__, end=" ")
        with contextlib.suppress(Error):  # The act before leads to another page, or there is no network.
            chosen()

    def visit(self, path):
        print(f"\n{path}", end=": ")
        self.set_offline(False)
        self.page.goto(path)
        choose_every_option(self.page, after_buttons=True)
        move_over_boards(self.page)

    def move(self):
        self.page.mouse.move(*self._place(BOARD))

    def tap(self):
        self.page.touchscreen.tap(*self._place(BOARD))

    def drag(self):
        self.page.mouse.move(*self._place(BOARD))
        self.page.mouse.down()
        self.page.mouse.move(*self._place(BOARD))
        self.page.mouse.up()

    def press_button(self):
        self.page.mouse.click(*self._place(BUTTON, is_middle=True))

    def press_key(self):
        key = self.random.choice(KEYS)
        print(key, end=" ")
        self.page.keyboard.press(key)

    def choose(self):
        self.page.evaluate(CHOOSE, [self.random.random(), self.random.random()])

    def go_back(self):
        self.page.go_back(wait_until="commit")

    def go_forward(self):
        self.page.go_forward(wait_until="commit")

    def change_network(self):
        self.set_offline(not self.is_offline)

    def set_offline(self, is_offline):
        self.is_offline = is_offline
        self.page.context.set_offline(is_offline)

    def _place(self, selector, *, is_middle=False):
        which, across, down = (self.random.random() for _ in range(3))
        return self.page.evaluate(PLACE, [selector, which, *([0.5, 0.5] if is_middle else [across, down])])


@pytest.fixture
def paths(transactional_db, cache_of_its_own, quick_judge):
    for number, opens_in in ((7, -1), (6, -40)):
        round_ = a_round(number, opens_in=opens_in)
        a_level(round_, BEND)
    shown = [cast.enter(round_, name, 6 + more, 3, at=round_.opens_at) for more, name in enumerate(("Ann", "Ben"))]
    type(shown[0]).objects.filter(round=round_).update(lurd=LURD)
    cast.a_collection("set", [BEND, BEND])
    return [path.format(replay=shown[0].pk, other=shown[1].pk) for path in PAGES]


@pytest.mark.parametrize(("seed", "acts", "pages"), cases([(46, 6, slice(None, None, 3))], [(1, 140, slice(None))]))
def test_no_script_fails_whatever_people_do(open_page, paths, seed, acts, pages):
    """*acts* on each page, or on every third; the exhaustive size does 3,080."""
    page = open_page("about:blank", has_touch=True, viewport={"width": 900, "height": 740})
    failures = []
    page.on("pageerror", lambda error: failures.append(f"{page.url}: {error.stack}"))
    page.on("response", lambda answer: failures.append(answer.url) if answer.status >= 500 else None)
    person = Person(page, seed)
    for path in paths[pages]:
        person.visit(path)
        for _ in range(acts):
            person.act()
    person.set_offline(False)
    assert failures == []
