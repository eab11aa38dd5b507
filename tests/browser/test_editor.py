import re

import pytest
from playwright.sync_api import expect

from tests import cast
from tests.browser.boards import PHONE
from tests.browser.hands import press

EDITOR = "/en/editor/"
SMALL = "######\n#@-$.#\n######"
COLUMNS, ROWS, RULER = 11, 9, 18  # of the initial room, and the ruler next to it


def place(page, column, row):
    box = page.locator("[data-board]").bounding_box()
    side = min((box["width"] - RULER - 2) // COLUMNS, (box["height"] - RULER - 2) // ROWS, 64)
    left = box["x"] + 1 + RULER + (box["width"] - 2 - RULER - COLUMNS * side) / 2
    top = box["y"] + 1 + RULER + (box["height"] - 2 - RULER - ROWS * side) / 2
    return left + (column + 0.5) * side, top + (row + 0.5) * side


def text(page):
    return page.get_by_label("The level as text (XSB)")


def has_row(page, number, cells):
    before = rf"(?:[^\n]*\n){{{number}}}"
    expect(text(page)).to_have_value(re.compile(f"^{before}{re.escape(cells)}(?:\\n|$)"))


def button(page, name):
    return page.get_by_role("button", name=name)


def test_a_level_is_drawn_with_the_mouse_and_its_errors_are_listed(open_page):
    page = open_page(EDITOR)
    page.mouse.move(*place(page, 2, 4))
    page.mouse.down()
    page.mouse.move(*place(page, 8, 4))
    page.mouse.up()
    has_row(page, 4, "#-#######-#")
    button(page, "Undo").click()
    has_row(page, 4, "#---------#")
    button(page, "Redo").click()
    has_row(page, 4, "#-#######-#")
    button(page, "Undo").click()
    page.get_by_label("Symmetry").select_option("left and right")
    page.mouse.click(*place(page, 2, 2))
    has_row(page, 2, "#-#-----#-#")
    button(page, "Undo").click()
    page.get_by_label("Symmetry").select_option(index=0)
    button(page, "Box").click()
    page.mouse.click(*place(page, 1, 1))
    expect(page.get_by_text("The level has 0 pushers; it needs exactly one.")).to_be_visible()
    button(page, "Pusher").click()
    page.mouse.click(*place(page, 4, 4))
    expect(page.get_by_text("the level looks unsolvable. (B2)")).to_be_visible()
    for tool, at in (("Pusher", (1, 1)), ("Box", (3, 1)), ("Goal", (5, 1))):
        button(page, tool).click()
        page.mouse.click(*place(page, *at))
    has_row(page, 1, "#@-$-.----#")
    expect(page.get_by_text("No problems found.")).to_be_visible()
    page.reload()
    has_row(page, 1, "#@-$-.----#")


@pytest.mark.exhaustive
def test_a_level_is_drawn_with_a_finger(open_page):
    page = open_page(EDITOR, **PHONE)
    button(page, "Box").tap()
    page.touchscreen.tap(*place(page, 3, 3))
    has_row(page, 3, "#--$------#")
    page.touchscreen.tap(*place(page, 3, 3))
    has_row(page, 3, "#---------#")


@pytest.mark.exhaustive
def test_a_level_is_drawn_and_moved_by_keys_alone(open_page):
    page = open_page(EDITOR)
    page.locator("[data-board]").focus()
    press(page, "ArrowRight", "ArrowRight", "ArrowDown", "5", "Enter", "ArrowRight", "ArrowRight", "b", "Space")
    press(page, "g", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight")
    has_row(page, 1, "#@-$-..---#")
    press(page, "Control+z")
    has_row(page, 1, "#@-$-.----#")
    text(page).fill("########\n#@-$--.#\n########")
    expect(page.get_by_text("At least 3 pushes to solve.")).to_be_visible()
    button(page, "Add a row below").click()
    page.locator("[data-board]").focus()
    press(page, "Alt+ArrowDown")
    button(page, "Remove the top row").click()
    expect(text(page)).to_have_value("########\n#@-$--.#\n########")


def test_text_and_board_are_synchronised_and_a_link_sends_the_level_to_no_server(open_page):
    page = open_page(EDITOR)
    size = page.locator("[data-size]")
    text(page).fill(SMALL)
    expect(size).to_have_text("6 × 3 · boxes 1 · goals 1")
    expect(page.get_by_text("No problems found.")).to_be_visible()
    link = page.get_by_label("The level in this format").input_value()
    text(page).fill("######\n#@Q$.#\n######")
    expect(page.locator("[data-says]")).to_contain_text("see line 2, column 3")
    button(page, "Undo").click()
    has_row(page, 8, "#" * COLUMNS)
    button(page, "Add a column on the left").click()
    button(page, "Add a row below").click()
    button(page, "Crop").click()
    expect(size).to_contain_text("11 × 9")
    text(page).fill("#######\n#@-$--#\n#--#--#\n#-.---#\n#######")
    expect(page.get_by_text("Not every box can be pushed to a goal of its own.")).to_be_visible()
    expect(page.get_by_text("No problems found.")).to_be_hidden()
    requests = []
    page.on("request", lambda sent: requests.append(sent.url))
    page.goto("about:blank")
    page.goto(link)
    expect(text(page)).to_have_value(SMALL)
    assert not any("level=" in address.split("#")[0] for address in requests)


def test_the_drawn_level_is_played_saved_as_a_picture_and_compared(open_page):
    cast.a_collection(boards=(SMALL,))
    page = open_page(EDITOR, viewport={"width": 360, "height": 640})
    text(page).fill(SMALL)
    with page.expect_download() as download:
        button(page, "Picture (PNG)").click()
    assert download.value.suggested_filename == "level.png"
    with page.expect_navigation():  # until its script handles keys
        button(page, "Play it").click()
    page.locator("[data-board]").focus()
    press(page, "ArrowRight", "ArrowRight")
    expect(page.get_by_text("Solved. Moves: 2, pushes: 1.").first).to_be_attached()
    page.goto(EDITOR)
    expect(text(page)).to_have_value(SMALL)
    text(page).fill("######\n#.$-@#\n######")
    button(page, "Find levels like it").click()
    expect(page.get_by_text("the same, turned or mirrored perhaps")).to_be_in_viewport()
    has_row(page, 1, "#.$-@#")
    button(page, "Ask the solver").click()
    expect(page.get_by_label("Level (XSB)")).to_have_value("######\n#.$-@#\n######")
