"""The page where moves are pasted, in a real browser: judged at once, sent without fear."""

import pytest
from playwright.sync_api import expect

from contest.models import Submission
from tests import cast
from tests.browser.test_player import BEND, LOSE_ONE_ANSWER, moves_sent
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SOLVED = "Solves Main: 6 moves, 3 pushes."


@pytest.fixture(autouse=True)
def round_(transactional_db, cache_of_its_own, quick_judge):
    round_ = a_round(7, opens_in=-1)
    a_level(round_, BEND)
    a_level(round_, "######|#@-$.#|######", slot="extra")
    return round_


@pytest.fixture
def paste(open_page):
    """Open the page with *text* in its field."""

    def paste_(text, **options):
        page = open_page("/en/submit/", **options)
        page.get_by_label("Moves", exact=True).fill(text)
        return page

    return paste_


def said(page):
    return page.locator("[data-sentence]")


FORMS = [
    "drrdru",
    "DRRDRU",
    "d r r\nd r u",
    "d2(r)dru",
    "Solution: dRRdrU",
    "Solution\ndRR\ndrU\n",
    "> dRRdrU",
    "↓→→↓→↑",
    "下右右下右上",
    "ｄＲＲｄｒＵ",
    "d,r,r,d,r,u",
    "My solution is below.\n\ndRRdrU\n\nRegards",
    "dRR*drU",
    "[SaveGame]\n#######\n#@  . #\n\nSolution:\ndRRdrU\n",
]
# What cannot be played, what is said of it, and the square that it leads to.
IMPOSSIBLE = [
    ("dRRdrr r", "Move 7 (r) walks into a wall.", "G4"),
    ("d2(R)drrr", "Move 7 (r) walks into a wall.", "G4"),
    ("dRRRR", "Move 5 (R) pushes a box into a wall.", "F3"),
    ("u", "Move 1 (u) walks into a wall.", "B1"),
    ("↓→→→→", "Move 5 (r) pushes a box into a wall.", "F3"),
]


def say_again(page, text):
    """Put *text* in the field in place of the last one, of which nothing is shown any more."""
    field = page.get_by_label("Moves", exact=True)
    field.fill("")
    expect(said(page)).to_be_hidden()
    field.fill(text)
    expect(said(page)).to_be_visible()


def test_every_form_of_text_is_read(paste):
    page = paste("")
    for text in FORMS:
        say_again(page, text)
        expect(said(page), text).to_have_text(SOLVED)
    assert page.complaints == []


def test_the_impossible_move_is_marked_where_it_goes(paste):
    """Rule 6.11."""
    page = paste("")
    for text, words, square in IMPOSSIBLE:
        say_again(page, text)
        expect(said(page), text).to_contain_text(words)
        expect(said(page), text).to_contain_text("on Main")
        expect(page.locator("[data-finding] [data-board]"), text).to_have_attribute("data-wrong", square)


def test_the_moves_before_the_mistake_can_be_looked_at(paste):
    page = paste("dRRRR")
    page.get_by_role("button", name="One step back").click()
    expect(page.locator("[data-moment]")).to_have_text("After 3 of 4 moves.")
    page.get_by_role("button", name="One step forward").click()
    expect(page.locator("[data-moment]")).to_contain_text("F3")


def test_a_turned_solution_is_offered_and_not_taken_before_the_click(paste):
    """Rule 6.10."""
    page = paste("uRRurD")
    expect(said(page)).not_to_contain_text("Solves")
    expect(page.locator("[data-offers]")).to_contain_text("These moves solve Main with up and down exchanged.")
    page.get_by_role("button", name="Turn them back").click()
    expect(said(page)).to_have_text(SOLVED)
    expect(page.get_by_label("Moves", exact=True)).to_have_value("dRRdrU")
    assert not Submission.objects.exists()


def test_moves_after_the_end_and_long_walks_are_offered_for_trimming(paste):
    page = paste("rldRRdrUdd")
    expect(page.locator("[data-offers]")).to_contain_text("do not count: 2")
    expect(page.locator("[data-offers]")).to_contain_text("6 moves: 2 fewer")
    page.get_by_role("button", name="Take the shorter walks").click()
    expect(said(page)).to_have_text(SOLVED)
    expect(page.locator("[data-offers] li")).to_have_count(0)


def test_of_several_solutions_each_is_sent_by_itself_and_the_others_wait(paste):
    page = paste("Solution:\ndRRdrU\n\nSolution:\nrR\n")
    expect(page.locator("[data-several]")).to_be_visible()
    page.get_by_role("button", name="Use this one").click()
    page.get_by_label("Nickname").fill("Ann")
    for solved, left in [(SOLVED, "Solution:\nrR\n"), ("Solves Extra: 2 moves, 1 pushes.", "")]:
        expect(said(page)).to_have_text(solved)
        page.get_by_role("button", name="Submit", exact=True).click()
        expect(page.locator("#verdict")).to_contain_text("Solves", timeout=15_000)
        page.goto("/en/submit/")
        expect(page.get_by_label("Moves", exact=True)).to_have_value(left)
    assert Submission.objects.count() == 2


