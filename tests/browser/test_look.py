"""The frame of every page: theme, tables, keys."""

import re

import pytest
from playwright.sync_api import expect

from contest import judging
from contest.models import Door, Level, Round
from contest.submissions import Entry, accept
from tests import sizes
from tests.web.conftest import TWO_PUSHES, a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def contest(transactional_db):
    a_level(a_round(7, opens_in=-1), TWO_PUSHES)
    for nickname, country, moves in (("Ann", "GB", "RR"), ("=Bo", "CN", "LRRR"[1:] + "R")):
        accept(Entry(nickname, moves, country, round=7, slot="main"), door=Door.WEB)
    judging.judge_until_empty()


def ground(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def choose(page, theme):
    page.locator("header summary").click()
    page.locator("header").get_by_role("button", name=theme).click()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_the_theme_is_chosen_and_stays_chosen(contest, open_page, scripts):
    page = open_page("/en/rounds/", color_scheme="light", java_script_enabled=scripts)
    choose(page, "Dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/en/rounds/7/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    choose(page, "Automatic")
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")


def test_a_dark_machine_gets_a_dark_page_unless_light_was_chosen(contest, open_page):
    page = open_page("/en/", color_scheme="dark")
    dark = ground(page)
    choose(page, "Light")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert ground(page) != dark


def test_a_table_is_copied_with_tabs_and_without_formulas(contest, open_page):
    page = open_page("/en/rounds/7/submissions/", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the table").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    lines = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert lines[0].split("\t")[1:] == ["Player", "Level", "Moves", "Pushes"]
    assert {line.split("\t")[1] for line in lines[1:]} == {"Ann United Kingdom", "'=Bo China"}


def test_keys_lead_about_the_site(contest, open_page):
    page = open_page("/en/")
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_url("**/en/rounds/")
    page.keyboard.press("j")
    expect(page.locator("tbody a").first).to_be_focused()


def test_keys_are_letters_where_somebody_writes(contest, open_page):
    page = open_page("/en/submit/")
    page.get_by_label("Nickname", exact=True).click()
    page.keyboard.type("gr?")
    expect(page.get_by_label("Nickname", exact=True)).to_have_value("gr?")
    assert page.url.endswith("/en/submit/")


def test_keys_can_be_switched_off(contest, open_page):
    page = open_page("/en/")
    page.keyboard.press("?")
    page.get_by_label("Use these keys").uncheck()
    page.get_by_role("button", name="Close", exact=True).click()
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_timeout(300)
    assert page.url.endswith("/en/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


@pytest.mark.parametrize("language", sizes.cases(["en"], ["zh-hans"]))
def test_the_head_of_a_page_is_one_row_on_a_phone(contest, open_page, language):
    page = open_page(f"/{language}/", viewport={"width": 360, "height": 700}, has_touch=True)
    assert page.locator("header").bounding_box()["height"] < 60
    page.locator("header summary").click()
    expect(page.locator("header details a").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_page_that_is_not_there_can_be_played(contest, open_page):
    page = open_page("/en/nowhere/")
    page.get_by_role("application").click(position={"x": 2, "y": 100})
    page.get_by_role("application").focus()
    for key in "lddrrurddluruuul":
        page.keyboard.press({"l": "ArrowLeft", "u": "ArrowUp", "r": "ArrowRight", "d": "ArrowDown"}[key])
    expect(page.locator("[data-says]")).to_contain_text("pushes")


def test_without_scripts_a_page_that_is_not_there_is_plain(contest, open_page):
    page = open_page("/en/nowhere/", java_script_enabled=False)
    expect(page.locator("svg.board")).to_be_visible()
    expect(page.get_by_role("application")).to_be_hidden()


def test_in_the_last_hour_the_clock_stands_in_the_title(transactional_db, open_page):
    a_level(a_round(9, opens_in=-1, days=1 + 1 / 48), TWO_PUSHES)
    page = open_page("/en/rounds/9/")
    expect(page).to_have_title(re.compile(r"^29:\d\d · Round 9 · Leitai$"))


def test_paper_gets_no_navigation_and_dark_rooms_do_not_blacken_it(contest, open_page):
    page = open_page("/en/rounds/7/main/", color_scheme="dark")
    page.emulate_media(media="print")
    for hidden in ("header nav", "header details", "footer", ".tabs", "main .button", ".tsv"):
        expect(page.locator(hidden).first).to_be_hidden()
    assert ground(page) == "rgb(255, 255, 255)"
    assert page.locator("thead").first.evaluate("head => getComputedStyle(head).display") == "table-header-group"


def test_on_a_phone_every_tab_is_in_sight(contest, open_page):
    page = open_page("/en/rounds/7/submissions/", viewport={"width": 360, "height": 740})
    ends = page.locator(".tabs a").evaluate_all("tabs => tabs.map(tab => tab.getBoundingClientRect().right)")
    assert max(ends) <= 360
    assert page.locator(".tabs [aria-current]").count() == 1


def test_a_long_word_widens_no_page(contest, open_page):
    Round.objects.update(title_en="W" * 200)
    Level.objects.update(title="W" * 200)
    page = open_page("/en/", viewport={"width": 360, "height": 740})
    for path in ("", "rounds/", "rounds/7/", "rounds/7/main/"):
        page.goto(f"/en/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
