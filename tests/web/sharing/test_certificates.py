from datetime import timedelta

import pytest

from contest import results
from contest.infra import clock
from contest.models import Placing
from tests import cast

FINAL = cast.AFTER + timedelta(days=2)


@pytest.fixture
def final(during_round):
    """A final round that Ada has won by moves and Rival by pushes."""
    cast.enter_all(during_round, [("Ada", 12, 8), ("Rival", 14, 6), ("Last", 20, 9)])
    with clock.set_to(FINAL):
        results.finalise(during_round, at=FINAL, by=None)
        yield during_round


def test_a_champion_has_a_certificate_with_a_code_to_which_the_results_lead(client, final):
    address = f"/en/rounds/1/results/certificates/{Placing.objects.get(player__nickname='Ada').player_id}/"
    page = client.get(address).content.decode()
    assert "Moves champion" in page
    assert 'class="qr"' in page
    assert address in client.get("/en/rounds/1/results/").content.decode()


def test_there_is_no_certificate_before_the_results_are_final(client, during_round):
    """Rule 7.4."""
    player = cast.enter(during_round, "Ada", 12, 8, at=cast.DURING).player
    with clock.set_to(cast.AFTER):
        assert client.get(f"/en/rounds/1/results/certificates/{player.pk}/").status_code == 404


def test_who_did_not_enter_has_no_certificate(client, final):
    assert client.get("/en/rounds/1/results/certificates/999999/").status_code == 404
