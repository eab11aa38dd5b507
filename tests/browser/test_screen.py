"""The projector view in a real browser."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from contest.web.shell import live
from tests import cast
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SCREEN = "/en/screen/7/"


@pytest.fixture
def screen(round_, open_page):
    """The screen, whose time stands still until a test lets it go by."""
    page = open_page(SCREEN)
    page.clock.install(time=round_.opens_at)
    page.clock.pause_at(round_.opens_at + timedelta(minutes=1))
    page.goto(SCREEN)
    return page


@pytest.fixture
def round_(transactional_db, monkeypatch):
    monkeypatch.setattr(live, "SECONDS", 1)
    round_ = a_round(7, opens_in=-1)
    a_level(round_)
    for place in range(12):
        cast.enter(round_, f"P{place}", 500 + place, 120 - place, at=round_.opens_at)
    return round_


def test_one_ranking_is_seen_and_keys_turn_to_the_next(round_, open_page):
    page = open_page(SCREEN)
    expect(page.locator(".slide:visible")).to_have_count(1)
    expect(page.locator(".slide:visible")).to_contain_text("Fewest moves")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".slide:visible")).to_contain_text("Fewest pushes")
    expect(page.locator(".at")).to_have_text("2 of 2")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".at")).to_have_text("1 of 2")
    assert page.complaints == []


def test_it_turns_by_itself_until_it_is_paused(screen):
    """WCAG 2.2.2."""
    seconds = int(screen.locator("main").get_attribute("data-seconds"))
    expect(screen.locator(".at")).to_have_text("1 of 2")
    screen.clock.run_for(1000 * seconds)
    expect(screen.locator(".at")).to_have_text("2 of 2")
    screen.keyboard.press(" ")
    expect(screen.get_by_role("button", name="Continue")).to_be_visible()
    screen.clock.run_for(1000 * seconds)
    expect(screen.locator(".at")).to_have_text("2 of 2")
    screen.keyboard.press(" ")
    screen.clock.run_for(1000 * seconds)
    expect(screen.locator(".at")).to_have_text("1 of 2")


def test_what_is_accepted_appears_on_the_slide_that_is_shown(round_, screen):
    screen.keyboard.press("ArrowRight")
    cast.enter(round_, "Newcomer", 400, 100, at=round_.opens_at)
    screen.clock.run_for(5000)
    expect(screen.locator(".slide:visible")).to_contain_text("Newcomer")
    expect(screen.locator(".slide:visible")).to_have_count(1)
    expect(screen.locator(".slide:visible")).to_contain_text("Fewest pushes")


def test_ten_rows_and_the_controls_fit_the_screen(round_, open_page):
    page = open_page(SCREEN)
    for width, height in ((360, 740), (1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(SCREEN)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width > 360:
            assert page.evaluate("document.documentElement.scrollHeight") <= height


def test_without_javascript_all_rankings_are_there(round_, open_page):
    page = open_page(SCREEN, java_script_enabled=False)
    expect(page.locator(".slide:visible")).to_have_count(2)
    expect(page.locator(".turning")).to_be_hidden()
