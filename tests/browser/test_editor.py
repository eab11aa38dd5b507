"""Levels drawn by mouse, by touch and by keys."""

import pytest
from playwright.sync_api import expect

from tests import cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EDITOR = "/en/editor/"
SMALL = "######\n#@-$.#\n######"
# A room of 11 by 9 stands there at the start.
ROOM = [11, 9]


@pytest.fixture
def page(open_page):
    opened = open_page(EDITOR)
    expect(opened.locator("[data-board]")).to_be_visible()
    yield opened
    assert opened.complaints == []


def place(page, column, row):
    """Where a cell of the first room stands on the screen."""
    box = page.locator("[data-board]").bounding_box()
    ruler = 18
    side = min((box["width"] - ruler - 2) // ROOM[0], (box["height"] - ruler - 2) // ROOM[1], 64)
    left = box["x"] + 1 + ruler + (box["width"] - 2 - ruler - ROOM[0] * side) / 2
    top = box["y"] + 1 + ruler + (box["height"] - 2 - ruler - ROOM[1] * side) / 2
    return left + (column + 0.5) * side, top + (row + 0.5) * side


def text(page) -> str:
    return page.get_by_label("The level as text (XSB)").input_value()


def row(page, number) -> str:
    return text(page).split("\n")[number]


def test_a_level_is_drawn_with_the_mouse(page):
    for tool, at in (("Pusher", (1, 1)), ("Box", (3, 1)), ("Goal", (5, 1))):
        page.get_by_role("button", name=tool).click()
        page.mouse.click(*place(page, *at))
    assert row(page, 1) == "#@-$-.----#"
    expect(page.get_by_text("No problems found.")).to_be_visible()


def test_a_drag_paints_a_line_and_is_one_thing_to_undo(page):
    page.mouse.move(*place(page, 2, 4))
    page.mouse.down()
    page.mouse.move(*place(page, 8, 4))
    page.mouse.up()
    assert row(page, 4) == "#-#######-#"
    page.get_by_role("button", name="Undo").click()
    assert row(page, 4) == "#---------#"
    page.get_by_role("button", name="Redo").click()
    assert row(page, 4) == "#-#######-#"


def test_a_level_is_drawn_with_a_finger(open_page):
    page = open_page(EDITOR, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Box").tap()
    page.touchscreen.tap(*place(page, 3, 3))
    assert row(page, 3) == "#--$------#"
    page.touchscreen.tap(*place(page, 3, 3))
    assert row(page, 3) == "#---------#"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.complaints == []


def test_a_level_is_drawn_by_keys_alone(page):
    page.locator("[data-board]").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "5", "Enter", "ArrowRight", "ArrowRight", "b", "Space"):
        page.keyboard.press(key)
    page.keyboard.press("g")
    page.keyboard.press("ArrowRight")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")
    assert row(page, 1) == "#@-$-..---#"
    page.keyboard.press("Control+z")
    assert row(page, 1) == "#@-$-.----#"


def test_text_and_board_keep_in_step(page):
    field = page.get_by_label("The level as text (XSB)")
    field.fill(SMALL)
    expect(page.locator("[data-size]")).to_have_text("6 × 3 · boxes 1 · goals 1")
    field.fill(SMALL + "\n#Q#")
    expect(page.locator("[data-says]")).to_contain_text("see line 4, column 2")
    page.get_by_role("button", name="Undo").click()
    assert len(text(page).split("\n")) == 9


def test_a_symmetrical_brush_paints_on_both_sides(page):
    page.get_by_label("Symmetry").select_option("left and right")
    page.mouse.click(*place(page, 2, 2))
    assert row(page, 2) == "#-#-----#-#"


def test_faults_are_listed_as_they_are_drawn(page):
    page.get_by_role("button", name="Box").click()
    page.mouse.click(*place(page, 1, 1))
    expect(page.get_by_text("The level has 0 pushers; it needs exactly one.")).to_be_visible()
    page.get_by_role("button", name="Pusher").click()
    page.mouse.click(*place(page, 4, 4))
    expect(page.get_by_text("the level looks unsolvable. (B2)")).to_be_visible()


def test_lines_are_added_and_the_board_is_cropped(page):
    page.get_by_role("button", name="A column more on the left").click()
    page.get_by_role("button", name="A row more below").click()
    page.get_by_role("button", name="Crop").click()
    expect(page.locator("[data-size]")).to_contain_text("11 × 9")


def test_what_is_drawn_is_there_again(page):
    page.get_by_role("button", name="Box").click()
    page.mouse.click(*place(page, 3, 3))
    page.reload()
    assert row(page, 3) == "#--$------#"


def test_a_link_opens_its_level_and_sends_it_to_nobody(open_page):
    page = open_page(EDITOR)
    page.get_by_label("The level as text (XSB)").fill(SMALL)
    link = page.get_by_label("The level in this form").input_value()
    asked = []
    other = open_page("/en/help/")
    other.on("request", lambda sent: asked.append(sent.url))
    other.goto(link)
    expect(other.get_by_label("The level as text (XSB)")).to_have_value(SMALL)
    assert not any("level=" in address.split("#")[0] for address in asked)


def test_the_drawn_level_is_played_and_found_again_behind_the_back_button(page):
    page.get_by_label("The level as text (XSB)").fill(SMALL)
    page.get_by_role("button", name="Play it").click()
    expect(page.get_by_role("heading", name="Play your level")).to_be_visible()
    expect(page.locator("[data-board]")).to_be_visible()
    page.locator("[data-board]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Solved. Moves: 2, pushes: 1.").first).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Level editor").click()
    expect(page.get_by_label("The level as text (XSB)")).to_have_value(SMALL)


def test_a_picture_is_downloaded(page):
    page.get_by_label("The level as text (XSB)").fill(SMALL)
    with page.expect_download() as download:
        page.get_by_role("button", name="Picture (PNG)").click()
    assert download.value.suggested_filename == "level.png"


def test_the_drawing_is_moved_by_keys_and_the_least_pushes_are_told(page):
    field = page.get_by_label("The level as text (XSB)")
    field.fill("########\n#@-$--.#\n########")
    expect(page.get_by_text("At least 3 pushes to solve.")).to_be_visible()
    page.get_by_role("button", name="A row more below").click()
    page.locator("[data-board]").focus()
    page.keyboard.press("Alt+ArrowDown")
    page.get_by_role("button", name="Remove the top row").click()
    assert field.input_value() == "########\n#@-$--.#\n########"


def test_a_box_that_no_goal_is_for_is_no_sound_board(page):
    page.get_by_label("The level as text (XSB)").fill(SMALL)
    expect(page.get_by_text("No problems found.")).to_be_visible()
    page.get_by_label("The level as text (XSB)").fill("#######\n#@-$--#\n#--#--#\n#-.---#\n#######")
    expect(page.get_by_text("Not every box can be pushed to a goal of its own.")).to_be_visible()
    expect(page.get_by_text("No problems found.")).not_to_be_visible()


def test_levels_like_the_drawn_one_are_found_and_the_drawing_stays(page):
    cast.a_collection(boards=(SMALL,))
    page.set_viewport_size({"width": 360, "height": 640})
    page.get_by_label("The level as text (XSB)").fill("######\n#.$-@#\n######")
    page.get_by_role("button", name="Find levels like it").click()
    expect(page.get_by_text("the same, turned or mirrored perhaps")).to_be_in_viewport()
    assert row(page, 1) == "#.$-@#"
    page.get_by_role("button", name="Ask the solver").click()
    expect(page.get_by_label("Level (XSB)")).to_have_value("######\n#.$-@#\n######")
