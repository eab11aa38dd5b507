from datetime import timedelta

from playwright.sync_api import expect

from contest.infra import clock
from contest.models import LevelResult, Round, Submission
from tests import cast
from tests.browser.boards import BEND, LOSE_ONE_ANSWER, PHONE, PLAY, SOLUTION, shown, solved
from tests.browser.hands import press, stop_clock
from tests.browser.people import as_ann
from tests.web.conftest import a_level

MARK_PAGE = "() => { window.isSamePage = true; }"
IS_SAME_PAGE = "() => window.isSamePage"
CORRIDORS = [f"{'#' * (room + 5)}|#{'-' * room}@$.#|{'#' * (room + 5)}" for room in range(3)]


def main_act(page):
    return solved(page).locator("[data-main]")


def box(page, metric):
    return solved(page).locator(f"[data-rank={metric}]")


def test_by_keyboard_a_solution_is_sent_judged_and_the_next_level_played_on_the_same_page(open_page, bend):
    """Rules 7.5, 7.7: both ranks are predicted, then those of the receipt."""
    a_level(bend, BEND.replace(".", "-", 1).replace("-#|#-$", ".#|#-$", 1), slot="extra")
    page = open_page("/en/")
    as_ann(page)
    page.goto(PLAY)
    page.evaluate(MARK_PAGE)
    press(page, "ArrowRight", "ArrowLeft", *SOLUTION)
    expect(box(page, "moves").locator("b")).to_have_text("1")
    press(page, "Enter")
    expect(solved(page).locator("[data-fate]")).to_contain_text("Accepted. Receipt")
    press(page, "r", *SOLUTION, "Control+Enter")
    expect(solved(page).locator("[data-fate]")).to_contain_text("Accepted. Receipt")
    assert list(Submission.objects.order_by("pk").values_list("moves", flat=True)) == [8, 6]
    expect(main_act(page)).to_be_hidden()
    press(page, "Enter")
    page.wait_for_url("**/rounds/7/extra/play/")
    expect(page.locator("h1 [data-called]")).to_have_text("Extra")
    expect(page).to_have_title("Play: Round 7 · Extra · Leitai")
    expect(shown(page, "moves")).to_have_text("0")
    press(page, "ArrowDown")
    expect(shown(page, "moves")).to_have_text("1")
    page.go_back()
    expect(shown(page, "moves")).to_have_text("6")
    page.go_forward()
    expect(shown(page, "moves")).to_have_text("1")
    assert page.evaluate(IS_SAME_PAGE)


def test_on_a_phone_a_set_is_solved_with_one_tap_between_levels(open_page, transactional_db, cache_of_its_own):
    """A better solution of a known player is sent at once; it may be lost and sent again."""
    cast.a_collection("set", CORRIDORS)
    page = open_page("/en/", **PHONE)
    as_ann(page)
    page.goto("/en/collections/set/1/play/")
    page.evaluate(MARK_PAGE)
    page.evaluate(LOSE_ONE_ANSWER)
    press(page, "ArrowRight")
    expect(solved(page).locator("[data-fate]")).to_contain_text("NOT received: no answer came.")
    main_act(page).tap()
    for place in (1, 2, 3):
        expect(page.locator(".neighbours span")).to_have_text(f"{place} / 3")
        if place > 1:
            press(page, "ArrowRight")
        expect(solved(page).locator("[data-fate]")).to_contain_text("Accepted.")
        expect(box(page, "pushes").locator("b")).to_have_text("1")
        if place < 3:
            solved(page).get_by_role("link", name="Next level").tap()
            page.wait_for_url(f"**/set/{place + 1}/play/")
    expect(solved(page).get_by_role("link", name="Next level")).to_be_hidden()
    assert page.evaluate(IS_SAME_PAGE)
    assert LevelResult.objects.count() == 3


def test_at_the_close_open_pages_offer_practice_and_predict_nothing(open_page, bend):
    """Rules 7.7, 20.1."""
    at = clock.now()
    Round.objects.update(closes_at=at + timedelta(minutes=2))
    page = open_page("about:blank")
    stop_clock(page, at)
    page.goto("/en/")
    running, closed = page.get_by_text("Running now"), page.get_by_text("The round has closed.")
    expect(running).to_be_visible()
    page.clock.run_for(130_000)
    expect(running).to_be_hidden()
    expect(closed).to_be_visible()
    as_ann(page)
    page.goto(PLAY)
    press(page, *SOLUTION)
    page.clock.run_for(1000)
    expect(main_act(page)).to_have_text("Submit")
    expect(box(page, "moves")).to_be_visible()
    Round.objects.update(closes_at=at + timedelta(minutes=9))
    page.clock.run_for(130_000)
    expect(page.locator("h1 time")).to_have_attribute("datetime", (at + timedelta(minutes=9)).isoformat())
    expect(main_act(page)).to_have_text("Submit")
    Round.objects.update(closes_at=at)
    page.clock.run_for(430_000)
    expect(box(page, "moves")).to_be_hidden()
    expect(page.locator("h1 time")).to_have_text("Closed: send as practice")
    expect(main_act(page)).to_have_text("Send as practice")
    main_act(page).click()
    expect(solved(page).locator("[data-fate]")).to_contain_text("Accepted. Receipt")
    assert Submission.objects.get().is_practice
