import pytest
from playwright.sync_api import expect

from tests import sizes
from tests.browser import boards
from tests.browser.hands import press, wait_until

pytestmark = pytest.mark.usefixtures("bend")

MEN = """() => [...document.querySelectorAll("[data-board] canvas")][1].toDataURL()"""


@pytest.mark.parametrize(
    ("skin", "day", "night"),
    sizes.cases(
        [("classic", boards.CLASSIC, boards.CLASSIC_NIGHT)],
        [
            ("wood", ("#e7cfa5", "#5d3a22"), ("#2c2218", "#8e6443")),
            ("contrast", ("#ffffff", "#000000"), ("#000000", "#6a6a6a")),
            ("eink", ("#ffffff", "#000000"), ("#000000", "#ffffff")),
        ],
    ),
)
def test_a_skin_has_day_and_night_colours_and_a_man_facing_his_last_step(open_page, skin, day, night):
    page = open_page(boards.PLAY, color_scheme="dark")
    page.locator("select[name=skin]").evaluate(
        "(field, skin) => { field.value = skin; field.dispatchEvent(new Event('change')); }", skin
    )
    boards.wait_for_colours(page, *night)
    page.emulate_media(color_scheme="light")
    boards.wait_for_colours(page, *day)
    seen, before = [], None
    for _ in range(20):  # a picture of the skin that is still loading is drawn once it is there
        if seen == before:
            break
        before, seen = seen, []
        for key in ("ArrowDown", "ArrowUp"):
            press(page, key)
            seen.append(page.evaluate(MEN))
    assert seen == before
    assert seen[0] != seen[1]


@pytest.mark.exhaustive
def test_the_contrast_preference_is_the_default_and_forced_colours_are_respected(open_page):
    page = open_page(boards.PLAY, contrast="more", color_scheme="light")
    expect(page.locator("select[name=skin]")).to_have_value("contrast")
    boards.wait_for_colours(page, "#ffffff", "#000000")
    page.locator("select[name=skin]").evaluate(
        "field => { field.value = 'wood'; field.dispatchEvent(new Event('change')); }"
    )
    boards.wait_for_colours(page, "#e7cfa5", "#5d3a22")
    page.emulate_media(forced_colors="active")
    boards.wait_for_colours(page, "#ffffff", "#000000")  # the system's, in any skin


def test_moves_are_imported_and_exported_as_text(open_page):
    """Rule 6.10."""
    page = open_page(boards.PLAY, permissions=["clipboard-read", "clipboard-write"])
    gain, load = page.locator("[data-gain]"), page.get_by_role("button", name="Play these from the start")
    press(page, "ArrowDown", "Shift+L")
    page.keyboard.type("Solution: drruuu")
    load.click()
    expect(boards.message_line(page)).to_have_text("Move 5 is illegal; the game stopped before it.")
    expect(boards.shown(page, "moves")).to_have_text("4")
    page.get_by_role("button", name="the game before loading").click()
    expect(boards.shown(page, "moves")).to_have_text("1")
    page.get_by_label("Moves as text (LURD)").fill("uRRurD")
    load.click()
    expect(page.locator("[data-question]")).to_contain_text("top and bottom swapped. 6 / 3")
    expect(boards.shown(page, "moves")).to_have_text("1")
    page.locator("[data-board]").focus()
    press(page, "r", "ArrowRight", "ArrowLeft", *boards.SOLUTION)
    expect(page.locator("[data-solved-words]")).to_have_text("Moves: 8 · pushes: 3")
    expect(gain).to_be_hidden()
    page.get_by_role("button", name="Turn them back and play").click()
    expect(page.locator("[data-solved-words]")).to_have_text("Moves: 6 · pushes: 3")
    press(page, "r", "ArrowRight", "ArrowLeft", *boards.SOLUTION)
    page.get_by_role("button", name="Shorten my walks").click()
    expect(boards.message_line(page)).to_have_text("Moves saved by shorter walks: 2. Moves now: 6.")
    expect(boards.solved(page)).to_be_visible()
    page.locator("[data-board]").focus()
    press(page, "Control+c")
    expect(boards.message_line(page)).to_have_text("Your moves are copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "dRRdrU"
    page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
    press(page, "Control+c")  # selected text is copied by the browser
    wait_until(page, "async () => (await navigator.clipboard.readText()).startsWith('Play: Main')")
