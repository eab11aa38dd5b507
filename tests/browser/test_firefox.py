"""The player in Firefox, by keyboard, mouse and touch. Skipped without Firefox: the set-up does not install it."""

import pytest

from tests.browser.boards import MIDDLE
from tests.browser.conftest import wait_until_answered
from tests.browser.firefox import Firefox, program

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(program() is None, reason="no Firefox on this machine"),
]

LEFT, RIGHT, DOWN, ESCAPE = "\ue012", "\ue014", "\ue015", "\ue00c"
IS_READY = "return Boolean(document.querySelector('.player.ready'))"
HAS_MOVED = "return document.querySelector('[data-shows=moves]').textContent === arguments[0]"
IS_SOLVED = "return !document.querySelector('[data-solved]').hidden"
TOO_WIDE = "return document.documentElement.scrollWidth - innerWidth"


def test_a_level_is_solved_by_keyboard_by_mouse_and_by_touch_and_fits_a_narrow_window(bend, live_server, tmp_path):
    firefox = Firefox(tmp_path)

    def open_(language):
        firefox.open(f"{live_server.url}/{language}/rounds/7/main/play/")
        firefox.wait_for(IS_READY)

    try:
        open_("en")
        firefox.press(DOWN, RIGHT, RIGHT)
        firefox.wait_for(HAS_MOVED, "3")
        firefox.press("z", "z", "z")  # undo, as listed on the key sheet
        firefox.wait_for(HAS_MOVED, "0")
        for kind in ("mouse", "touch"):
            for square in ([2, 2], [4, 1]):
                x, y = firefox.execute(f"return ({MIDDLE})(arguments[0])", square)
                firefox.point(x, y, kind)
            firefox.wait_for(IS_SOLVED)
            firefox.press(ESCAPE)  # restart
            firefox.wait_for(HAS_MOVED, "0")
        assert firefox.execute(TOO_WIDE) <= 0
        firefox.send_command("WebDriver:SetWindowRect", width=500, height=740)
        open_("zh-hans")
        assert firefox.execute(TOO_WIDE) <= 0
        firefox.press(LEFT, DOWN)
        firefox.wait_for(HAS_MOVED, "1")
    finally:
        firefox.end()
        wait_until_answered()
