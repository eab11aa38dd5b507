"""The archive of a round that mixes public randomness into its draw."""

import json

import pytest

from contest import results, visibility
from contest.archive import format as archived
from contest.archive import verify
from contest.infra import clock
from contest.models import LuckyNumber
from contest.rounds import lucky_number
from contest.rules import beacons
from contest.visibility import Viewer
from tests.contest.archive.conftest import pack
from tests.contest.archive.test_writer import LATER, packed, play, unpacked

pytestmark = pytest.mark.django_db
VALUE = "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce"


@pytest.fixture
def final():
    play(lucky_beacon="drand quicknet")
    with clock.set_to(LATER):
        round_ = visibility.archived_rounds(Viewer(), LATER).get()
        lucky_number.enter_beacon(round_, VALUE, at=LATER, by=None)
        results.finalise(round_, at=LATER, by=None)
        yield unpacked(packed())


def said(path):
    return [str(difference) for difference in verify.verify(path).differences]


def test_an_archive_tells_the_beacons_value_and_holds(final, tmp_path):
    """Rules 11.15, 24.1."""
    told = json.loads(final[archived.ROUND])["lucky"]
    closed = LuckyNumber.objects.get().round.closes_at
    assert told["beacon"] == {"round": beacons.BEACONS["drand quicknet"].round_at(closed), "value": VALUE}
    assert said(pack(tmp_path, final)) == []


@pytest.mark.parametrize(
    ("forged", "why"),
    [
        ({"value": "0" * 64}, "draw is not what the submissions give"),
        ({"round": 5}, "published before the close"),
        ({"value": None}, "is missing"),
    ],
)
def test_a_changed_value_or_round_of_the_beacon_is_told(final, tmp_path, forged, why):
    """Rules 11.14, 24.1."""
    about = json.loads(final[archived.ROUND])
    about["lucky"]["beacon"] |= forged
    final[archived.ROUND] = archived.canonical.json_page(about).encode()
    assert why in " ".join(said(pack(tmp_path, final, is_rehashed=True)))
