import re

import pytest
from playwright.sync_api import expect

from contest.models import Round, Submission
from tests.browser.test_player import BEND
from tests.web.conftest import TWO_PUSHES, a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def rounds(transactional_db):
    a_level(a_round(6, opens_in=-40), title="Old one")
    running = a_round(7, opens_in=-1)
    a_level(running, TWO_PUSHES)
    a_level(running, "#" * 60 + "|#@$." + "-" * 55 + "#|" + "#" * 61, slot="extra")
    a_round(8, opens_in=25)


def submit(page, moves, nickname="Ann"):
    page.get_by_label("Moves", exact=True).fill(moves)
    page.get_by_label("Nickname", exact=True).fill(nickname)
    page.locator("main form button.button").click()


def test_the_verdict_appears_without_a_reload(rounds, open_page):
    page = open_page("/en/submit/")
    submit(page, "RR")
    page.wait_for_url("**/s/**")
    page.evaluate("window.isTheSamePage = true")
    expect(page.locator("#verdict")).to_contain_text("2 moves, 2 pushes", timeout=15_000)
    assert page.evaluate("window.isTheSamePage")
    assert page.complaints == []


def test_without_javascript_the_same_form_brings_the_same_verdict(rounds, open_page):
    page = open_page("/en/submit/", java_script_enabled=False)
    submit(page, "RR")
    expect(page.locator("#verdict")).to_contain_text("2 moves, 2 pushes", timeout=15_000)


@pytest.mark.parametrize("moves", ["Moves: 6 Pushes: 3 dRRdrU", "dRR\\\ndrU"])
def test_a_right_answer_beside_its_counts_or_wrapped_is_accepted(rounds, open_page, moves):
    a_level(Round.objects.get(number=7), BEND, slot="extra2")
    page = open_page("/en/submit/")
    page.get_by_label("Moves", exact=True).fill(moves)
    expect(page.locator("[data-sentence]")).to_contain_text("6 moves, 3 pushes")
    submit(page, moves)
    expect(page.locator("#verdict")).to_contain_text("6 moves, 3 pushes", timeout=15_000)
    assert page.complaints == []


def test_a_wrong_move_is_named(rounds, open_page):
    page = open_page("/en/submit/")
    submit(page, "U")
    expect(page.locator("#verdict")).to_contain_text("Move 1 (U) walks into a wall.", timeout=15_000)


def test_a_refusal_keeps_the_text_and_stands_beside_its_field(rounds, open_page):
    page = open_page("/en/submit/")
    submit(page, "RRrr", nickname="")
    expect(page.locator("[data-error=nickname]")).to_contain_text("The nickname cannot be empty.")
    expect(page.get_by_label("Moves", exact=True)).to_have_value("RRrr")
    assert not Submission.objects.exists()


def test_a_level_is_copied_by_a_click(rounds, open_page):
    page = open_page("/en/rounds/7/main/")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied", exact=True)).to_be_visible()


def test_a_countdown_runs_by_the_servers_clock(rounds, open_page):
    page = open_page("/zh-hans/", timezone_id="America/Sao_Paulo")
    expect(page.locator(".countdown").first).to_have_text(re.compile(r"19\D+ \d\d:\d\d:\d\d"))
    expect(page.locator(".local").first).to_be_visible()


def test_chromium_would_install_the_site_as_an_app(rounds, open_page):
    page = open_page("/en/")
    browser = page.context.new_cdp_session(page)
    assert browser.send("Page.getAppManifest")["errors"] == []
    wrong = browser.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {one["errorId"] for one in wrong} <= {"in-incognito"}  # as every context of these tests is
