import base64
import re
from io import BytesIO

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from solvers.sokoban import Level
from solvers.sokoban.drawing.pictures import Style, png
from tests.browser.hands import press

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
    opened = open_page("/en/editor/", permissions=["clipboard-read", "clipboard-write"])
    expect(opened.locator("[data-board]")).to_be_visible()
    opened.seen_requests = []
    opened.on("request", lambda sent: opened.seen_requests.append(sent.url))
    return opened


def lossy(picture: bytes) -> bytes:
    with Image.open(BytesIO(picture)) as whole:
        larger = Image.new("RGB", (whole.width + 34, whole.height + 80), "black")
        larger.paste(whole.convert("RGB"), (17, 17))
    ImageDraw.Draw(larger).text((17, larger.height - 30), "Moves 0   Pushes 0", fill="white")
    file = BytesIO()
    larger.save(file, "JPEG", quality=80)
    return file.getvalue()


def paste(page, content: bytes):
    page.evaluate(PASTED, [base64.b64encode(content).decode()])
    page.keyboard.press("Control+v")


def choose(page, content: bytes, kind="image/jpeg"):
    page.locator("[data-picture]").evaluate("picture => { picture.open = true; }")
    page.get_by_label("Picture file").set_input_files({"name": "level", "mimeType": kind, "buffer": content})


def text(page):
    return page.get_by_label("The level as text (XSB)")


def undo(page):
    page.get_by_role("button", name="Undo").click()


def test_pictures_of_two_skins_give_the_same_level_and_are_not_uploaded(page):
    paste(page, png(LEVEL, Style(cell=28)))
    expect(text(page)).to_have_value(str(LEVEL))
    undo(page)
    expect(text(page)).not_to_have_value(str(LEVEL))
    choose(page, lossy(png(LEVEL, Style(cell=28))))
    expect(text(page)).to_have_value(str(LEVEL))
    columns, left = page.get_by_label("Columns"), page.get_by_label("From the left")
    columns.fill("11")
    expect(page.locator("[data-size]")).to_contain_text("11 × 7")
    columns.fill("")
    expect(page.locator("[data-picture-says]")).to_contain_text("a number in every field")
    at = float(left.input_value())
    page.get_by_role("button", name="Move the grid (arrow keys)").press("Shift+ArrowRight")
    expect(left).to_have_value(f"{at + 10:g}")
    canvas = page.locator("[data-picture-frame] canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 4, box["y"] + box["height"] * 0.84, steps=3)
    page.mouse.up()  # the selected part contains the board
    expect(text(page)).to_have_value(str(LEVEL))
    assert page.seen_requests == []


@pytest.mark.exhaustive
def test_corrections_are_undone_at_once_and_a_file_without_a_picture_loses_nothing(page):
    first = text(page).input_value()
    choose(page, b"no picture")
    expect(page.locator("[data-picture-says]")).to_have_text("This file could not be read as a picture.")
    plain = BytesIO()
    Image.new("RGB", (200, 120), "#888888").save(plain, "PNG")
    choose(page, plain.getvalue(), "image/png")
    expect(page.locator("[data-picture-says]")).to_contain_text("No grid found.")
    undo(page)
    expect(text(page)).to_have_value(first)
    choose(page, png(LEVEL, Style(cell=28)), "image/png")
    expect(text(page)).to_have_value(str(LEVEL))
    kinds = page.locator("[data-groups] select")
    boxes = next(kind for kind in kinds.all() if kind.input_value() == "box")
    boxes.select_option("goal")
    expect(text(page)).not_to_have_value(re.compile(r"\$"))
    boxes.select_option("box")
    page.locator("[data-board]").focus()
    press(page, "ArrowRight", "ArrowRight", "ArrowDown", "b", "Enter")
    corrected = re.compile(r"^#+\n#\$-@-------#\n")
    expect(text(page)).to_have_value(corrected)
    boxes.select_option("boxOnGoal")
    expect(text(page)).to_have_value(corrected)
    for _ in range(3):
        undo(page)
    expect(text(page)).to_have_value(first)
