"""Branches, and playing backwards and both ways, by keys, mouse and touch."""

import pytest
from playwright.sync_api import expect

from contest.infra import clock
from contest.models import Level
from tests.browser.test_player import BEND, at
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAY = "/en/rounds/7/main/play/"


@pytest.fixture(autouse=True)
def _running_round(transactional_db, cache_of_its_own):
    a_level(a_round(7, opens_in=-1), BEND)


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_what_was_left_is_taken_up_again_even_after_a_reload(open_page):
    page = open_page(PLAY)
    press(page, "ArrowDown", "ArrowRight", "ArrowRight", "z", "ArrowDown")
    chip = page.get_by_role("button", name="A · from 2 to 3")
    expect(chip).to_be_visible()
    page.reload()
    chip.click()
    expect(page.locator('[data-shows="pushes"]')).to_have_text("2")
    expect(page.get_by_role("button", name="B · from 2 to 3")).to_be_visible()
    assert page.complaints == []


def test_the_branches_are_drawn_as_a_tree_above_their_list(open_page):
    page = open_page(PLAY)
    page.get_by_role("tab", name="Branches").click()
    expect(page.locator("[data-tree]")).to_be_hidden()
    page.locator("[data-board]").click(position={"x": 3, "y": 3})
    press(page, "ArrowDown", "ArrowRight", "ArrowRight", "z", "ArrowDown")
    expect(page.locator("[data-tree]")).to_be_visible()
    assert page.locator("[data-tree] rect").count() == 2  # the end of the branch, and where the game stands
    assert page.locator("[data-branch-list] li").count() == 1
    assert page.complaints == []


def test_backwards_by_mouse_the_solution_is_shown_forwards(open_page):
    page = open_page(PLAY)
    page.get_by_role("button", name="Reverse").click()
    for square in ["E3", "E2", "C3"]:  # where one stands in the end; the box on its goal; where it begins
        page.mouse.click(*at(page, square))
    expect(page.locator("[data-says]")).to_have_text("The lines meet. Moves: 6, pushes: 3.")
    expect(page.locator("[data-solved]")).to_be_visible()
    assert page.complaints == []


def test_both_ways_by_keys_and_kept_over_a_reload(open_page):
    page = open_page(PLAY)
    press(page, "b", "c", *["ArrowRight"] * 3, "ArrowDown", "Enter", "c", "Shift+ArrowDown", "b", "Shift+B")
    page.reload()
    press(page, "ArrowDown", "ArrowRight", "ArrowRight")
    expect(page.locator("[data-says]")).to_have_text("The lines meet. Moves: 6, pushes: 3.")
    assert page.complaints == []


def test_a_phone_has_the_board_in_all_its_screen_and_the_rest_in_sheets(open_page):
    page = open_page(PLAY, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    room = page.locator("[data-board]").bounding_box()
    assert room["width"] == 360
    assert room["height"] >= 740 - 48 - 56
    page.touchscreen.tap(*at(page, "C3"))
    page.touchscreen.tap(*at(page, "E2"))
    card = page.locator("[data-solved]")
    expect(card.get_by_role("button", name="Submit this solution")).to_be_in_viewport()
    expect(card.get_by_role("button", name="Share")).to_be_in_viewport()
    page.locator(".bar [data-act=undo]").tap()
    expect(card).to_be_hidden()
    page.locator(".bar [data-act=menu]").tap()
    expect(page.get_by_role("button", name="Restart")).to_be_visible()
    page.get_by_role("button", name="Reverse").tap()
    expect(page.get_by_role("button", name="Restart")).to_be_hidden()
    assert page.complaints == []


def test_a_phone_has_one_row_of_four_hands_and_calls_the_level_by_its_title(open_page):
    Level.objects.update(title="The bend")
    page = open_page(PLAY, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    hands = page.locator(".bar button:visible")
    expect(hands).to_have_text(["Undo", "Redo", "Branches", "Menu"], use_inner_text=True)
    assert len({hand.bounding_box()["y"] for hand in hands.all()}) == 1
    expect(page.locator(".head-line .name")).to_have_text("MainThe bend")
    assert page.locator("[data-board]").evaluate("board => getComputedStyle(board).outlineStyle") == "none"
    page.keyboard.press("ArrowDown")
    assert page.locator("[data-board]").evaluate("board => getComputedStyle(board).outlineStyle") != "none"


def test_turning_is_offered_where_the_board_gains_a_quarter(open_page):
    page = open_page(PLAY, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    offer = page.get_by_role("button", name="Turn for a larger board")
    offer.tap()
    expect(offer).to_be_hidden()
    page.keyboard.press("ArrowDown")  # as it is seen: to the right as it was published
    expect(page.locator('[data-shows="moves"]')).to_have_text("1")
    page.set_viewport_size({"width": 740, "height": 360})
    expect(offer).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(offer).to_be_hidden()


def test_what_the_page_says_above_the_board_is_said_over_it_on_a_phone(open_page):
    Level.objects.update(voided_at=clock.now(), void_reason_en="Two boxes were one.")
    page = open_page(PLAY, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    notice = page.get_by_text("Two boxes were one.")
    expect(notice).to_be_in_viewport()
    notice.tap()
    expect(notice).to_be_hidden()
    page.touchscreen.tap(*at(page, "C3"))
    expect(page.locator("[data-says]")).to_contain_text("places it can go to")


def test_on_its_side_the_hands_stand_beside_the_board(open_page):
    page = open_page(PLAY, viewport={"width": 740, "height": 360}, has_touch=True, is_mobile=True)
    board, undo = page.locator("[data-board]").bounding_box(), page.locator(".bar [data-act=undo]").bounding_box()
    assert board["height"] == 360
    assert undo["x"] >= board["x"] + board["width"] - 1
