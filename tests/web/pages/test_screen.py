"""The projector view."""

import pytest

from contest.web.pages import screen
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def solved(during_round):
    cast.enter_all(during_round, [(f"P{place}", 500 + place, 120 - place) for place in range(12)])
    return during_round


def test_the_screen_shows_the_top_of_every_ranking_and_a_qr_code(client, solved):
    text = client.get("/en/screen/1/").content.decode()
    assert text.count('class="slide"') == 4
    assert ">P0<" in text.replace(" <small>", "<")
    assert text.count("data-row=") == 2 * screen.ROWS
    assert 'class="qr"' in text
    drawn = screen.qr_code("https://contest.example/<&>")
    assert drawn.count("<svg") == drawn.count("<title") == drawn.count("<path") == 1
