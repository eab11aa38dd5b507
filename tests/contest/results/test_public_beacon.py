"""The draw with public randomness mixed in, until the results are revised."""

from datetime import timedelta

import pytest

from contest.models import AuditEntry
from contest.results import revisions
from contest.rounds import lucky_number
from contest.rules import beacons
from tests import cast
from tests.contest.results.worked import MAIN, drawn, finalise, revise

pytestmark = pytest.mark.django_db
VALUE = "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce"
LATER = cast.AFTER + timedelta(days=2)
QUICKNET = beacons.BEACONS["drand quicknet"]


@pytest.fixture
def with_beacon(round_):
    round_.settings["lucky_beacon"] = "drand quicknet"
    round_.save()
    cast.enter_all(round_, MAIN)
    return round_


def enter(round_, value=VALUE, at=cast.AFTER):
    lucky_number.enter_beacon(round_, value, at=at, by=None)
    round_.refresh_from_db()


def test_before_the_value_is_known_nobody_is_drawn_and_nothing_is_final(with_beacon):
    """Rules 11.15, 14.2."""
    number = QUICKNET.round_at(cast.CLOSES)
    assert drawn(with_beacon) == (["A", "E", "D"], None)
    assert f"round {number} of drand quicknet is missing" in cast.refusal_of(finalise, with_beacon)
    enter(with_beacon, VALUE.upper())
    document = finalise(with_beacon).document
    assert document["draw"]["beacon"] == {"name": "drand quicknet", "round": number, "value": VALUE}
    assert document["draw"]["lucky"] is not None


def test_a_value_is_entered_between_its_publication_and_the_final_results(with_beacon):
    """Rules 11.14, 11.15: every entry is recorded; a round without a beacon accepts none."""
    without = cast.a_round(2, **cast.earlier(9))
    assert "no public randomness" in cast.refusal_of(lucky_number.enter_beacon, without, VALUE, at=cast.AFTER, by=None)
    with_beacon.closes_at = cast.CLOSES + timedelta(seconds=1)
    with_beacon.save()
    published_at = QUICKNET.time_of(QUICKNET.round_at(with_beacon.closes_at))
    assert "after the close" in cast.refusal_of(enter, with_beacon, at=cast.DURING)
    assert "not published yet" in cast.refusal_of(enter, with_beacon, at=published_at - timedelta(microseconds=1))
    assert "64 hexadecimal digits" in cast.refusal_of(enter, with_beacon, value="17")
    enter(with_beacon, at=published_at)
    enter(with_beacon, "0" * 64, at=published_at)
    entries = AuditEntry.objects.filter(act="enter beacon value").order_by("pk")
    assert [entry.after["value"] for entry in entries] == [VALUE, "0" * 64]


@pytest.mark.parametrize("wrong", ["0" * 64, "6" * 64])
def test_a_value_found_wrong_after_the_final_results_is_corrected_by_a_revision(with_beacon, wrong):
    """Rules 11.16, 14.5: the draw is repeated, also where the right value draws the same player."""
    enter(with_beacon, wrong)
    first = finalise(with_beacon).document
    with_beacon.refresh_from_db()
    assert not revisions.is_due(with_beacon, LATER)
    enter(with_beacon, at=LATER)
    assert revisions.is_due(with_beacon, LATER)
    document = revise(with_beacon).document
    assert (document["draw"]["kept_from"], drawn(with_beacon)[1]) == (None, "D")
    assert [draw["draw"]["beacon"]["value"] for draw in (first, document)] == [wrong, VALUE]
    assert revise(with_beacon).document["draw"]["kept_from"] == 2
