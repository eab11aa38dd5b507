"""Pages that update themselves, and the projector view: their clock is stopped, except where a test advances it."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from tests import cast
from tests.browser.hands import press, stop_clock
from tests.web.conftest import a_level, a_round

LIST, SCREEN = "/en/rounds/7/submissions/", "/en/screen/7/"
EVERY = 15_000  # milliseconds between two polls
# Make the tab report itself as hidden.
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
COUNT = """() => {
  const real = window.fetch;
  window.asked = 0;
  window.fetch = (...given) => { window.asked += 1; return real(...given); };
}"""


@pytest.fixture
def round_(transactional_db):
    round_ = a_round(7, opens_in=-1)
    a_level(round_)
    cast.enter(round_, "Ann", 500, 120, at=round_.opens_at)
    cast.enter(round_, "Bo", 510, 118, at=round_.opens_at)
    return round_


@pytest.fixture
def watch(round_, open_page):
    def watch_(address, **options):
        page = open_page("about:blank", **options)
        stop_clock(page, round_.opens_at + timedelta(hours=1))
        page.goto(address)
        return page

    return watch_


def test_nothing_is_polled_while_the_tab_is_hidden_the_server_silent_or_updates_paused(round_, watch):
    """WCAG 2.2.2."""
    page = watch(LIST)
    state = page.locator(".live-state")
    expect(state).to_contain_text("Updated")
    page.evaluate(COUNT)

    def enter(nickname):
        cast.enter(round_, nickname, 490, 130, at=round_.opens_at)

    def appears(nickname):
        return expect(page.get_by_role("link", name=nickname, exact=True))

    page.evaluate(HIDE, True)
    enter("Cy")
    page.clock.run_for(4 * EVERY)
    assert page.evaluate("asked") == 0
    page.evaluate(HIDE, False)
    page.clock.run_for(10)
    appears("Cy").to_be_visible()
    page.route("**/*part=1*", lambda route: route.fulfill(status=503, headers={"Retry-After": "60"}))
    page.clock.run_for(EVERY)
    expect(state).to_contain_text("No response; trying again in")
    page.unroute_all()
    enter("Di")
    page.clock.run_for(58_000)
    assert page.evaluate("asked") == 2
    page.clock.run_for(3_000)
    appears("Di").to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(state).to_contain_text("Paused")
    enter("Ed")
    page.clock.run_for(4 * EVERY)
    assert page.evaluate("asked") == 3
    page.get_by_role("button", name="Resume updates").click()
    page.clock.run_for(10)
    appears("Ed").to_be_visible()


@pytest.mark.exhaustive
def test_updates_keep_focus_and_scroll_position(round_, watch):
    for place in range(40):
        cast.enter(round_, f"P{place}", 600 + place, 200, at=round_.opens_at)
    page = watch(LIST, viewport={"width": 800, "height": 500})
    link = page.get_by_role("link", name="Ann", exact=True)
    link.focus()
    page.evaluate("document.querySelector('[data-live]').scrollIntoView()")
    page.evaluate("scrollBy(0, 40)")
    before = link.bounding_box()["y"]
    cast.enter(round_, "Newcomer", 490, 130, at=round_.opens_at)
    page.clock.run_for(EVERY)
    expect(page.get_by_role("link", name="Newcomer", exact=True)).to_be_attached()
    expect(link).to_be_focused()
    assert abs(link.bounding_box()["y"] - before) < 2


def test_the_projector_view_changes_rankings_automatically_by_keys_or_not_at_all(round_, watch):
    """WCAG 2.2.2."""
    page = watch(SCREEN)
    at, slide = page.locator(".at"), page.locator(".slide:visible")
    turn = 1000 * int(page.locator("main").get_attribute("data-seconds"))
    expect(slide).to_contain_text("Fewest moves")
    page.clock.run_for(turn)
    expect(at).to_have_text("2 of 2")
    press(page, " ")
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    page.clock.run_for(turn)
    expect(at).to_have_text("2 of 2")
    press(page, " ")
    page.clock.run_for(turn)
    expect(at).to_have_text("1 of 2")
    press(page, "ArrowRight")
    expect(slide).to_contain_text("Fewest pushes")
