"""A level read from a picture of it, in the browser alone."""

import base64
from io import BytesIO

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from solvers.sokoban import Level
from solvers.sokoban.drawing.pictures import Style, png
from solvers.sokoban.level import WALL

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EDITOR = "/en/editor/"
LEVEL = Level.parse("""
    ############
    #--@-------#
    #-$--$--$--#
    #-..-*--.--#
    #-----##---#
    #-$--.-----#
    ############
""")
PASTED = """async ([code]) => {
    const bytes = Uint8Array.from(atob(code), (letter) => letter.charCodeAt(0));
    await navigator.clipboard.write([new ClipboardItem({"image/png": new Blob([bytes], {type: "image/png"})})]);
}"""


@pytest.fixture
def page(open_page):
    opened = open_page(EDITOR, permissions=["clipboard-read", "clipboard-write"])
    expect(opened.locator("[data-board]")).to_be_visible()
    opened.asked = []
    opened.on("request", lambda sent: opened.asked.append(sent.url))
    yield opened
    assert opened.complaints == []


def bricks(level: Level, side: int, margin: int) -> bytes:
    """The board as another program draws it, in a lossy picture with something written below it."""
    columns, rows = level.width, level.height
    picture = Image.new("RGB", (columns * side + 2 * margin, rows * side + 3 * margin + 40), "black")
    pen = ImageDraw.Draw(picture)
    for cell in range(columns * rows):
        x, y = margin + cell % columns * side, margin + cell // columns * side

        def part(colour, left, top, right, bottom, x=x, y=y, shape=pen.rectangle):
            shape((x + left * side, y + top * side, x + right * side - 1, y + bottom * side - 1), fill=colour)

        if level.cells[cell] & WALL:
            part("#9a4a32", 0, 0, 1, 1)
            part("#d8cfc4", 0, 0, 1, 0.08)
            part("#d8cfc4", 0, 0.5, 1, 0.58)
            part("#d8cfc4", 0.46, 0, 0.54, 0.5)
            continue
        part("#404850", 0, 0, 1, 1)
        if cell in level.goals:
            part("#48c060", 0.2, 0.2, 0.8, 0.8, shape=pen.ellipse)
        if cell in level.boxes:
            part("#c05020" if cell in level.goals else "#e0b060", 0.04, 0.04, 0.96, 0.96)
            part("#503010", 0.1, 0.44, 0.9, 0.56)
        if cell == level.player:
            part("#f0e0d0", 0.25, 0.05, 0.75, 0.5, shape=pen.ellipse)
            part("#2040c0", 0.2, 0.5, 0.8, 0.95)
    pen.text((margin, picture.height - 30), "Moves 0   Pushes 0", fill="white")
    file = BytesIO()
    picture.save(file, "JPEG", quality=80)
    return file.getvalue()


def paste(page, content: bytes):
    page.evaluate(PASTED, [base64.b64encode(content).decode()])
    page.keyboard.press("Control+v")


def choose(page, content: bytes, kind="image/jpeg"):
    page.locator("[data-picture]").evaluate("picture => { picture.open = true; }")
    page.get_by_label("Picture file").set_input_files({"name": "level", "mimeType": kind, "buffer": content})


def text(page):
    return page.get_by_label("The level as text (XSB)")


def test_pictures_of_two_looks_give_the_same_level_and_are_sent_to_nobody(page):
    paste(page, png(LEVEL, Style(cell=28)))
    expect(text(page)).to_have_value(str(LEVEL), timeout=30_000)
    page.get_by_role("button", name="Undo").click()
    assert text(page).input_value() != str(LEVEL)
    choose(page, bricks(LEVEL, 30, 17))
    expect(text(page)).to_have_value(str(LEVEL), timeout=30_000)
    assert page.asked == []


def test_names_and_cells_are_corrected_and_all_of_it_is_undone_at_once(page):
    first = text(page).input_value()
    choose(page, png(LEVEL, Style(cell=28)), "image/png")
    expect(text(page)).to_have_value(str(LEVEL), timeout=30_000)
    kinds = page.locator("[data-groups] select")
    boxes = next(kind for kind in kinds.all() if kind.input_value() == "box")
    boxes.select_option("goal")
    assert "$" not in text(page).input_value()
    boxes.select_option("box")
    page.locator("[data-board]").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "b", "Enter"):
        page.keyboard.press(key)
    corrected = text(page).input_value().split("\n")[1]
    assert corrected == "#$-@-------#"
    boxes.select_option("boxOnGoal")
    assert text(page).input_value().split("\n")[1] == corrected
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()
    assert text(page).input_value() == first


def test_the_grid_is_corrected_by_numbers_by_keys_and_by_choosing_a_part(page):
    choose(page, bricks(LEVEL, 30, 17))
    expect(text(page)).to_have_value(str(LEVEL), timeout=30_000)
    columns, left = page.get_by_label("Columns"), page.get_by_label("From the left")
    columns.fill("11")
    expect(page.locator("[data-size]")).to_contain_text("11 × 7")
    columns.fill("")
    expect(page.locator("[data-picture-says]")).to_contain_text("a number in every field")
    at = float(left.input_value())
    page.get_by_role("button", name="Move the grid (arrow keys)").press("Shift+ArrowRight")
    assert float(left.input_value()) == at + 10
    page.locator("[data-picture-frame] canvas").scroll_into_view_if_needed()
    box = page.locator("[data-picture-frame] canvas").bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 4, box["y"] + box["height"] * 0.84, steps=3)
    page.mouse.up()
    expect(text(page)).to_have_value(str(LEVEL), timeout=30_000)


def test_what_is_no_picture_or_has_no_grid_is_said_and_loses_nothing(page):
    first = text(page).input_value()
    choose(page, b"no picture")
    expect(page.locator("[data-picture-says]")).to_have_text("This file could not be read as a picture.")
    assert text(page).input_value() == first
    plain = BytesIO()
    Image.new("RGB", (200, 120), "#888888").save(plain, "PNG")
    choose(page, plain.getvalue(), "image/png")
    expect(page.locator("[data-picture-says]")).to_contain_text("No grid found.", timeout=30_000)
    page.get_by_role("button", name="Undo").click()
    assert text(page).input_value() == first


def test_a_picture_is_read_on_a_phone(open_page):
    page = open_page(EDITOR, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    choose(page, bricks(LEVEL, 30, 17))
    expect(text(page)).to_have_value(str(LEVEL), timeout=30_000)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.complaints == []