def test_of_several_solutions_one_is_chosen(paste):
    page = paste("Solution:\ndRRdrU\n\nSolution:\nrR\n")
    expect(said(page)).to_have_text("Solves Extra: 2 moves, 1 pushes.")
    page.get_by_role("button", name="Use this one").click()
    expect(said(page)).to_have_text(SOLVED)


def test_the_preview_is_what_the_server_then_says(paste, round_):
    """Rule 7.7."""
    at = round_.opens_at
    for name, moves, pushes in [("Bea", 5, 9), ("Cid", 6, 3), ("Dan", 7, 2), ("Ann", 9, 9)]:
        cast.enter(round_, name, moves, pushes, at=at)
    page = paste("dRRdrU")
    preview = page.locator("[data-preview] li")
    expect(preview.nth(0)).to_have_text("By moves it would be number 3.")
    expect(preview.nth(1)).to_have_text("One move fewer gains place 2.")
    expect(preview.nth(2)).to_have_text("6 moves with at most 2 pushes gain place 2.")
    expect(preview.nth(3)).to_have_text("By pushes it would be number 3.")
    page.get_by_label("Nickname", exact=True).fill("Eve")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#verdict")).to_contain_text("Solves", timeout=15_000)
    expect(page.locator("#verdict")).to_contain_text("rank 3")
    assert page.locator("#verdict").inner_text().count("rank 3") == 2
    assert page.complaints == []


def test_what_is_not_better_is_said_so(paste, round_):
    """Rule 5.7."""
    cast.enter(round_, "Ann", 5, 3, at=round_.opens_at)
    page = paste("dRRdrU")
    page.get_by_label("Nickname", exact=True).fill("ann")
    expect(page.locator("[data-preview]")).to_contain_text("Not better than what you have sent.")
    expect(page.locator("[data-preview]")).to_contain_text(
        "By moves it is not better than your 5/3: you stay number 1."
    )


def test_offline_nothing_is_sent_and_it_says_so(paste):
    page = paste("dRRdrU")
    page.get_by_label("Nickname", exact=True).fill("Ann")
    page.context.set_offline(True)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("[data-sent]")).to_contain_text("NOT received: you are offline")
    expect(page.get_by_label("Moves", exact=True)).to_have_value("dRRdrU")
    assert not Submission.objects.exists()
    page.context.set_offline(False)
    page.get_by_role("button", name="Submit", exact=True).click()
    assert moves_sent(page) == "dRRdrU"


def test_a_lost_answer_gives_the_same_receipt_when_sent_again(paste):
    """Rule 5.6."""
    page = paste("dRRdrU")
    page.get_by_label("Nickname", exact=True).fill("Ann")
    page.evaluate(LOSE_ONE_ANSWER)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("[data-sent]")).to_contain_text("NOT received")
    receipt = Submission.objects.get().receipt_id
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url(f"**/s/{receipt}/")
    assert moves_sent(page) == "dRRdrU"


def test_a_draft_outlives_a_reload_and_not_a_receipt(paste):
    page = paste("dRRdrU")
    expect(said(page)).to_have_text(SOLVED)
    page.reload()
    expect(said(page)).to_have_text(SOLVED)
    page.get_by_label("Nickname", exact=True).fill("Ann")
    page.get_by_role("button", name="Submit", exact=True).click()
    assert moves_sent(page) == "dRRdrU"
    page.goto("/en/submit/")
    expect(page.get_by_label("Moves", exact=True)).to_have_value("")


def test_a_file_in_an_older_encoding_is_read(paste):
    page = paste("")
    content = "作者：某人\n\nSolution:\ndRRdrU\n".encode("gb18030")
    page.locator("[data-file]").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": content})
    expect(said(page)).to_have_text(SOLVED)


def test_the_round_of_the_level_solved_gets_the_moves(paste):
    a_level(a_round(8, opens_in=-1), "#######|#.-$-@#|#######")
    page = paste("lLL")
    expect(said(page)).to_contain_text("Solves Round 8 · Main")
    page.get_by_label("Nickname", exact=True).fill("Ann")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#verdict")).to_contain_text("Solves", timeout=15_000)
    assert Submission.objects.get().round.number == 8


def drop(page, text):
    page.evaluate(
        """(text) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "main.txt", { type: "text/plain" }));
            document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
        }""",
        text,
    )


def test_a_file_dropped_anywhere_is_read(paste):
    page = paste("")
    drop(page, "Solution:\ndRRdrU\n")
    expect(said(page)).to_have_text(SOLVED)


def test_nothing_of_a_file_dropped_before_waits(paste):
    page = paste("")
    drop(page, "Solution:\ndRRdrU\n\nSolution:\nrR\n")
    page.get_by_role("button", name="Use this one").click()
    expect(page.locator("[data-several]")).to_be_visible()
    drop(page, "Solution:\nrR\n")
    expect(said(page)).to_have_text("Solves Extra: 2 moves, 1 pushes.")
    expect(page.locator("[data-several]")).to_be_hidden()
