"""The projector view in a real browser."""

import pytest
from playwright.sync_api import expect

from contest.web.shell import live
from tests import cast
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SCREEN = "/en/screen/7/"


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


def test_it_turns_by_itself_until_it_is_paused(round_, open_page):
    """WCAG 2.2.2."""
    page = open_page(SCREEN)
    expect(page.locator(".at")).to_have_text("2 of 2", timeout=15_000)
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    page.wait_for_timeout(11_000)
    expect(page.locator(".at")).to_have_text("2 of 2")


def test_what_is_accepted_appears_on_the_slide_that_is_shown(round_, open_page):
    page = open_page(SCREEN)
    page.keyboard.press("ArrowRight")
    cast.enter(round_, "Newcomer", 400, 100, at=round_.opens_at)
    expect(page.locator(".slide:visible")).to_contain_text("Newcomer", timeout=8000)
    expect(page.locator(".slide:visible")).to_have_count(1)
    expect(page.locator(".slide:visible")).to_contain_text("Fewest pushes")


@pytest.mark.parametrize("size", [(360, 740), (1280, 720), (1920, 1080)])
def test_ten_rows_and_the_controls_fit_the_screen(round_, open_page, size):
    page = open_page(SCREEN, viewport={"width": size[0], "height": size[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    if size[0] > 360:
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1]


def test_without_javascript_all_rankings_are_there(round_, open_page):
    page = open_page(SCREEN, java_script_enabled=False)
    expect(page.locator(".slide:visible")).to_have_count(2)
    expect(page.locator(".turning")).to_be_hidden()
