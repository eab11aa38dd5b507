"""The first steps: to walk, to push, and what a box in a corner means."""

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGE = "/en/help/first-steps/"


@pytest.fixture(autouse=True)
def _cache(cache_of_its_own):
    """Pages keep what they made."""


def lesson(page, name):
    return page.locator(".lesson").filter(has=page.get_by_role("heading", name=name))


def press(part, *names):
    for name in names:
        part.get_by_role("button", name=name, exact=True).click()


def test_whoever_does_the_three_lessons_is_led_to_the_levels(open_page):
    page = open_page(PAGE)
    walk, push, trap = (lesson(page, name) for name in ("Walk", "Push", "A trap"))
    press(walk, *["Down"] * 2, *["Right"] * 4, *["Up"] * 2)
    expect(walk.get_by_role("status")).to_have_text("There you are. Walls are in your way, floor is not.")
    press(push, *["Right"] * 3)
    expect(push.get_by_role("status")).to_have_text("Solved: every box stands on a goal.")
    expect(page.get_by_role("heading", name="That is the whole game")).to_be_hidden()
    press(trap, "Up", "Right", "Right", "Right")
    press(trap, "Undo", "Up", "Right", "Down")
    expect(trap.get_by_role("status")).to_have_text("Solved. In the game, too, every step can be undone.")
    page.get_by_role("link", name="To the levels").click()
    page.wait_for_url("**/en/")


def test_a_box_that_can_never_reach_its_goal_is_shown_and_can_be_taken_back(open_page):
    page = open_page(PAGE)
    trap = lesson(page, "A trap")
    board = trap.get_by_role("application")
    board.focus()
    for key in ("ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    expect(trap.get_by_role("status")).to_contain_text("never reach the goal again")
    page.keyboard.press("Backspace")
    expect(trap.get_by_role("status")).to_contain_text("Push the box to its goal")


def test_a_touch_beside_the_man_is_a_step(open_page):
    page = open_page(PAGE, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    push = lesson(page, "Push")
    board = push.get_by_role("application")
    board.scroll_into_view_if_needed()
    box = board.bounding_box()
    for _ in range(3):
        page.touchscreen.tap(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
    expect(push.get_by_role("status")).to_have_text("Solved: every box stands on a goal.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_script_the_pictures_and_the_words_are_there(open_page):
    page = open_page(PAGE, java_script_enabled=False)
    assert page.locator(".lesson svg").count() == 3
    expect(page.get_by_text("Boxes are pushed, never pulled.")).to_be_visible()
    expect(page.get_by_role("button", name="Undo").first).to_be_hidden()
