"""The board in four skins, by day and by night."""

import pytest
from playwright.sync_api import expect

from tests import sizes
from tests.browser.test_player import BEND
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAY = "/en/rounds/7/main/play/"
COLOURS = """() => {
    const canvas = document.querySelector("[data-board] canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const counts = new Map();
    for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] < 255) continue;
        const colour = "#" + [0, 1, 2].map((part) => data[at + part].toString(16).padStart(2, "0")).join("");
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return [...counts].sort(([, one], [, other]) => other - one).slice(0, 6).map(([colour]) => colour);
}"""
MEN = """() => [...document.querySelectorAll("[data-board] canvas")][1].toDataURL()"""


@pytest.fixture(autouse=True)
def _running_round(transactional_db, cache_of_its_own):
    a_level(a_round(7, opens_in=-1), BEND)


def wear(page, skin):
    page.locator("select[name=skin]").evaluate(
        "(field, skin) => { field.value = skin; field.dispatchEvent(new Event('change')); }", skin
    )


def shows(page, *colours):
    page.wait_for_function(
        f"(colours) => {{ const seen = ({COLOURS})(); return colours.every((one) => seen.includes(one)); }}",
        arg=colours,
    )


def requests_of(page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


@pytest.mark.parametrize(
    ("skin", "day", "night"),
    sizes.cases(
        [("classic", ("#f5eddc", "#7d6753"), ("#2a2b2f", "#807a73"))],
        [
            ("wood", ("#e7cfa5", "#5d3a22"), ("#2c2218", "#8e6443")),
            ("contrast", ("#ffffff", "#000000"), ("#000000", "#6a6a6a")),
            ("eink", ("#ffffff", "#000000"), ("#000000", "#ffffff")),
        ],
    ),
)
def test_a_skin_has_its_floor_and_walls_by_day_and_by_night(open_page, skin, day, night):
    page = open_page(PLAY, color_scheme="light")
    wear(page, skin)
    shows(page, *day)
    page.emulate_media(color_scheme="dark")
    shows(page, *night)


def test_a_skin_and_other_settings_stay_on_and_the_game_is_played(open_page):
    page = open_page(PLAY, color_scheme="light")
    wear(page, "wood")
    page.locator("[data-settings] [type=checkbox]").evaluate_all("(fields) => fields.forEach((field) => field.click())")
    page.reload()
    shows(page, "#e7cfa5", "#5d3a22")
    expect(page.locator("select[name=skin]")).to_have_value("wood")
    page.locator("[data-board]").press("ArrowDown")
    expect(page.locator('[data-shows="moves"]')).to_have_text("1")
    page.goto("/en/editor/")
    shows(page, "#e7cfa5", "#5d3a22")


def test_who_asks_for_more_contrast_begins_with_it(open_page):
    page = open_page(PLAY, contrast="more", color_scheme="light")
    expect(page.locator("select[name=skin]")).to_have_value("contrast")
    shows(page, "#ffffff", "#000000")


def test_colours_forced_by_the_reader_are_kept(open_page):
    page = open_page("/en/", forced_colors="active")
    asked = requests_of(page)
    page.goto(PLAY)
    expect(page.locator("[data-board] canvas").first).to_be_visible()
    wear(page, "wood")
    page.keyboard.press("ArrowDown")
    assert not [address for address in asked if address.endswith(".svg") and "/skins/" in address]


def test_the_man_looks_where_he_went(open_page):
    page = open_page(PLAY, reduced_motion="reduce", color_scheme="light")
    shows(page, "#f5eddc", "#7d6753")
    seen = []
    for key in ("ArrowDown", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
        seen.append(page.evaluate(MEN))
    assert len(set(seen)) == 2, "below he looks down each time, above up"
    page.keyboard.press("ArrowUp")
    assert page.evaluate(MEN) == seen[1]
