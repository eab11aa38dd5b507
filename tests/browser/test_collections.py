"""Levels of collections in the browser: played, kept without an account, sent from two devices."""

import pytest
from django.core import signing
from playwright.sync_api import expect

from contest.models import LevelResult, Player
from tests import cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

COLLECTION = "/en/collections/corridors/"


@pytest.fixture(autouse=True)
def corridors(transactional_db, cache_of_its_own):
    return cast.a_collection()


def play(page, place: int, *keys: str) -> None:
    page.goto(f"{COLLECTION}{place}/play/")
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator("[data-solved]")).to_be_visible()


def marks(page):
    return page.locator("[data-solved-here]:visible")


def test_a_level_is_played_sent_and_the_next_one_offered(open_page):
    page = open_page(f"{COLLECTION}1/play/")
    play(page, 1, "ArrowRight", "ArrowRight")
    page.keyboard.press("Control+Enter")
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("Solved in 2 moves and 1 pushes.")
    page.get_by_role("link", name="Next level").click()
    page.wait_for_url(f"**{COLLECTION}2/play/")
    assert page.complaints == []


def test_who_has_no_nickname_sees_what_this_browser_has_solved_and_nothing_is_sent(open_page):
    page = open_page(COLLECTION)
    expect(marks(page)).to_have_count(0)
    play(page, 1, "ArrowRight", "ArrowRight")
    page.goto(COLLECTION)
    expect(marks(page)).to_have_count(1)
    expect(page.locator("[data-send-solved]")).to_have_count(0)
    assert not LevelResult.objects.exists()


def test_two_devices_that_solved_the_same_meet_without_loss_or_doubling(open_page, live_server):
    cast.players.create("Ann", country="", email="", at=cast.OPENS)
    claims = signing.dumps({str(Player.objects.get().pk): cast.claim_of("Ann")}, salt="claims", compress=True)
    long_way, short_way = ("ArrowRight", "ArrowLeft", "ArrowRight", "ArrowRight"), ("ArrowRight", "ArrowRight")
    for way in (long_way, short_way):
        page = open_page(COLLECTION)
        play(page, 1, *way)
        page.context.add_cookies([{"name": "claims", "value": claims, "url": live_server.url}])
        page.goto(COLLECTION)
        page.get_by_role("button", name="Send 1 solutions kept in this browser, as Ann").click()
        expect(page.locator("[data-send-solved]")).to_be_hidden()
        assert page.complaints == []
    kept = LevelResult.objects.order_by("moves").values_list("moves", "is_best_by_moves", "player__nickname")
    assert list(kept) == [(2, True, "Ann"), (4, False, "Ann")]
    page.reload()
    expect(page.locator("[data-send-solved]")).to_be_hidden()


@pytest.mark.exhaustive
def test_a_set_of_forty_levels_is_kept_and_solved_without_a_network_on_a_phone(open_page):
    cast.a_collection("forty", [f"{'#' * (room + 5)}|#{'-' * room}@$.#|{'#' * (room + 5)}" for room in range(40)])
    page = open_page("/en/collections/forty/1/play/", viewport={"width": 360, "height": 740}, has_touch=True)
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Keep 40 levels for offline play").tap()
    expect(page.locator("[data-kept]")).to_have_text("Available offline: 40 of 40 levels", timeout=120_000)
    page.context.set_offline(True)
    page.goto("/en/collections/forty/1/play/")
    for place in range(1, 41):
        expect(page.locator(".neighbours span")).to_have_text(f"{place} / 40")
        page.keyboard.press("ArrowRight")
        expect(page.locator("[data-solved]")).to_be_visible()
        if place < 40:
            page.locator("[data-next]").tap()
            page.wait_for_url(f"**/forty/{place + 1}/play/")
    page.context.set_offline(False)
    page.goto("/en/collections/forty/")
    expect(marks(page)).to_have_count(40)
