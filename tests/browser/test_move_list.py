"""The list of moves beside the board, and what else its tabs hold."""

import pytest
from playwright.sync_api import expect

from tests import sizes
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
    page.get_by_label("Moves as text (LURD)").fill("dRl" + "du" * 100_000)
    page.get_by_role("button", name="Play these from the start").click()
    expect(page.locator('[data-shows="moves"]')).to_have_text("200003")
    expect(runs(page).last).to_contain_text("…")
    assert len(runs(page).last.text_content()) < 300  # a walk of thousands of letters would be laid out at each key


def test_its_lines_are_reached_by_keys(open_page):
    page = open_page(PLAY, viewport={"width": 1280, "height": 900})
    for key in ("Down", "Right", "Right", "Down", "Right", "Up"):
        page.keyboard.press(f"Arrow{key}")
    page.get_by_role("tab", name="Moves").focus()
    page.keyboard.press("Tab")
    moves = page.locator('[data-shows="moves"]')
    for key, at in (
        ("ArrowUp", "3"),
        ("ArrowUp", "0"),
        ("End", "6"),
        ("ArrowLeft", "5"),
        ("Home", "0"),
        ("ArrowDown", "3"),
    ):
        page.keyboard.press(key)
        expect(moves).to_have_text(at)
        expect(page.locator("[data-move-list] button[tabindex='0']")).to_be_focused()
    line = page.locator("[data-move-list] :focus")
    expect(line).to_have_text("0 dRR")  # the list is made behind the picture
    expect(line).to_have_attribute("aria-current", "step")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(line).to_have_text("0 dRR")
    assert page.complaints == []


@pytest.mark.parametrize(("width", "height"), sizes.cases([(360, 740)], [(740, 360)]))
def test_a_phone_has_it_in_the_menu_and_a_line_leads_back_to_the_board(open_page, width, height):
    page = open_page(PLAY, viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    for key in ("Down", "Right", "Right", "Down", "Right", "Left"):
        page.keyboard.press(f"Arrow{key}")
    assert runs(page).count() == 0  # nobody waits for a list that is not seen
    page.locator(".bar [data-act=menu]").tap()
    assert runs(page).first.bounding_box()["height"] >= 44
    page.get_by_role("tab", name="Notes").tap()
    page.get_by_label("Your notes on this level").fill("The corner first.")
    expect(page.get_by_role("tab", name="Settings")).to_be_hidden()  # below, in the menu itself
    page.get_by_role("tab", name="Moves").tap()
    runs(page).first.tap()
    expect(page.locator("[data-move-list]")).to_be_hidden()
    expect(page.locator('[data-shows="moves"]')).to_have_text("3")
    assert page.complaints == []


def test_its_tabs_go_by_mouse_and_keys_and_leave_the_game_its_own(open_page):
    page = open_page(PLAY, viewport={"width": 1280, "height": 900})
    page.keyboard.press("ArrowDown")
    page.get_by_role("tab", name="Notes").click()
    page.keyboard.press("ArrowRight")  # by mouse: the keys are the game's again
    expect(page.locator('[data-shows="moves"]')).to_have_text("2")
    page.get_by_label("Your notes on this level").fill("The corner first.")
    page.get_by_role("tab", name="Notes").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Settings")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Settings").get_by_role("combobox", name="Skin")).to_be_visible()
    expect(page.locator('[data-shows="moves"]')).to_have_text("2")
    page.keyboard.press("Home")
    for lowest in (page.locator(".submit-here button"), page.locator("[data-act=keep]")):
        expect(lowest).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("button", name="Menu").click()
    page.get_by_text("Game settings").click()
    expect(page.get_by_role("combobox", name="Skin")).to_be_visible()
    page.reload()
    expect(page.locator("[data-notes]")).to_have_value("The corner first.")
    assert page.complaints == []
