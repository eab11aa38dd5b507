import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from contest import judging
from contest.models import Level, Round
from tests import cast, sizes
from tests.browser.boards import PHONE, PLAY
from tests.browser.hands import press, stop_clock
from tests.web.conftest import TWO_PUSHES, a_level, a_round

LIST = "/en/rounds/7/submissions/"
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(autouse=True)
def round_(transactional_db):
    round_ = a_round(7, opens_in=-1)
    a_level(round_, TWO_PUSHES)
    for nickname, country, moves in (("Ann", "GB", "RR"), ("=1+Bo", "CN", "RR")):
        cast.send(nickname, moves, country=country, round=7, slot="main")
    judging.judge_until_empty()
    return round_


def ground(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


@pytest.mark.parametrize("scripts", sizes.cases([True], [False]))
def test_the_chosen_theme_is_stored_and_printed_pages_are_white(open_page, scripts):
    page = open_page("/en/rounds/", color_scheme="light", java_script_enabled=scripts)

    def choose(theme):
        page.locator("header summary").click()
        page.locator("header").get_by_role("button", name=theme).click()

    light, root = ground(page), page.locator("html")
    choose("Dark")
    expect(root).to_have_attribute("data-theme", "dark")
    page.goto("/en/rounds/7/main/")
    expect(root).to_have_attribute("data-theme", "dark")
    assert ground(page) != light
    page.emulate_media(media="print")
    for hidden in ("header nav", "header details", "footer", ".tabs", "main .button"):
        expect(page.locator(hidden).first).to_be_hidden()
    assert ground(page) == "rgb(255, 255, 255)"
    assert page.locator("thead").first.evaluate("head => getComputedStyle(head).display") == "table-header-group"
    page.emulate_media(media="screen", color_scheme="dark")
    choose("Automatic")
    expect(root).not_to_have_attribute("data-theme", "dark")
    assert ground(page) != light
    choose("Light")
    expect(root).to_have_attribute("data-theme", "light")
    assert ground(page) == light


def test_a_table_and_a_level_are_copied_by_a_click(open_page):
    page = open_page("about:blank", permissions=["clipboard-read", "clipboard-write"])
    stop_clock(page)  # the buttons show a confirmation for some seconds
    page.goto(LIST)
    page.get_by_role("button", name="Copy the table").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    lines = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert lines[0].split("\t")[1:] == ["Player", "Level", "Moves", "Pushes"]
    assert {line.split("\t")[1] for line in lines[1:]} == {"Ann United Kingdom", "'=1+Bo China"}
    page.goto("/en/rounds/7/main/")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied", exact=True)).to_be_visible()
    assert "@" in page.evaluate("navigator.clipboard.readText()")


@pytest.mark.exhaustive
def test_shortcuts_navigate_the_site_except_in_text_fields_or_if_switched_off(open_page):
    page = open_page("/en/submit/")
    nickname = page.get_by_label("Nickname", exact=True)
    nickname.click()
    page.keyboard.type("gr?")
    expect(nickname).to_have_value("gr?")
    page.goto("/en/")
    press(page, "g", "r")
    page.wait_for_url("**/en/rounds/")
    press(page, "j")
    expect(page.locator("tbody a").first).to_be_focused()
    press(page, "?")
    page.get_by_label("Use these keys").uncheck()
    page.get_by_role("button", name="Close", exact=True).click()
    page.evaluate("""() => {
        window.clicks = 0;
        document.addEventListener("click", () => { window.clicks += 1; }, true);
    }""")
    press(page, "g", "h", "g", "r")
    assert page.evaluate("clicks") == 0
    press(page, "?")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_on_a_phone_header_and_tabs_fit_and_no_long_word_widens_a_page(open_page):
    page = open_page(LIST, **PHONE)
    assert page.locator("header").bounding_box()["height"] < 60
    page.locator("header summary").click()
    expect(page.locator("header details a").first).to_be_visible()
    assert page.evaluate(FITS)
    ends = page.locator(".tabs a").evaluate_all("tabs => tabs.map(tab => tab.getBoundingClientRect().right)")
    assert max(ends) <= 360
    assert page.locator(".tabs [aria-current]").count() == 1
    Round.objects.update(title_en="W" * 200)
    Level.objects.update(title="W" * 200)
    for path in ("", "rounds/", "rounds/7/", "rounds/7/main/"):
        page.goto(f"/en/{path}")
        assert page.evaluate(FITS), path


def test_countdowns_follow_the_servers_clock_and_move_to_the_title_in_the_last_hour(open_page, round_):
    """Rule 3.3: a local clock that is two hours wrong changes nothing."""
    a_level(a_round(9, opens_in=-1, days=1 + 1 / 48), TWO_PUSHES)
    page = open_page("about:blank", timezone_id="Asia/Kolkata")
    stop_clock(page, round_.closes_at + timedelta(hours=2))
    page.goto(PLAY)
    countdown = page.locator("time.countdown")
    expect(countdown).to_have_text(re.compile(r"^(19d 23:5\d:\d\d|20d 00:00:00)$"))
    before = countdown.inner_text()
    page.clock.run_for(2000)
    expect(countdown).not_to_have_text(before)
    page.goto("/zh-hans/")
    expect(page.locator(".local").first).to_be_visible()
    page.goto("/en/rounds/9/")
    expect(page).to_have_title(re.compile(r"^(29|30):\d\d · Round 9 · Leitai$"))


def test_without_scripts_pages_are_plain(open_page):
    page = open_page(LIST, java_script_enabled=False)
    page.get_by_label("Player", exact=True).fill("bo")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator(".live-state")).to_have_count(0)
    page.goto("/en/nowhere/")
    expect(page.locator("svg.board")).to_be_visible()
    expect(page.get_by_role("application")).to_be_hidden()
    page.goto("/en/help/first-steps/")
    expect(page.locator(".lesson svg")).to_have_count(3)
    expect(page.get_by_text("Boxes are pushed, never pulled.")).to_be_visible()
    expect(page.get_by_role("button", name="Undo").first).to_be_hidden()
    page.goto("/en/screen/7/")
    expect(page.locator(".slide:visible")).to_have_count(2)
    expect(page.locator(".turning")).to_be_hidden()
