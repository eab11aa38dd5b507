"""The page of the search box, and what stands below the box."""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Round
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _site(db):
    cast.enter(cast.a_round(), "Willow", 10, 5, at=cast.DURING)
    Round.objects.update(title_en="Round of <willows>")
    with clock.set_to(cast.AFTER + timedelta(days=1)):
        yield


def test_the_page_links_what_is_found(client):
    page = client.get("/en/search/?q=willow").content.decode()
    assert "Round of &lt;willows&gt;" in page
    assert page.count("/en/players/") == 1
    assert "/en/rounds/1/" in page
    assert "/en/levels/?q=willow" in page


def test_the_part_for_below_the_box_is_no_page(client):
    part = client.get("/en/search/?q=willow&part=1").content.decode()
    assert "<html" not in part
    assert "/en/players/" in part


def test_what_nobody_is_called_is_said(client):
    page = client.get("/en/search/?q=<nobody>").content.decode()
    assert "Nothing is called “&lt;nobody&gt;”." in page


def test_answers_are_kept_by_the_reader_alone(client):
    """One's own quiet names are among them."""
    assert "private" in client.get("/en/search/?q=willow")["Cache-Control"]


def test_robots_do_not_search(client):
    assert "Disallow: /en/search/" in client.get("/robots.txt").content.decode()
