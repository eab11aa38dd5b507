"""An answer sealed and opened in a real browser: the moves leave it only after the close (rules 5.11 to 5.13)."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from contest import judging
from contest.infra import clock
from contest.models import Round, SealedAnswer, Submission
from tests import cast
from tests.browser.people import set_claim_cookie
from tests.web.conftest import a_level, a_round

LEVEL = "#########|#@-----$.#|#########"
MOVES = "rrrrrR"


@pytest.fixture(autouse=True)
def round_(transactional_db, cache_of_its_own):
    round_ = cast.with_settings(a_round(7, opens_in=-1), sealed_answers=True)
    a_level(round_, LEVEL)
    return round_


@pytest.fixture
def page(open_page):
    cast.send("Ann", "r", round=7, slot="main")
    page = open_page("/en/rounds/7/")
    set_claim_cookie(page, "Ann")
    page.reload()
    page.get_by_role("link", name="Sealed", exact=True).click()
    return page


def test_sealed_moves_stay_in_the_browser_until_the_saved_file_opens_the_answer(page, tmp_path):
    """Rules 5.11 to 5.13."""
    sent = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    solution = page.get_by_label("Your solution, which stays in this browser")
    seal = page.get_by_role("button", name="Seal it")
    solution.fill("rrr")
    expect(page.locator("[data-said]")).to_have_text("These moves do not solve this level.")
    solution.fill(MOVES.lower())
    expect(page.locator("[data-said]")).to_contain_text("Moves: 6, pushes: 1")
    expect(page.get_by_label("Moves", exact=True)).to_have_value("6")
    expect(seal).to_be_disabled()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the sealed text").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    expect(page.locator("[data-said]")).to_contain_text(f"Saved as {saved.name}")
    seal.click()
    expect(page.get_by_role("heading", name="Sealed answer")).to_be_visible()
    answer = SealedAnswer.objects.get()
    assert saved.read_text().splitlines()[-1] == MOVES
    assert (answer.moves, answer.pushes) == (6, 1)
    assert any(answer.sha256 in body for body in sent)
    assert not any(MOVES.lower() in body.lower() for body in sent)

    Round.objects.update(closes_at=clock.now() - timedelta(hours=1))
    page.goto("/en/rounds/7/sealed/")
    page.get_by_label("Or choose the file that you saved:").set_input_files(saved)
    expect(page.get_by_label("Sealed text")).to_have_value(saved.read_text())
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("heading", name="Receipt")).to_be_visible()
    judging.judge_until_empty()
    opened = Submission.objects.get(verdict="accepted")
    assert (opened.received_at, opened.lurd) == (answer.received_at, MOVES)
    page.goto("/en/rounds/7/sealed/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("opened: 1 of 1")
