"""The beacon's value is checked by its signature, its round by the closing (rules 11.14, 11.15, 24.2)."""

from contextlib import suppress
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from contest import results
from contest.archive import verify
from contest.archive.proofs import randomness
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import LuckyNumber, Round
from contest.rounds import lucky_number
from contest.rules import beacons
from tests import cast
from tests.contest.archive import forger
from tests.contest.archive.conftest import pack
from tests.contest.archive.test_writer import LATER, packed, play, unpacked
from tests.contest.rules.test_beacon_signatures import SIGNATURE, VALUE

pytestmark = pytest.mark.django_db


def signs(valid: bool | None):
    """Return a check of signatures with this answer; None: the package is missing."""

    def is_signed(_number, _signature) -> bool:
        if valid is None:
            raise beacons.NoCurve
        return valid

    return is_signed


def finished(entered: str) -> dict[str, bytes]:
    play(lucky_beacon="drand quicknet")
    with clock.set_to(LATER):
        round_ = Round.objects.get()
        lucky_number.enter_beacon(round_, entered, at=LATER, by=None)
        results.finalise(round_, at=LATER, by=None)
        return unpacked(packed())


@pytest.mark.parametrize(
    ("entered", "valid", "differences", "remarks"),
    [
        (SIGNATURE, True, [], []),
        (SIGNATURE, False, ["round.json: the beacon did not sign round 39352612 so"], []),
        (SIGNATURE, None, [], [randomness.UNCHECKED]),
        (VALUE, True, [], [randomness.UNSIGNED]),
    ],
)
def test_a_signature_is_checked_or_named_as_unchecked(entered, valid, differences, remarks, monkeypatch, tmp_path):
    monkeypatch.setattr(beacons, "is_signed", signs(None))
    files = finished(entered)
    monkeypatch.setattr(beacons, "is_signed", signs(valid))
    report = verify.verify(pack(tmp_path, files))
    number = forger.Forgery(files).about["lucky"]["beacon"]["round"]
    found = [str(difference).replace(str(number), "39352612") for difference in report.differences]
    assert (found, report.remarks) == (differences, remarks)


def test_a_round_that_draws_nobody_needs_no_value(tmp_path):
    """Rules 11.15, 14.2: it becomes final without one, and its archive verifies."""
    play(lucky=False, lucky_beacon="drand quicknet")
    with clock.set_to(LATER):
        results.finalise(Round.objects.get(), at=LATER, by=None)
        assert verify.verify(pack(tmp_path, unpacked(packed()))).differences == []


def test_the_value_is_entered_for_the_draw_after_a_make_up_window():
    """Rules 3.10, 11.14: also before its closing is bound; that of the regular close has bound another round."""
    play(lucky_beacon="drand quicknet")
    ends = cast.CLOSES + timedelta(hours=2)
    with clock.set_to(cast.CLOSES + timedelta(hours=1)):
        receipt_chain.append_all()
        Round.objects.update(make_up_opens_at=clock.now(), make_up_closes_at=ends)
    with clock.set_to(ends + timedelta(minutes=1)):
        lucky_number.enter_beacon(Round.objects.get(), VALUE, at=clock.now(), by=None)
    assert LuckyNumber.objects.get().beacon_round == beacons.BEACONS["drand quicknet"].round_at(ends)


@pytest.mark.parametrize(("valid", "is_stored"), [(True, True), (None, True), (False, False)])
def test_a_wrong_signature_is_refused_at_the_desk(valid, is_stored, monkeypatch):
    monkeypatch.setattr(beacons, "is_signed", signs(valid))
    with suppress(ValidationError):
        finished(SIGNATURE)
    number = Round.objects.get().lucky_number
    assert (number.beacon_signature, number.beacon_value) == ((SIGNATURE, VALUE) if is_stored else ("", ""))
