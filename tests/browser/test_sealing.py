"""An answer sealed and opened in a real browser: the moves leave it only after the close (rules 5.11 to 5.13)."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from contest import judging
from contest.infra import clock
from contest.models import Round, SealedAnswer, Submission
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LEVEL = "#########|#@-----$.#|#########"
MOVES = "rrrrrR"


@pytest.fixture(autouse=True)
def round_(transactional_db, cache_of_its_own):
    round_ = a_round(7, opens_in=-1)
    round_.settings |= {"sealed_answers": True}
    round_.save()
    a_level(round_, LEVEL)
    return round_


@pytest.fixture
def page(open_page):
    """The page of sealed answers in Ann's browser."""
    page = open_page("/en/submit/")
    page.get_by_label("Moves", exact=True).fill("r")
    page.get_by_label("Nickname").fill("Ann")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", name="Receipt")).to_be_visible()
    page.goto("/en/rounds/7/")
    page.get_by_role("link", name="Sealed", exact=True).click()
    return page


def test_the_moves_stay_in_the_browser_until_the_saved_file_opens_the_answer(page, tmp_path):
    """Rules 5.11 to 5.13."""
    sent = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    solution = page.get_by_label("Your solution, which stays in this browser")
    seal = page.get_by_role("button", name="Seal it")
    solution.fill("rrr")
    expect(page.locator("[data-said]")).to_have_text("These moves do not solve this level.")
    solution.fill(MOVES.lower())
    expect(page.locator("[data-said]")).to_contain_text("6 moves, 1 pushes")
    expect(page.get_by_label("Moves", exact=True)).to_have_value("6")
    expect(seal).to_be_disabled()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the sealed text").click()
    kept = tmp_path / download.value.suggested_filename
    download.value.save_as(kept)
    expect(page.locator("[data-said]")).to_contain_text(f"Saved as {kept.name}")
    seal.click()
    expect(page.get_by_role("heading", name="Sealed answer")).to_be_visible()
    answer = SealedAnswer.objects.get()
    assert kept.read_text().splitlines()[-1] == MOVES
    assert (answer.moves, answer.pushes) == (6, 1)
    assert any(answer.sha256 in body for body in sent)
    assert not any(MOVES.lower() in body.lower() for body in sent)

    Round.objects.update(closes_at=clock.now() - timedelta(hours=1))
    page.goto("/en/rounds/7/sealed/")
    page.get_by_label("Or choose the file that you saved:").set_input_files(kept)
    expect(page.get_by_label("Sealed text")).to_have_value(kept.read_text())
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("heading", name="Receipt")).to_be_visible()
    judging.judge_until_empty()
    opened = Submission.objects.get(verdict="accepted")
    assert (opened.received_at, opened.lurd) == (answer.received_at, MOVES)
    page.goto("/en/rounds/7/sealed/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("opened 1 of 1")
    assert page.complaints == []


def test_who_hashes_by_hand_types_what_is_sent(page):
    """Rule 5.11: whoever trusts no script of the page needs none, though it runs."""
    page.get_by_label("Moves", exact=True).fill("6")
    page.get_by_label("Pushes").fill("1")
    page.get_by_label("SHA-256 of the sealed text").fill("a9" * 32)
    page.get_by_role("button", name="Seal it").click()
    expect(page.get_by_role("heading", name="Sealed answer")).to_be_visible()
    assert SealedAnswer.objects.get().sha256 == "a9" * 32


def test_without_a_script_the_page_says_how_it_is_done_by_hand(page, open_page):
    """Rule 5.11."""
    bare = open_page("/en/submit/", java_script_enabled=False)
    bare.get_by_label("Moves", exact=True).fill("rr")
    bare.get_by_label("Nickname").fill("Bo")
    bare.get_by_role("button", name="Submit", exact=True).click()
    bare.goto("/en/rounds/7/sealed/")
    expect(bare.get_by_text("Without a script this page cannot hash for you")).to_be_visible()
    bare.get_by_text("By hand, trusting no script of ours").click()
    expect(bare.get_by_text("leitai-sealed-1 7/main NUMBER SALT MOVES")).to_be_visible()
    expect(bare.get_by_role("button", name="Seal it")).to_be_enabled()
