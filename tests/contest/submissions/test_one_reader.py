"""Every entry point reads moves alike (rule 6.1)."""

import pytest

from contest import judging
from contest.models import Door
from tests.cast import judged, send

pytestmark = pytest.mark.django_db
TEXTS = {
    "“rR”": "accepted",
    '{"lurd": "rR", "moves": 2}': "accepted",
    "Extra rR (2/1)": "accepted",
    "1. r\n2. R": "accepted",
    "右2。": "accepted",
    "I sent ruuu today": "illegal",
}


@pytest.mark.parametrize("text", TEXTS)
def test_each_door_gives_the_same_verdict(during_round, text):
    """Rules 1.11, 5.1, 6.1."""
    receipts = [send(f"player {door}", text, slot="main", door=door) for door in Door]
    judging.judge_until_empty()
    assert {judged(receipt).verdict for receipt in receipts} == {TEXTS[text]}
