import re

import pytest
from playwright.sync_api import expect

from contest.infra import clock
from contest.models import Level, Submission
from tests.browser import boards
from tests.browser.hands import finger, press, stop_clock

pytestmark = pytest.mark.usefixtures("bend")


def test_a_game_by_keyboard_and_the_predicted_rank_is_that_of_the_receipt(open_page):
    """Rule 7.7; a refusal is shown next to its field."""
    page = open_page(boards.PLAY)
    press(page, *boards.SOLUTION)
    expect(boards.solved(page)).to_be_visible()
    expect(boards.solved(page).locator("[data-rank=moves] b")).to_have_text("1")
    expect(page.locator("[data-measures]")).to_contain_text("Pushing sessions2")
    press(page, "Control+Enter", "Enter")
    expect(page.locator("[data-error=nickname]")).to_have_text("The nickname cannot be empty.")
    expect(page.locator("[data-sent]")).to_contain_text("NOT received")
    expect(page.get_by_label("Moves", exact=True)).to_have_value("dRRdrU")
    page.keyboard.type("Ann")
    press(page, "Enter")
    expect(page.locator("#verdict")).to_contain_text("rank 1")
    assert boards.moves_sent(page) == "dRRdrU"


def test_a_game_by_mouse_and_a_lost_submission_is_sent_again(open_page):
    """Rule 5.6."""
    page = open_page(boards.PLAY, color_scheme="light")
    boards.wait_for_colours(page, *boards.CLASSIC)
    page.mouse.click(*boards.at(page, "B3"))
    expect(boards.shown(page, "moves")).to_have_text("1")
    box, floor = boards.colour_at(page, "C3"), boards.colour_at(page, "D3")
    page.mouse.click(*boards.at(page, "C3"))
    expect(boards.message_line(page)).to_contain_text("places it can go to")
    assert boards.colour_at(page, "C3") == box  # no marks are drawn on boxes
    assert boards.colour_at(page, "D3") not in (floor, box)
    page.mouse.click(*boards.at(page, "E2"))
    expect(boards.solved(page)).to_be_visible()
    boards.solved(page).get_by_role("button", name="Submit").click()
    page.get_by_label("Nickname", exact=True).fill("Ann")
    send, sent = page.locator("[data-drawer] form button.button"), page.locator("[data-sent]")
    page.context.set_offline(True)
    send.click()
    expect(sent).to_contain_text("NOT received: you are offline")
    assert not Submission.objects.exists()
    page.context.set_offline(False)
    page.evaluate(boards.LOSE_ONE_ANSWER)
    send.click()
    expect(sent).to_contain_text("NOT received: no answer came")
    assert Submission.objects.count() == 1
    send.click()
    assert boards.moves_sent(page) == "dRRdrU"


def test_a_game_by_touch_on_a_phone(open_page):
    page = open_page(boards.PLAY, **boards.PHONE)
    page.touchscreen.tap(*boards.at(page, "C3"))
    expect(boards.message_line(page)).to_contain_text("places it can go to")
    page.touchscreen.tap(*boards.at(page, "E2"))
    expect(boards.solved(page).get_by_role("button", name="Share")).to_be_in_viewport()
    page.locator(".bar [data-act=undo]").tap()
    expect(boards.solved(page)).to_be_hidden()
    page.locator(".bar [data-act=redo]").tap()
    boards.solved(page).get_by_role("button", name="Submit").tap()
    page.get_by_label("Nickname", exact=True).fill("Ann")
    page.locator("[data-drawer] form button.button").tap()
    assert boards.moves_sent(page) == "dRRdrU"


def test_a_game_as_text(open_page):
    page = open_page(boards.PLAY)
    page.get_by_text("Text mode").click()
    field = page.get_by_label("Command", exact=True)
    for line, answer in [
        ("row 3", "Row 3: wall A3, floor B3, box C3, floor D3–F3, wall G3."),
        ("load dRRdrU", "Moves 6, pushes 3, on goals 1 of 1."),
        ("rank", "By moves it would reach rank 1."),
        ("submit", "The form to submit is open"),
    ]:
        field.fill(line)
        field.press("Enter")
        expect(page.get_by_role("log").locator("p").last, line).to_contain_text(answer)
    page.keyboard.type("Ann")
    press(page, "Enter")
    assert boards.moves_sent(page) == "dRRdrU"


