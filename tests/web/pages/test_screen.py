"""The projector view."""

from datetime import timedelta

import pytest
from django.test import override_settings

from contest.infra import clock
from contest.models import Level
from contest.web.pages import screen
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def solved(during_round):
    cast.enter_all(during_round, [(f"P{place}", 500 + place, 120 - place) for place in range(12)])
    return during_round


def test_it_shows_the_first_of_every_ranking_and_a_qr_code(client, solved):
    text = client.get("/en/screen/1/").content.decode()
    assert text.count('class="slide"') == 4
    assert ">P0<" in text.replace(" <small>", "<")
    assert text.count("<tr data-row=") == 2 * screen.ROWS
    assert 'class="qr"' in text


def test_before_the_opening_there_is_nothing_to_show(client, solved):
    """Rule 7.4."""
    with clock.set_to(cast.OPENS - timedelta(microseconds=1)):
        assert client.get("/en/screen/1/").status_code == 404


def test_a_void_level_has_no_slide(client, solved):
    """Rule 2.10."""
    Level.objects.filter(slot="main").update(voided_at=cast.DURING)
    assert client.get("/en/screen/1/").content.decode().count('class="slide"') == 2


@override_settings(SITE_URL="https://contest.example")
def test_the_code_leads_to_the_round_on_the_sites_own_name(client, solved, monkeypatch):
    asked = []
    monkeypatch.setattr(screen, "qr_code", lambda text: asked.append(text) or "")
    client.get("/en/screen/1/")
    assert asked == ["https://contest.example/en/rounds/1/"]


def test_a_qr_code_is_one_drawing_with_a_name():
    drawn = screen.qr_code("https://contest.example/<&>")
    assert drawn.count("<svg") == drawn.count("<title") == drawn.count("<path") == 1
    assert "contest.example" not in drawn
