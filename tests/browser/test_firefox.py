"""The player in Firefox, by keyboard, by mouse and by touch. Left out where there is none: the set-up installs none."""

import pytest

from tests.browser.firefox import Firefox, program
from tests.web.conftest import a_level, a_round

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(program() is None, reason="no Firefox on this machine"),
]

LEFT, RIGHT, DOWN = "\ue012", "\ue014", "\ue015"
MOVES = "return document.querySelector('[data-shows=moves]').textContent === arguments[0]"
SOLVED = "return !document.querySelector('[data-solved]').hidden"
WIDE = "return document.documentElement.scrollWidth - innerWidth"
# The middle of a square of BEND by its column and row, from where the board is drawn.
MIDDLE = """
const frame = document.querySelector("[data-board]").getBoundingClientRect();
const cell = Math.min(112, Math.floor((frame.width - 20) / 7), Math.floor((frame.height - 20) / 5));
return [
    frame.x + 19 + (frame.width - 20 - 7 * cell) / 2 + (arguments[0] + 0.5) * cell,
    frame.y + 19 + (frame.height - 20 - 5 * cell) / 2 + (arguments[1] + 0.5) * cell,
];
"""
BEND = "#######|#@--.-#|#-$---#|#-----#|#######"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory, answered):
    browser = Firefox(tmp_path_factory.mktemp("firefox"))
    yield browser
    browser.end()


@pytest.fixture
def player(firefox, transactional_db, live_server):
    a_level(a_round(7, opens_in=-1), BEND)

    def open_(language="en"):
        firefox.open(f"{live_server.url}/{language}/rounds/7/main/play/")
        firefox.wait_for("return Boolean(document.querySelector('.player.ready'))")
        firefox.say("localStorage.clear(); return true")
        return firefox

    yield open_
    firefox.open("about:blank")


def test_a_level_is_solved_by_keyboard_by_mouse_and_by_touch(player):
    firefox = player()
    firefox.press(DOWN, RIGHT, RIGHT)
    firefox.wait_for(MOVES, "3")
    firefox.press("z", "z", "z")  # back, as the sheet of keys says
    firefox.wait_for(MOVES, "0")
    for kind in ("mouse", "touch"):
        firefox.point(*firefox.say(MIDDLE, 2, 2), kind)
        firefox.point(*firefox.say(MIDDLE, 4, 1), kind)
        firefox.wait_for(SOLVED)
        firefox.press("\ue00c")  # Escape begins again
        firefox.wait_for(MOVES, "0")
    assert firefox.say(WIDE) <= 0


def test_the_page_fits_a_narrow_window_in_chinese(player):
    player().tell("WebDriver:SetWindowRect", width=500, height=740)
    firefox = player("zh-hans")
    assert firefox.say(WIDE) <= 0
    firefox.press(LEFT, DOWN)
    firefox.wait_for(MOVES, "1")