@pytest.mark.exhaustive
def test_a_game_by_dragging_and_by_keys_after_a_click_on_a_control(open_page):
    page = open_page(boards.PLAY)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))  # else a slow drag is a long press
    page.mouse.move(*boards.at(page, "C3"))
    page.mouse.down()
    page.mouse.move(*boards.at(page, "E3"), steps=4)
    page.mouse.move(*boards.at(page, "E2"), steps=4)
    page.mouse.up()
    page.clock.resume()
    expect(boards.solved(page)).to_be_visible()
    undo = page.locator("[data-act=undo]").locator("visible=true").first
    undo.click()
    expect(boards.solved(page)).to_be_hidden()
    press(page, "Space")  # redo, not the button again
    expect(boards.solved(page)).to_be_visible()
    undo.focus()
    press(page, "Enter")
    expect(boards.solved(page)).to_be_hidden()
    expect(undo).to_be_focused()  # focused by keyboard, the button keeps the keys
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function("() => document.fullscreenElement?.matches('#main')")
    press(page, "ArrowDown")
    expect(boards.shown(page, "moves")).to_have_text("1")
    page.get_by_role("button", name="Full screen", pressed=True).click()
    page.wait_for_function("() => !document.fullscreenElement")


def test_on_a_phone_the_board_fills_the_screen_and_the_rest_is_in_sheets(open_page):
    Level.objects.update(title="The bend", voided_at=clock.now(), void_reason_en="Two boxes were one.")
    page = open_page(boards.PLAY, **boards.PHONE)
    notice = page.get_by_text("Two boxes were one.")  # messages above the board are shown over it
    expect(notice).to_be_in_viewport()
    notice.tap()
    expect(notice).to_be_hidden()
    expect(page.locator(".head-line .name")).to_have_text("MainThe bend")
    room = page.locator("[data-board]").bounding_box()
    assert (room["width"], room["height"] >= 740 - 48 - 56) == (360, True)
    hands = page.locator(".bar button:visible")
    expect(hands).to_have_text(["Undo", "Redo", "Branches", "Menu"], use_inner_text=True)
    assert len({hand.bounding_box()["y"] for hand in hands.all()}) == 1
    page.locator("[data-board]").focus()
    press(page, "ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowLeft")
    hands.last.tap()
    expect(page.get_by_role("button", name="Restart")).to_be_visible()
    runs = page.locator("[data-move-list] button")
    expect(runs).to_have_text(["0 dRR", "3 drl"])
    sizes = page.locator(".player :is(button, a.back)").evaluate_all(
        """all => all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
            .map(({ width, height }) => Math.min(width, height))"""
    )
    assert len(sizes) > 20
    assert min(sizes) >= 44
    runs.first.tap()
    expect(runs.first).to_be_hidden()
    expect(boards.shown(page, "moves")).to_have_text("3")


@pytest.mark.exhaustive
def test_a_swipe_is_a_step_on_the_turned_board_and_a_long_press_shows_boxes_that_reach_a_cell(open_page):
    page = open_page("about:blank", **boards.PHONE)
    stop_clock(page)
    page.goto(boards.PLAY)
    touch, (x, y) = finger(page), boards.at(page, "E2")
    touch("touchStart", (x, y))
    page.clock.run_for(1000)
    touch("touchEnd")
    expect(boards.message_line(page)).to_have_text("Boxes that can reach E2: C3.")
    menu = page.get_by_role("button", name="Menu")
    menu.tap()
    page.get_by_text("Game settings").tap()
    page.get_by_label("Swipe to move one step").check()
    page.get_by_role("button", name="Turn", exact=True).tap()
    expect(page.get_by_role("button", name="Restart")).to_be_hidden()
    x, y = boards.at(page, "D3")
    touch("touchStart", (x, y))
    touch("touchMove", (x - 30, y))
    touch("touchMove", (x - 60, y))
    touch("touchEnd")
    expect(boards.shown(page, "moves")).to_have_text("1")
    menu.press("Enter")  # Chromium may take a tap right after a swipe for a part of it
    page.locator("[data-text] > summary").press("Enter")
    page.get_by_label("Command", exact=True).fill("moves")
    page.get_by_label("Command", exact=True).press("Enter")
    expect(page.get_by_role("log")).to_contain_text(re.compile(r"> moves\s*d$"))


def test_a_level_in_a_link_is_played_and_one_rebuilt_from_moves_has_its_moves(open_page):
    page = open_page("/sokoplayer/?w=5&h=3&lvl=HHHHH|Ha$.H|HHHHH")
    press(page, "ArrowRight")
    expect(boards.solved(page)).to_be_visible()
    press(page, "Control+Enter")
    expect(boards.message_line(page)).to_have_text("Submissions are closed here; copy the moves to keep them.")
    page.goto("/lurd2xsb/drUluRR")
    expect(page.locator("[data-time]")).to_have_attribute("max", "7")
    press(page, *["Space"] * 7)
    expect(boards.solved(page)).to_be_visible()
