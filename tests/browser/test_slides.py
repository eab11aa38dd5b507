"""Man and box slide from cell to cell, and nobody waits for it."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_player import BEND
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAY = "/en/rounds/7/main/play/"
PRESS = """async (codes) => {
    const frame = document.querySelector("[data-board]");
    const sliding = [];
    for (const code of codes) {
        frame.dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true, cancelable: true }));
        const moves = frame.getAnimations({ subtree: true }).map(({ effect }) => effect);
        sliding.push(moves.map((move) => [move.getTiming().duration, "transform" in move.getKeyframes()[0]]));
    }
    return sliding;
}"""


@pytest.fixture(autouse=True)
def _running_round(transactional_db, cache_of_its_own):
    a_level(a_round(7, opens_in=-1), BEND)


def test_a_step_moves_one_picture_and_a_push_two_and_the_next_key_ends_them(open_page):
    page = open_page(PLAY)
    walk, push, back = page.evaluate(PRESS, ["ArrowDown", "ArrowRight", "KeyZ"])
    assert walk == [[70, True]]
    assert push == [[70, True]] * 2
    assert back == []
    expect(page.locator('[data-shows="moves"]')).to_have_text("1")
    expect(page.locator("[data-board] canvas")).to_have_count(2)


def test_who_wants_less_motion_sees_positions_jump(open_page):
    page = open_page(PLAY, reduced_motion="reduce")
    assert page.evaluate(PRESS, ["ArrowDown", "ArrowRight"]) == [[], []]
    expect(page.locator('[data-shows="pushes"]')).to_have_text("1")
