"""The lab in a real browser."""

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ALMOST_OUT = "VVVV\nVVVV\nVCCo\nVCCo\no..o"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def load(page, layout):
    page.get_by_text("A layout of your own").click()
    page.locator("[data-own-text]").fill(layout)
    page.get_by_role("button", name="Play this layout").click()


def test_klotski_is_played_by_touch_on_a_phone(open_page):
    page = open_page("/en/lab/klotski/", **PHONE)
    load(page, ALMOST_OUT)
    page.locator("[data-cell='9']").tap()
    expect(page.locator("[data-says]")).to_contain_text("No way is shorter.")
    assert page.complaints == []


def test_klotski_is_played_by_keyboard(open_page):
    page = open_page("/en/lab/klotski/")
    page.locator("[data-cell='13']").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-count]")).to_have_text("Moves: 1 · at best 81")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-count]")).to_have_text("Moves: 0 · at best 81")


def test_the_next_best_move_is_marked_and_what_is_left_is_said(open_page):
    page = open_page("/en/lab/klotski/")
    page.get_by_role("button", name="Next best move").click()
    expect(page.locator("[data-says]")).to_have_text("81 more at best")
    expect(page.locator(".target")).to_have_count(1)


def test_a_layout_that_is_none_is_refused_in_words(open_page):
    page = open_page("/en/lab/klotski/")
    load(page, "VVVV")
    expect(page.locator("[data-own-trouble]")).to_contain_text("This is no layout")
    expect(page.locator("[data-count]")).to_have_text("Moves: 0 · at best 81")


def test_a_link_leads_to_the_same_mirror_game(open_page):
    page = open_page("/en/lab/klotski/")
    page.locator("[data-goal]").select_option("rotated")
    page.get_by_role("button", name="Copy link").click()
    there = open_page(page.url.partition("/en")[1] + page.url.partition("/en")[2])
    expect(there.locator("[data-goal]")).to_have_value("rotated")


def test_two_presses_on_the_board_count_a_knights_moves(open_page):
    page = open_page("/en/lab/knight/")
    page.locator("[data-row='0'][data-column='0']").click()
    page.locator("[data-row='1'][data-column='1']").click()
    expect(page.locator("[data-moves]")).to_have_text("Moves: 4")
    assert page.complaints == []


def test_the_perfect_player_takes_what_is_left(open_page):
    page = open_page("/en/lab/games/")
    while page.locator(".stone:enabled").count() > 0:
        page.locator(".stone:enabled").first.click()
        page.wait_for_timeout(700)
    expect(page.locator("[data-says]")).to_have_text("The perfect player wins.")
    assert page.complaints == []
