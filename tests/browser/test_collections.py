"""Levels of collections in the browser: played, sent, stored without an account and offline."""

import pytest
from playwright.sync_api import expect

from contest.models import LevelResult
from tests import cast
from tests.browser.boards import PHONE, solved
from tests.browser.hands import press
from tests.browser.people import set_claim_cookie

COLLECTION = "/en/collections/corridors/"
CORRIDORS = [f"{'#' * (room + 5)}|#{'-' * room}@$.#|{'#' * (room + 5)}" for room in range(3)]


@pytest.fixture(autouse=True)
def corridors(transactional_db, cache_of_its_own):
    return cast.a_collection()


def test_solutions_are_stored_in_the_browser_until_a_player_submits_once(open_page):
    cast.players.create("Ann", country="", email="", at=cast.OPENS)
    page = open_page(f"{COLLECTION}1/play/")
    marks, form = page.locator("[data-solved-here]:visible"), page.locator("[data-send-solved]")
    press(page, "ArrowRight", "ArrowLeft", "ArrowRight", "ArrowRight")
    expect(solved(page)).to_be_visible()
    page.goto(COLLECTION)
    expect(marks).to_have_count(1)
    expect(form).to_have_count(0)
    assert not LevelResult.objects.exists()
    set_claim_cookie(page, "Ann")
    page.goto(COLLECTION)
    with page.expect_navigation():
        page.get_by_role("button", name="Submit 1 solutions stored in this browser, as Ann").click()
    expect(form).to_be_attached()
    expect(form).to_be_hidden()
    assert LevelResult.objects.values_list("moves", "player__nickname").get() == (4, "Ann")


def test_a_saved_set_of_levels_is_solved_offline_on_a_phone(open_page):
    cast.a_collection("set", CORRIDORS)
    page = open_page("/en/collections/set/1/play/", **PHONE)
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Keep 3 levels for offline play").tap()
    expect(page.locator("[data-kept]")).to_have_text("Available offline: 3 of 3 levels")
    page.context.set_offline(True)
    page.goto("/en/collections/set/1/play/")
    for place in (1, 2, 3):
        expect(page.locator(".neighbours span")).to_have_text(f"{place} / 3")
        press(page, "ArrowRight")
        expect(solved(page)).to_be_visible()
        if place < 3:
            page.locator("[data-next]").tap()
            page.wait_for_url(f"**/set/{place + 1}/play/")
    page.context.set_offline(False)
    page.goto("/en/collections/set/")
    expect(page.locator("[data-solved-here]:visible")).to_have_count(3)
