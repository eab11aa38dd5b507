"""The list of moves beside the board."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_player import BEND
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAY = "/en/rounds/7/main/play/"


@pytest.fixture(autouse=True)
def _running_round(transactional_db, cache_of_its_own):
    a_level(a_round(7, opens_in=-1), BEND)


def runs(page):
    return page.locator("[data-move-list] button")


def test_it_grows_with_the_game_and_each_run_leads_to_its_end(open_page):
    page = open_page(PLAY, viewport={"width": 1280, "height": 900})
    for key in ("Down", "Right", "Right", "Down", "Right", "Up"):
        page.keyboard.press(f"Arrow{key}")
    expect(runs(page)).to_have_text(["0 dRR", "3 drU"])
    expect(page.locator("[data-move-list] [aria-current=step]")).to_have_text("3 drU")
    runs(page).first.click()
    expect(page.locator('[data-shows="moves"]')).to_have_text("3")
    expect(page.locator("[data-move-list] [aria-current=step]")).to_have_text("0 dRR")
    page.keyboard.press("ArrowLeft")
    expect(runs(page)).to_have_text(["0 dRR", "3 l"])


def test_it_stays_quick_in_a_game_of_half_a_million_moves(open_page):
    page = open_page(PLAY, viewport={"width": 1280, "height": 900})
    page.locator("[data-lurd] summary").click()
    page.get_by_label("Moves as text (LURD)").fill("dRl" + "rl" * 250_000)
    page.get_by_role("button", name="Play these from the start").click()
    expect(page.locator('[data-shows="moves"]')).to_have_text("500003")
    assert runs(page).count() < 130


def test_a_phone_has_no_room_for_it(open_page):
    page = open_page(PLAY, viewport={"width": 360, "height": 740})
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-move-list]")).to_be_hidden()
    assert runs(page).count() == 0
