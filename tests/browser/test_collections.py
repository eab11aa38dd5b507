import pytest
from playwright.sync_api import expect

from contest.models import LevelResult
from tests import cast
from tests.browser.boards import solved
from tests.browser.hands import press
from tests.browser.people import set_claim_cookie

COLLECTION = "/en/collections/corridors/"


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
