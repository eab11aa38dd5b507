"""The projector view."""

import pytest
from django.test import override_settings

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
    drawn = screen.qr_code("https://contest.example/<&>")
    assert drawn.count("<svg") == drawn.count("<title") == drawn.count("<path") == 1


@override_settings(SITE_URL="https://contest.example")
def test_the_code_leads_to_the_round_on_the_sites_own_name(client, solved, monkeypatch):
    asked = []
    monkeypatch.setattr(screen, "qr_code", lambda text: asked.append(text) or "")
    client.get("/en/screen/1/")
    assert asked == ["https://contest.example/en/rounds/1/"]
