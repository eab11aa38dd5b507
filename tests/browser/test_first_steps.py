from playwright.sync_api import expect

from tests.browser.boards import IS_KEPT, PHONE
from tests.browser.hands import press, wait_until


def test_the_three_lessons_lead_to_the_levels_without_a_network_too(open_page, cache_of_its_own):
    page = open_page("/en/help/first-steps/", **PHONE, reduced_motion="no-preference")
    wait_until(page, IS_KEPT)
    page.context.set_offline(True)
    page.reload()

    def lesson(name):
        part = page.locator(".lesson").filter(has=page.get_by_role("heading", name=name))
        return part, part.get_by_role("application"), part.get_by_role("status")

    walk, _board, walked = lesson("Walk")
    for name in (*["Down"] * 2, *["Right"] * 4, *["Up"] * 2):
        walk.get_by_role("button", name=name, exact=True).tap()
    expect(walked).to_have_text("Well done. Walls block your way, floor does not.")
    _push, board, pushed = lesson("Push")
    board.scroll_into_view_if_needed()
    box = board.bounding_box()
    for _ in range(3):  # a touch next to the man is a step
        page.touchscreen.tap(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
    expect(pushed).to_have_text("Solved: every box stands on a goal.")
    expect(page.get_by_role("heading", name="That is the whole game")).to_be_hidden()
    trap, board, message = lesson("A trap")
    board.focus()
    press(page, "ArrowRight", "ArrowUp")
    expect(message).to_contain_text("never reach the goal again")
    press(page, "Backspace")
    expect(message).to_contain_text("Push the box to its goal")
    for name in ("Undo", "Up", "Right", "Right", "Right", "Undo", "Up", "Right", "Down"):
        trap.get_by_role("button", name=name, exact=True).tap()
    expect(message).to_have_text("Solved. In the game, too, every step can be undone.")
    page.get_by_role("link", name="To the levels").tap()
    page.wait_for_url("**/en/")


def test_lost_boxes_are_marked_by_touch_or_buttons_until_they_are_the_fewest(open_page):
    page = open_page("/en/help/deadlocks/", **PHONE)
    first = page.locator("[data-exercise]").first
    says = first.get_by_role("status")
    first.get_by_role("button", name="D2").tap()
    expect(says).to_have_text("Right.")
    expect(first.get_by_text("no goal is among the squares")).to_be_visible()
    room = page.locator("[data-exercise]").nth(9)  # ########|#--##.-#|#.--$--#|##$@--##|#--$.--#|#--##--#|########
    says = room.get_by_role("status")
    for name, words in (("C4", ""), ("E3", "Not these: without the other boxes all of them could get to goals.")):
        room.get_by_role("button", name=name).tap()
        expect(says).to_have_text(words)
    room.locator("[data-board]").scroll_into_view_if_needed()
    box = room.locator("[data-board]").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 4.5 / 9, box["y"] + box["height"] * 5.5 / 8)
    expect(says).to_have_text("Fewer boxes are enough.")
    room.get_by_role("button", name="E3").tap()
    expect(says).to_have_text("Right.")
