"""The proof on a receipt is checked in the browser (rule 24.2)."""

import pytest
from playwright.sync_api import expect

from contest.archive.witnesses import checkpoints
from contest.infra import clock
from contest.models import Checkpoint
from tests import cast, chain
from tests.web.conftest import a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True, reset_sequences=True)]


@pytest.fixture
def receipt(transactional_db, cache_of_its_own):
    """The receipt of one of some submissions that a checkpoint has."""
    a_level(a_round(7, opens_in=-1), cast.CORRIDOR)
    sent = [cast.send(name, "rR").submission for name in ("Ada", "Bo", "Cy")]
    chain.append_all()
    assert checkpoints.make(clock.now())
    return f"/en/s/{sent[1].receipt_id}/"


def test_the_browser_says_that_the_submission_is_in_the_tree(receipt, open_page):
    page = open_page(receipt)
    expect(page.locator("[data-inclusion]")).to_contain_text("Your browser has checked")
    assert page.complaints == []


def test_the_browser_says_so_when_it_is_not(receipt, open_page):
    Checkpoint.objects.update(root="0" * 64)
    page = open_page(receipt)
    expect(page.locator("[data-inclusion]")).to_contain_text("the proof does not hold")
