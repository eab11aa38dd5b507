"""Checking moves in the page, in a real browser: nothing is sent."""

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests import sizes
from tests.browser.test_player import BEND
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _running_round(transactional_db, cache_of_its_own):
    a_level(a_round(7, opens_in=-1), BEND)


def said(page):
    return page.locator("[data-sentence]")


def test_a_link_brings_level_and_moves_and_nothing_is_sent(open_page):
    page = open_page(f"/en/check/#level={quote(BEND)}&moves=DRRDRU")
    expect(said(page)).to_have_text("Solves your level: 6 moves, 3 pushes.")
    expect(page.locator("[data-measures]")).to_contain_text("Box lines2")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_label("Moves", exact=True).fill("DRRDRR")
    expect(said(page)).to_contain_text("Not solved")
    assert asked == []
    assert page.complaints == []


def test_a_run_length_with_a_plus_in_the_level_comes_whole(open_page):
    page = open_page("/en/check/#level=5%23%7C%23+$.%23%7C5%23&moves=R")
    expect(page.get_by_label("Level", exact=True)).to_have_value("5#\n#+$.#\n5#")


def test_a_link_made_here_leads_back_here(open_page):
    page = open_page("/en/check/")
    page.get_by_role("button", name="Main").click()
    page.get_by_label("Moves", exact=True).fill("dRRRR")
    page.get_by_role("button", name="Make a link to this").click()
    link = page.get_by_label("Link", exact=True).input_value()
    again = open_page(link)
    expect(said(again)).to_contain_text("Move 5 (R) pushes a box into a wall.")
    expect(again.locator("[data-finding] [data-board]")).to_have_attribute("data-wrong", "F3")


def test_a_level_that_cannot_be_read_is_named_with_its_place(open_page):
    page = open_page("/en/check/")
    page.get_by_label("Level", exact=True).fill("#####\n#@z.#\n#####")
    expect(page.locator("[data-board-error]")).to_contain_text("“z” is not a character of this text")


def test_without_javascript_the_same_form_is_answered(open_page):
    page = open_page("/en/check/", java_script_enabled=False)
    page.get_by_label("Level", exact=True).fill("#####\n#@$.#\n#####")
    page.get_by_label("Moves", exact=True).fill("R")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".verdict.accepted")).to_contain_text("1 moves, 1 pushes")


PASTE = """(text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.body.dispatchEvent(paste);
}"""


@pytest.mark.parametrize("text", sizes.cases(["Solution: d2(R)drU"], ["dRRdrU", "答案：drrdru"]))
def test_moves_pasted_on_any_page_open_the_page_to_submit(open_page, text):
    page = open_page("/en/rounds/7/")
    page.evaluate(PASTE, text)
    page.wait_for_url("**/en/submit/")
    expect(said(page)).to_have_text("Solves Main: 6 moves, 3 pushes.")
    assert page.complaints == []


def test_other_text_pasted_on_a_page_does_nothing(open_page):
    page = open_page("/en/rounds/7/")
    page.evaluate(PASTE, "hello world")
    assert page.url.endswith("/en/rounds/7/")
