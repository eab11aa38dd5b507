import pytest
from playwright.sync_api import expect

from contest.models import LevelResult
from tests import cast
from tests.browser.boards import PHONE, solved
from tests.browser.hands import press
from tests.browser.people import as_ann

LONG = "#######|#@$--.#|#-----#|#######"  # three pushes
COPIED = """() => {
    delete Navigator.prototype.share;
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text; } } });
}"""


@pytest.fixture
def rooms(transactional_db, cache_of_its_own):
    return cast.a_collection("rooms", [LONG])


def test_a_link_races_a_ghost_and_the_winner_makes_the_next_link(open_page, rooms):
    page = open_page("/en/collections/rooms/1/play/#beat=dd", **PHONE)
    expect(page.get_by_text("This link brings no solution of this level.")).to_be_visible()
    page.goto("about:blank")
    page.goto("/en/collections/rooms/1/play/#beat=duduRRR")
    expect(page.get_by_text("To beat: 7 moves, 3 pushes.")).to_be_visible()
    assert page.evaluate("location.hash") == ""
    press(page, *["ArrowRight"] * 3)
    expect(solved(page).get_by_text("Beaten: fewer than 7 moves. Now challenge others.")).to_be_visible()
    page.evaluate(COPIED)
    solved(page).get_by_role("button", name="Challenge").tap()
    expect(page.get_by_text("Copied. You can paste it anywhere.")).to_be_attached()
    assert page.evaluate("window.copied").endswith("/en/collections/rooms/1/play/#beat=RRR")
    press(page, "Backspace")
    page.get_by_role("button", name="End the race").tap()
    expect(page.get_by_text("To beat: 7 moves, 3 pushes.")).to_be_hidden()


def test_a_level_for_frames_of_other_sites_is_played_in_a_sandbox_and_sent_here(open_page, rooms):
    page = open_page("/healthz")
    as_ann(page)
    page.goto("/en/embed/play/collections/rooms/1/")
    assert page.evaluate("origin") == "null"
    read_cookie = "() => { try { return document.cookie; } catch (error) { return error.name; } }"
    assert page.evaluate(read_cookie) == "SecurityError"
    page.get_by_role("application").focus()
    press(page, "ArrowDown", "Backspace", *["ArrowRight"] * 3)
    expect(page.get_by_text("Moves: 3 · pushes: 3")).to_be_visible()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Send it on the site").click()
    site = opened.value
    expect(solved(site)).to_be_visible()
    site.wait_for_load_state("networkidle")  # all threads share one connection of SQLite
    assert not LevelResult.objects.exists()  # a link submits nothing
    solved(site).get_by_role("button", name="Submit").click()
    expect(solved(site).locator("[data-fate]")).to_contain_text("Accepted.")
    assert LevelResult.objects.get().lurd == "RRR"
