"""Pages that keep up to date, in a real browser."""

import pytest
from playwright.sync_api import expect

from contest.web.shell import live
from tests import cast, sizes
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LIST = "/en/rounds/7/submissions/"
# What a hidden tab says of itself.
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
# Ten minutes without a look end a visit.
AGE = """() => {
  for (const key of Object.keys(localStorage).filter((key) => key.startsWith("leitai:visit:"))) {
    const kept = JSON.parse(localStorage[key]);
    localStorage[key] = JSON.stringify({ ...kept, at: kept.at - 11 * 60000 });
  }
}"""


@pytest.fixture
def round_(transactional_db, monkeypatch):
    monkeypatch.setattr(live, "SECONDS", 1)
    round_ = a_round(7, opens_in=-1)
    a_level(round_)
    cast.enter(round_, "Ann", 500, 120, at=round_.opens_at)
    cast.enter(round_, "Bo", 510, 118, at=round_.opens_at)
    return round_


def asked(page):
    """The parts the page has asked for, as they come."""
    found = []
    page.on("request", lambda sent: found.append(sent.url) if "part=1" in sent.url else None)
    return found


@pytest.mark.parametrize(
    "address", sizes.cases(["/en/rounds/7/main/"], ["/en/", "/en/rounds/7/", LIST, "/en/rounds/7/main/moves/"])
)
def test_what_is_accepted_appears_without_a_reload(round_, open_page, address):
    page = open_page(address)
    expect(page.locator(".live-state")).to_contain_text("Updated")
    cast.enter(round_, "Cy", 490, 130, at=round_.opens_at)
    expect(page.locator("[data-live]").get_by_role("link", name="Cy", exact=True).first).to_be_visible(timeout=8000)
    assert page.complaints == []


def test_a_hidden_tab_asks_for_nothing_and_catches_up_when_seen(round_, open_page):
    page = open_page(LIST)
    page.evaluate(HIDE, True)
    requests = asked(page)
    cast.enter(round_, "Cy", 490, 130, at=round_.opens_at)
    page.wait_for_timeout(2500)
    assert requests == []
    page.evaluate(HIDE, False)
    expect(page.get_by_role("link", name="Cy", exact=True)).to_be_visible(timeout=8000)


def test_a_reader_can_pause(round_, open_page):
    """WCAG 2.2.2."""
    page = open_page(LIST)
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".live-state")).to_contain_text("Paused")
    requests = asked(page)
    page.wait_for_timeout(2500)
    assert requests == []
    page.get_by_role("button", name="Resume updates").click()
    expect(page.locator(".live-state")).to_contain_text("Updated")


def test_focus_and_place_stay(round_, open_page):
    for place in range(60):
        cast.enter(round_, f"P{place}", 600 + place, 200, at=round_.opens_at)
    page = open_page(LIST, viewport={"width": 800, "height": 500})
    link = page.get_by_role("link", name="Ann", exact=True)
    link.focus()
    page.evaluate(
        "document.querySelector('[data-live], .live, table').scrollIntoView()"
    )  # somebody who reads on, with the head above
    page.evaluate("scrollBy(0, 40)")
    before = link.bounding_box()["y"]
    cast.enter(round_, "Newcomer", 490, 130, at=round_.opens_at)
    expect(page.get_by_role("link", name="Newcomer", exact=True)).to_be_attached(timeout=8000)
    assert abs(page.get_by_role("link", name="Ann", exact=True).bounding_box()["y"] - before) < 2
    assert page.evaluate("document.activeElement.textContent") == "Ann"


def test_arrows_tell_what_changed_since_the_last_visit(round_, open_page):
    page = open_page("/en/rounds/7/main/moves/")
    expect(page.locator(".standings").last).to_contain_text("Bo")
    assert page.locator(".arrow").count() == 0
    page.evaluate(AGE)
    cast.enter(round_, "Bo", 490, 118, at=round_.opens_at)
    page.goto("/en/rounds/7/main/moves/")
    expect(page.get_by_label("up 1 since your last visit")).to_have_text("▲1")
    expect(page.get_by_label("down 1 since your last visit")).to_have_text("▼1")
    page.reload()
    expect(page.get_by_label("up 1 since your last visit")).to_be_visible()  # still the same visit


def test_arrows_in_the_race_at_home_know_those_it_did_not_show(round_, open_page):
    names = ("Cy", "Di", "Ed", "Flo", "Gus", "Hal")
    for place, name in enumerate(names):
        cast.enter(round_, name, 520 + place, 120, at=round_.opens_at)
    page = open_page("/en/")
    race = page.locator("table.race")
    expect(race).to_contain_text("Flo")
    expect(race).not_to_contain_text("Hal")
    expect(race).to_have_attribute("data-visits", "race-7")
    page.evaluate(AGE)
    cast.enter(round_, "Hal", 490, 110, at=round_.opens_at)
    cast.enter(round_, "Ida", 495, 111, at=round_.opens_at)
    page.goto("/en/")
    expect(race.locator("tr", has_text="Hal").get_by_label("up 7 since your last visit")).to_have_text("▲7")
    expect(race.locator("tr", has_text="Ann").get_by_label("down")).to_be_visible()
    expect(race.locator("tr", has_text="Ida").locator(".arrow")).to_have_count(0)  # nobody knows where Ida was


def test_new_submissions_are_marked_on_the_second_visit(round_, open_page):
    page = open_page(LIST)
    expect(page.get_by_role("link", name="Bo", exact=True)).to_be_visible()
    assert page.locator(".arrow").count() == 0
    page.evaluate(AGE)
    cast.enter(round_, "Cy", 490, 130, at=round_.opens_at)
    page.goto(LIST)
    expect(page.get_by_label("new since your last visit")).to_have_count(1)


def test_when_the_server_gives_no_answer_the_page_says_so_and_asks_less(round_, open_page):
    page = open_page(LIST)
    page.route("**/*part=1*", lambda route: route.fulfill(status=503, headers={"Retry-After": "30"}))
    expect(page.locator(".live-state")).to_contain_text("No response; trying again in", timeout=8000)
    requests = asked(page)
    page.wait_for_timeout(2500)
    assert requests == []


def test_without_javascript_the_list_is_there_and_its_filters_work(round_, open_page):
    page = open_page(LIST, java_script_enabled=False)
    page.get_by_label("Player", exact=True).fill("bo")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    assert page.locator(".live-state").count() == 0
