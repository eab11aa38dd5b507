from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from contest import judging
from contest.models import Submission
from tests import cast
from tests.browser.boards import BEND
from tests.browser.hands import stop_clock
from tests.web.conftest import a_level, a_round

SUBMIT, CHECK = "/en/submit/", "/en/check/"
SOLVED = "Solves Main: 6 moves, 3 pushes."
DROP = """(text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "main.txt", { type: "text/plain" }));
    document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
}"""
PASTE = """(text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.body.dispatchEvent(paste);
    return paste.defaultPrevented;
}"""


@pytest.fixture(autouse=True)
def _two_levels(bend):
    a_level(bend, "######|#@-$.#|######", slot="extra")


def sentence(page):
    return page.locator("[data-sentence]")


def field(page):
    return page.get_by_label("Moves", exact=True)


def send(page):
    page.get_by_role("button", name="Submit", exact=True).click()


def test_the_impossible_move_is_marked_and_the_moves_before_it_are_shown(open_page):
    """Rule 6.11."""
    page = open_page(SUBMIT)
    field(page).fill("dRRdrr r")
    expect(sentence(page)).to_contain_text("Move 7 (r) walks into a wall.")
    field(page).fill("d2(R)RR")
    expect(sentence(page)).to_contain_text("Move 5 (R) pushes a box into a wall.")
    expect(sentence(page)).to_contain_text("on Main")
    expect(page.locator("[data-finding] [data-board]")).to_have_attribute("data-wrong", "F3")
    page.get_by_role("button", name="One step back").click()
    expect(page.locator("[data-moment]")).to_have_text("After 3 of 4 moves.")
    page.get_by_role("button", name="One step forward").click()
    expect(page.locator("[data-moment]")).to_contain_text("F3")


def test_turned_moves_and_shorter_walks_are_offered_but_not_applied(open_page):
    """Rule 6.10."""
    page = open_page(SUBMIT)
    field(page).fill("uRRurD")
    expect(page.locator("[data-offers]")).to_contain_text("These moves solve Main with top and bottom swapped.")
    expect(sentence(page)).not_to_contain_text("Solves")
    page.get_by_role("button", name="Turn them back").click()
    expect(sentence(page)).to_contain_text(SOLVED)
    expect(field(page)).to_have_value("dRRdrU")
    field(page).fill("rldRRdrUdd")
    expect(page.locator("[data-offers]")).to_contain_text("do not count: 2")
    expect(page.locator("[data-offers]")).to_contain_text("6 moves: 2 fewer")
    page.get_by_role("button", name="Use the shorter walks").click()
    expect(sentence(page)).to_contain_text(SOLVED)
    expect(page.locator("[data-offers] li")).to_have_count(0)


@pytest.mark.exhaustive
def test_several_solutions_are_sent_one_by_one(open_page):
    a_level(a_round(8, opens_in=-1), "#######|#.-$-@#|#######")
    page = open_page(SUBMIT)
    page.evaluate(DROP, "Solution:\ndRRdrU\n\nSolution:\nrR\n")
    expect(sentence(page)).to_contain_text("Solves Round 7 · Extra: 2 moves, 1 push.")
    page.get_by_role("button", name="Use this one").click()
    page.get_by_label("Nickname").fill("Ann")
    for level, left in [("Main: 6 moves", "Solution:\nrR\n"), ("Extra: 2 moves", "")]:
        expect(sentence(page)).to_contain_text(level)
        send(page)
        expect(page.locator("#verdict")).to_contain_text("Solves")
        page.goto(SUBMIT)
        expect(field(page)).to_have_value(left)
    field(page).fill("lLL")  # of the other round
    expect(sentence(page)).to_contain_text("Solves Round 8 · Main")
    send(page)
    expect(page.locator("#verdict")).to_contain_text("Solves")
    assert list(Submission.objects.order_by("pk").values_list("round__number", flat=True)) == [7, 7, 8]


def test_the_preview_matches_the_verdict_of_the_server(open_page, bend):
    """Rules 5.7, 7.7."""
    for name, moves, pushes in [("Bea", 5, 9), ("Cid", 6, 3), ("Dan", 7, 2), ("Ann", 9, 9)]:
        cast.enter(bend, name, moves, pushes, at=bend.opens_at)
    page = open_page(SUBMIT)
    preview, nickname = page.locator("[data-preview] li"), page.get_by_label("Nickname", exact=True)
    field(page).fill("dRRdrU")
    expect(preview.nth(0)).to_have_text("By moves it would reach rank 3.")
    expect(preview.nth(1)).to_have_text("One move fewer would reach rank 2.")
    expect(preview.nth(2)).to_have_text("By pushes it would reach rank 3.")
    nickname.fill("bea")
    expect(preview.first).to_have_text("By moves it is not better than your 5/9: you stay at rank 1.")
    nickname.fill("Eve")
    expect(preview.first).to_have_text("By moves it would reach rank 3.")
    send(page)
    expect(page.locator("#verdict")).to_contain_text("rank 3")
    assert page.locator("#verdict").inner_text().count("rank 3") == 2


def test_the_verdict_of_a_worker_appears_without_a_reload(open_page):
    receipt = cast.send("Ann", "dRRdrU", round=7, slot="main")
    page = open_page("about:blank")
    stop_clock(page)
    page.goto(f"/en/s/{receipt.submission.receipt_id}/")
    page.evaluate("window.isTheSamePage = true")
    judging.judge_until_empty()
    page.clock.run_for(250)
    expect(page.locator("#verdict")).to_contain_text("6 moves, 3 pushes")
    assert page.evaluate("window.isTheSamePage")


def test_a_link_carries_level_and_moves_and_sends_nothing(open_page):
    page = open_page("/en/check/#level=5%23%7C%23+$.%23%7C5%23&moves=R")
    expect(page.get_by_label("Level", exact=True)).to_have_value("5#\n#+$.#\n5#")
    page.goto(f"{CHECK}#level={quote(BEND)}&moves=DRRDRU")
    expect(sentence(page)).to_contain_text("Solves your level: 6 moves, 3 pushes.")
    expect(page.locator("[data-measures]")).to_contain_text("Box lines2")
    field(page).fill("DRRDRR")
    expect(sentence(page)).to_contain_text("Not solved")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.get_by_label("Level", exact=True).fill("#####\n#@z.#\n#####")
    expect(page.locator("[data-board-error]")).to_contain_text("“z” is not a character of this text")
    expect(page.locator("[data-finding]")).to_be_hidden()
    field(page).fill("R")
    expect(page.locator("[data-finding]")).to_be_hidden()
    page.get_by_role("button", name="Main").click()
    field(page).fill("dRRRR")
    expect(sentence(page)).to_contain_text("Move 5 (R) pushes a box into a wall.")
    page.get_by_role("button", name="Create a link").click()
    assert requests == []
    link = page.get_by_label("Link", exact=True).input_value()
    page.goto("about:blank")
    page.goto(link)
    expect(sentence(page)).to_contain_text("Move 5 (R) pushes a box into a wall.")
    expect(page.locator("[data-finding] [data-board]")).to_have_attribute("data-wrong", "F3")


@pytest.mark.exhaustive
def test_moves_pasted_on_any_page_open_the_submission_page(open_page):
    page = open_page("/en/rounds/7/")
    assert not page.evaluate(PASTE, "hello world")
    page.evaluate(PASTE, "Solution: d2(R)drU")
    page.wait_for_url("**/en/submit/")
    expect(sentence(page)).to_contain_text(SOLVED)
