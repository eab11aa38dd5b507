"""The draw done again in a real browser, and the results on a phone."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from contest import results, rounds
from contest.infra import clock
from contest.models import LuckyNumber, Player, Submission
from contest.results import rulings
from contest.rounds import lucky_number
from contest.wording.bilingual import Reason
from tests import cast
from tests.browser import printed
from tests.browser.screens import SCREENS
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ["Ann", "山水", "Jürgen", "推箱客", "A very long nickname of 32 lettrs"]
REASON = Reason(zh="重复提交", en="Sent twice, as the player told us")


@pytest.fixture
def final(transactional_db):
    """A final round with a void submission, a void level and five candidates."""
    round_ = a_round(6, opens_in=-40)
    a_level(round_, title="Old one")
    a_level(round_, slot="extra", title="A faulty one")
    at = round_.opens_at + timedelta(days=1)
    for place, name in enumerate([*NAMES, "Bo", "Cy", "Bo"]):
        cast.enter(round_, name, 50 + place, 20 + place, at=at)
    rulings.void(Submission.objects.order_by("number").last(), REASON, at=at, by=None)
    rounds.void_slot(round_.levels.get(slot="extra"), REASON, at=at, by=None)
    with clock.set_to(round_.closes_at + timedelta(hours=1)):
        results.finalise(round_, at=clock.now(), by=None)
    return round_


@pytest.mark.parametrize("address", ["/en/rounds/6/results/", "/en/rounds/6/"])
def test_the_draw_can_be_done_again_in_the_page(final, open_page, address):
    """Rule 11.11."""
    number = LuckyNumber.objects.get()
    page = open_page(address)
    page.get_by_text("Proof:").click()
    form = page.locator("form.recompute")
    expect(form).to_contain_text(f"SHA-256 = {final.commitment}")
    expect(form).to_contain_text("It matches the commitment.")
    expect(form).to_contain_text(f"= {number.number} mod 5 = {number.number % 5}")
    form.locator("input").fill(f"6|{number.number + 1}|{number.salt}")
    expect(form).to_contain_text("It does not match the commitment.")
    form.locator("input").fill("6|x")
    expect(form).to_contain_text("Write ROUND|L|SALT")
    assert page.complaints == []


@pytest.fixture
def mixed(transactional_db):
    """A closed round that waits for the value of its beacon."""
    round_ = a_round(6, opens_in=-40)
    round_.settings["lucky_beacon"] = "drand quicknet"
    round_.save()
    a_level(round_, title="Old one")
    for place, name in enumerate(NAMES):
        cast.enter(round_, name, 50 + place, 20 + place, at=round_.opens_at + timedelta(days=1))
    return round_


@pytest.mark.parametrize(("language", "width"), SCREENS)
def test_the_page_mixes_in_the_beacons_value_as_the_site_does(mixed, open_page, language, width):
    """Rules 11.11, 11.14, 11.15."""
    address = f"/{language}/rounds/6/results/"
    page = open_page(address, viewport={"width": width, "height": 800})
    division = page.locator("output[name=division]")
    expect(division).to_have_text("")
    lucky_number.enter_beacon(mixed, "8990e7a9aaed2ffe" * 4, at=clock.now(), by=None)
    drawn = results.table(results.live(mixed, clock.now())).draw
    page.goto(page.url)
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    expect(division).to_have_text(f"M mod N = {drawn.dividend} mod {drawn.count} = {drawn.index}")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.complaints == []


def test_without_javascript_the_page_says_how_to_do_it_by_hand(final, open_page):
    """Rule 11.11."""
    page = open_page("/en/rounds/6/results/", java_script_enabled=False)
    expect(page.locator("form.recompute")).to_be_hidden()
    expect(page.locator(".draw")).to_contain_text(f"printf '6|{LuckyNumber.objects.get().number}|")


@pytest.mark.parametrize(("language", "width"), SCREENS)
def test_pages_with_rulings_and_results_fit_every_screen(final, open_page, language, width):
    page = open_page(f"/{language}/", viewport={"width": width, "height": 800})
    for path in ("rounds/6/", "rounds/6/results/", "rounds/6/submissions/", "rounds/6/extra/"):
        page.goto(f"/{language}/{path}", wait_until="networkidle")
        for details in page.locator("details").all():
            details.evaluate("element => { element.open = true; }")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    assert page.complaints == []


# What leaves its cell, or is cut off in it.
LOST = """() => [...document.querySelectorAll("table.list :is(td, th)")].filter((cell) => {
    const box = cell.getBoundingClientRect();
    return [...cell.querySelectorAll(":not(.hidden, .hidden *)")].some((part) => {
        const own = part.getBoundingClientRect();
        if (!own.width) return false;
        const isCut = getComputedStyle(part).overflowX !== "visible" && part.scrollWidth > part.clientWidth + 1;
        return isCut || own.left < box.left - 1 || own.right > box.right + 1;
    });
}).map((cell) => cell.textContent.trim())"""


@pytest.mark.parametrize(("language", "width"), SCREENS)
def test_titles_and_long_names_stay_in_their_cells_and_are_read_whole(final, open_page, language, width):
    one, other = Player.objects.filter(nickname__in=["Bo", "Cy"]).order_by("pk")
    one.nickname = "Wolfeschlegelsteinhausenbergerdo"  # as long as a nickname may be, and nowhere to break it
    one.save()
    page = open_page(f"/{language}/rounds/6/results/", viewport={"width": width, "height": 800})
    expect(page.locator("table .title").first).to_be_visible()
    year = final.closes_at.year
    for path in (
        "rounds/6/results/",
        f"compare/{one.pk}/{other.pk}/",
        f"seasons/{year}/",
        "hall/",
        f"players/{other.pk}/",
    ):
        page.goto(f"/{language}/{path}")
        assert page.locator("table.list").count(), page.url
        assert page.evaluate(LOST) == [], page.url


@pytest.fixture
def long(transactional_db):
    """A final round whose results fill more than a sheet."""
    round_ = a_round(5, opens_in=-90)
    a_level(round_)
    round_.settings |= {"move_points": list(range(90, 0, -1)), "push_points": list(range(90, 0, -1))}
    round_.save()
    for place in range(90):
        cast.enter(round_, f"Player {place}", 50 + place, 20 + place, at=round_.opens_at)
    with clock.set_to(round_.closes_at + timedelta(hours=1)):
        results.finalise(round_, at=clock.now(), by=None)
    return round_


def test_printed_results_have_their_header_row_on_each_page(long, open_page):
    sheets = printed.pages(open_page("/en/rounds/5/results/").pdf(format="A4"))
    table = [sheet for sheet in sheets if re.search(r"\d+Player\d+\d", sheet)]
    assert len(table) > 1
    assert all("PlacePlayerMovesPushesTotalTitles" in sheet for sheet in table)
    assert "Skiptocontent" not in "".join(sheets)


def test_the_draw_in_the_page_names_the_player_the_server_names(final, open_page):
    """Rule 11.11."""
    drawn = final.snapshots.get().document["draw"]
    page = open_page("/en/rounds/6/results/")
    page.get_by_text("Proof:").click()
    index = int(page.locator("form.recompute [name=division]").inner_text().rpartition("= ")[2])
    assert drawn["candidates"][index] == drawn["lucky"]
    lucky = Player.objects.get(archive_number=drawn["lucky"])
    assert page.locator(".candidates li").nth(index).inner_text().startswith(lucky.nickname)
