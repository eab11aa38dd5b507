import pytest
from playwright.sync_api import expect

from contest.models import LevelResult, Submission
from tests import cast, sizes
from tests.browser.boards import BEND, IS_KEPT, PHONE, SOLUTION, solved
from tests.browser.hands import press, wait_until
from tests.web.conftest import a_level, a_round

SET, PRACTICE = "/en/collections/set/", "/en/rounds/6/main/play/"
CORRIDORS = [f"{'#' * (room + 5)}|#{'-' * room}@$.#|{'#' * (room + 5)}" for room in range(3)]
# The page of saved levels is stored, and pages that the browser opens are the worker's.
IS_READY = "async () => Boolean(navigator.serviceWorker.controller && await caches.match('/en/saved/'))"
LOSE_ANSWERS = """(count) => {
    const real = window.fetch;
    window.fetch = async (...asked) => {
        const answer = await real(...asked);
        if (asked[1]?.method === "POST" && count-- > 0) throw new TypeError("the answer got lost");
        return answer;
    };
}"""
STAY_SILENT = """(() => {
    const real = window.fetch;
    window.fetch = (asked, options) => {
        if (options?.method === "POST") return Promise.reject(new TypeError("no answer"));
        return options?.cache === "no-store" ? new Promise(() => {}) : real(asked, options);
    };
})()"""
SEND_UNTIL_RECEIVED = """async () => {
    dispatchEvent(new Event("online"));
    return Boolean(document.querySelector("[data-outbox] a"));
}"""


@pytest.fixture(autouse=True)
def set_(transactional_db, cache_of_its_own):
    return cast.a_collection("set", CORRIDORS)


def title(page):
    return page.locator("[data-saved] h1:visible")


def test_every_page_leads_to_the_saved_levels_when_the_network_is_lost(open_page):
    page = open_page("/en/", **PHONE)
    wait_until(page, IS_READY)
    page.context.set_offline(True)
    for path in ("/", "/en/", "/en/levels/", f"{SET}2/play/", SET, "/en/help/first-steps/", "/en/rules/"):
        page.goto(path)
        expect(title(page), path).to_have_text("You are offline")
        expect(page.get_by_text("No level is saved yet."), path).to_be_visible()
    page.goto("/zh-hans/levels/")
    expect(title(page)).to_have_text("没有网络")
    page.context.set_offline(False)
    page.get_by_role("button", name="打开本页").tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("关卡")


@pytest.mark.parametrize("path", sizes.cases([SET], ["/en/levels/"]))
def test_a_list_offers_to_save_its_levels_and_they_are_played_one_after_the_other_offline(open_page, path):
    page = open_page(path)
    page.get_by_role("button", name="Keep 3 levels for offline play").click()
    expect(page.locator("[data-kept]")).to_have_text("Available offline: 3 of 3 levels")
    page.context.set_offline(True)
    page.goto(f"{SET}2/play/")
    press(page, "ArrowLeft")
    page.goto("/en/")
    expect(page.locator("[data-saved] li")).to_have_count(3)
    expect(page.locator("[data-continue]")).to_contain_text("2")
    page.locator("[data-continue] a").click()
    page.wait_for_url(f"**{SET}2/play/")
    press(page, "ArrowRight", "ArrowRight")
    expect(solved(page)).to_be_visible()
    page.goto("/en/levels/")
    expect(page.locator("[data-continue]")).to_be_hidden()
    expect(page.locator("[data-saved] li", has_text="✓")).to_have_count(1)
    page.locator("[data-next] a").click()
    expect(page.locator(".neighbours span")).to_have_text("1 / 3")


def send_as_ann(page):
    page.locator("[data-enter], [data-main]").locator("visible=true").first.click()
    page.locator("[data-drawer] [name=nickname]").fill("Ann")
    press(page, "Enter")
    expect(page.locator("[data-sent]")).to_have_text("Saved here. It is sent when the network is back.")


def solve_offline(open_page, path, *keys):
    page = open_page(path)
    wait_until(page, IS_READY)
    wait_until(page, IS_KEPT)
    page.context.set_offline(True)
    page.reload()
    press(page, *keys)
    for _again in range(2):
        send_as_ann(page)
    return page


@pytest.mark.parametrize(
    ("path", "keys", "sent"),
    sizes.cases([(PRACTICE, SOLUTION, Submission)], [(f"{SET}1/play/", ["ArrowRight"], LevelResult)]),
)
def test_a_solution_found_offline_is_sent_once_when_the_network_is_back(open_page, path, keys, sent):
    """Although two windows send it, and one gets no answer at all, the other none at first."""
    a_level(a_round(6, opens_in=-40), BEND)
    page = solve_offline(open_page, path, *keys)
    page.goto("/en/")
    expect(page.locator("[data-outbox] p")).to_have_count(1)
    other = page.context.new_page()
    other.goto("/en/")
    assert not sent.objects.exists()
    page.evaluate(LOSE_ANSWERS, 1)
    other.evaluate(LOSE_ANSWERS, 1000)
    page.context.set_offline(False)
    wait_until(page, SEND_UNTIL_RECEIVED)
    expect(page.locator("[data-outbox]").get_by_role("link", name="Receipt")).to_be_visible()
    assert sent.objects.get().player.nickname == "Ann"
    page.goto("/en/")
    wait_until(page, "async () => document.querySelector('[data-outbox]').hidden")


def solve_without_answers(page, place):
    """Solve a level of the set, whose scripts get no answer to a form, and none to their look for its token."""
    page.add_init_script(STAY_SILENT)
    page.goto(f"{SET}{place}/play/")
    press(page, "ArrowRight")
    send_as_ann(page)


def test_solutions_wait_although_the_network_does_not_answer_while_one_is_sent(open_page):
    page = open_page("/en/")
    for place in (1, 2):
        solve_without_answers(page, place)


def test_solutions_of_two_levels_with_the_same_moves_are_sent_separately(open_page):
    page = open_page("/en/")
    for place in (1, 2):
        solve_without_answers(page, place)
    other = page.context.new_page()
    page.close()
    other.route(f"**{SET}2/play/", lambda asked: asked.abort())
    other.goto("/en/")
    expect(other.locator("[data-outbox]").get_by_role("link", name="Receipt")).to_be_visible()
    expect(other.locator("[data-outbox]")).to_contain_text("Waits for a network")
    assert LevelResult.objects.get().level.place == 1


@pytest.mark.exhaustive
def test_a_solution_to_a_level_that_is_gone_can_be_discarded(open_page, set_):
    page = solve_offline(open_page, f"{SET}1/play/", "ArrowRight")
    set_.levels.all().delete()
    page.context.set_offline(False)
    page.locator("[data-outbox]").get_by_role("button", name="Discard").click()
    expect(page.locator("[data-outbox]")).to_be_hidden()


@pytest.mark.exhaustive
def test_a_solution_that_is_refused_later_says_why_and_can_be_discarded(open_page):
    page = solve_offline(open_page, f"{SET}1/play/", "ArrowRight")
    cast.players.create("Ann", country="", email="", at=cast.OPENS)
    page.context.set_offline(False)
    outbox = page.locator("[data-outbox]")
    expect(outbox).to_contain_text("Not accepted")
    page.reload()
    expect(outbox).to_contain_text("Not accepted")
    outbox.get_by_role("button", name="Discard").click()
    expect(outbox).to_be_hidden()
    assert not LevelResult.objects.exists()
